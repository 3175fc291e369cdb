"""Help for who is stuck: `hint("flip")`, `borrow("flip")`, `solution("flip")`; a course may allow less of it."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from course import notebook
from course.beside import beside
from course.notebook import NotRight, Place
from course.progress import Here, entry_of, update
from course.results import BORROWED, GOOD, Shown, told

ENOUGH_FAILS = 3
lent: dict[str, Any] = {}


@cache
def hints_of(unit: str) -> dict[str, tuple[str, ...]]:
    """Give the hints of a unit, by exercise."""
    text = notebook.file_of(unit, f"{unit}.toml").read_text(encoding="utf-8")
    return {entry["name"]: tuple(entry.get("hints", ())) for entry in tomllib.loads(text)["exercise"]}


def hint(name: str) -> Shown | None:
    """Show the next hint to the exercise `name`, and those before it; never the answer."""
    if notebook.stage():
        return None
    place = notebook.place_of(name, 1)
    hints = hints_of(place.unit).get(name, ())
    if not hints or not notebook.is_allowed("hints", place.folder):
        return told((f"There are no hints to `{name}` in this course. Try it on paper, with the first example.",))
    used = min(entry_of(place).hints + 1, len(hints))
    update(place, hints=used)
    head = f"Hint {used} of {len(hints)} to `{name}`" if used < len(hints) else f"All {len(hints)} hints to `{name}`"
    return told((f"{head}:", *(f"{number}. {text}" for number, text in enumerate(hints[:used], 1))))


def borrow(name: str) -> None:
    """Bind the reference answer to the exercise `name` in the notebook; it is worth no points."""
    place = notebook.place_of(name, 1)
    _, lent[place.key] = _reference(place, "borrow from")
    place.names[name] = lent[place.key]
    update(place, borrowed=True)
    notebook.show(told((f"`{name}` is borrowed now, so what needs it works. It is worth no points.",), BORROWED))


def is_borrowed(place: Place) -> bool:
    """Tell whether what the name means here is what was borrowed."""
    return place.key in lent and place.names.get(place.name) is lent[place.key]


def solution(name: str, sure: bool = False) -> Shown:
    """Show the reference answer to the exercise `name` beside the learner's own.

    After a pass; or after three failed checks, and then it must be said twice: `solution("flip", sure=True)`.
    """
    place = notebook.place_of(name, 1)
    reference, _ = _reference(place, "look at")
    entry = entry_of(place)
    state = Here(place.folder, place.names).written(place.unit).state(name, entry)
    if state == GOOD or (sure and entry.fails >= ENOUGH_FAILS):
        return beside(place.source or "", reference)
    if entry.fails >= ENOUGH_FAILS:
        return told((f"Your `{name}` is not right yet. To see one that is: `solution({name!r}, sure=True)`.",))
    return told((f"First solve `{name}`, or try: after {ENOUGH_FAILS} checks (so far {entry.fails}) you may look.",))


def _reference(place: Place, act: str) -> tuple[str, Any]:
    """Give a reference's source and the thing itself; NotRight, kindly, where there is none to be had."""
    if notebook.stage() or not notebook.is_allowed("borrowing", place.folder):
        help = f'; hint("{place.name}") may help' if notebook.is_allowed("hints", place.folder) else ""
        raise NotRight(f"there are no answers to {act} in this course{help}")
    having = notebook.references()
    if having is None:
        raise NotRight(f"there are no answers to {act} here: they come with the autograder (pip install foldem)")
    return having.reference(place.unit, place.name)
