"""Help for learners: `hint("flip")`, `borrow("flip")`, `solution("flip")`; a course may switch them off."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import cache

from course.exam.puzzle import Puzzle
from course.kernel import catalogue, notebook
from course.kernel.borrowed import borrow_into
from course.kernel.notebook import NotRight
from course.learner.answer import Answer, answer_to
from course.learner.inviting import is_catchable
from course.learner.progress import current_state, stored_state, update
from course.learner.puzzles import ShownPuzzle, ordered
from course.roles import UNIT_FILE
from course.show.blocks import CodeExample, Prose
from course.show.results import BORROWED, GOOD, Shown, framed_elements, prose
from course.show.side_by_side import side_by_side

FAILS_FIRST = 3
TRY = 'Or find the wrong answers: `catch("{name}")`'
FILL_HOLES = "Copy this into your cell, and replace each `____`."


@cache
def hints_of(unit: str) -> dict[str, tuple[str, ...]]:
    """Return the hints of a unit, by exercise."""
    text = catalogue.file_of(unit, f"{unit}/{UNIT_FILE}").read_text(encoding="utf-8")
    return {entry["name"]: tuple(entry.get("hints", ())) for entry in tomllib.loads(text)["exercise"]}


def hint(name: str, order: str | None = None) -> ShownPuzzle | Shown | None:
    """Show the next hint for the exercise `name`, and the hints before it. Hints in words never contain the answer.

    If there is a puzzle, it comes first, then the answer with holes. `order` has the letters of the puzzle's lines in
    your order; an empty `order` shows the puzzle again.
    """
    if notebook.stage():
        return None
    answer = answer_to(name, 1)
    puzzle = _puzzle(answer)
    if order is not None:
        if puzzle is None:
            raise NotRight(f"there is no puzzle for `{name}` here: leave out `order`")
        return ordered(answer, puzzle, order) if order else ShownPuzzle(answer, puzzle)
    texts = hints_of(answer.unit).get(name, ()) if answer.space.is_allowed("hints") else ()
    count = len(texts) + 2 * (puzzle is not None)
    if not count:
        return prose((f"There are no hints for `{name}` in this course. Try it on paper, with the first example.",))
    entries = update(answer, lambda entry: replace(entry, hints=min(entry.hints + 1, count)))
    used = entries[name].hints
    head = f"Hint {used} of {count} for `{name}`:" if used < count else f"All {count} hints for `{name}`:"
    if puzzle:
        return ShownPuzzle(answer, puzzle, head) if used == 1 else _with_holes(head, puzzle, texts[: used - 2])
    lines = (f"{number}. {text}" for number, text in enumerate(texts[:used], 1))
    return prose((head, *lines, *[TRY.format(name=name)] * is_catchable(answer)))


def _puzzle(answer: Answer) -> Puzzle | None:
    """Return the puzzle of an exercise, or None if there is none or the course does not allow it."""
    is_allowed = answer.space.is_allowed("hints") and answer.space.is_allowed("puzzles")
    return catalogue.puzzle(answer.unit, answer.name) if is_allowed else None


def _with_holes(head: str, puzzle: Puzzle, texts: tuple[str, ...]) -> Shown:
    """Return the answer with holes, then hints in words."""
    words = (Prose(text, f"{number}.") for number, text in enumerate(texts, 1))
    return framed_elements((Prose(FILL_HOLES, head), CodeExample(puzzle.holes), *words))


def borrow(name: str) -> None:
    """Bind the name of an exercise to its reference; a borrowed answer earns no points."""
    answer = answer_to(name, 1)
    _reference(answer, "borrow from")
    borrow_into(answer.names, answer.unit, name)
    update(answer, lambda entry: replace(entry, borrowed=True))
    notebook.show(prose((f"`{name}` is borrowed now, so functions that need it work. It earns no points.",), BORROWED))


def solution(name: str, sure: bool = False) -> Shown:
    """Show the reference solution to the exercise `name` next to the learner's own.

    This works once the exercise is solved, or after three failed checks with `solution("flip", sure=True)`.
    """
    answer = answer_to(name, 1)
    reference = _reference(answer, "look at")
    entry = stored_state(answer)
    has_failed_enough = entry.fails >= FAILS_FIRST
    if (sure and has_failed_enough) or current_state(answer.space, answer.unit, name, entry) == GOOD:
        own = answer.source or answer.saved or ""  # as saved if the cell was not run
        return side_by_side(own, reference)
    if has_failed_enough:
        return prose(
            (f"Your `{name}` is not right yet. To see the solution anyway, write `solution({name!r}, sure=True)`.",)
        )
    so_far = f"after {FAILS_FIRST} failed checks (so far {entry.fails})"
    return prose((f"You can see the solution once `{name}` is right, or {so_far}.",))


def _reference(answer: Answer, act: str) -> str:
    """Return a reference's source. Raises NotRight if references are not available or not allowed."""
    if notebook.stage() or not answer.space.is_allowed("borrowing"):
        help = f'; hint("{answer.name}") may help' if answer.space.is_allowed("hints") else ""
        raise NotRight(f"there are no answers to {act} in this course{help}")
    having = catalogue.references()
    if having is None:
        raise NotRight(f"there are no answers to {act} here. They come with the autograder, which is not installed")
    return str(having.reference(answer.unit, answer.name))
