"""Search for a value in a run: which calls have it, and in which call it gets lost."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from enum import StrEnum

from course.show.bits import code_of
from course.syntax import UNPARSED
from course.values import value
from course.watch.run import Kind, RecordedCall, RecordedRun

LONGEST_RESULTS = 4_000


class Trace(StrEnum):
    """The way in which a call handles the value of a search, as its row shows it."""

    HAS, GIVES, LOSES = "has it", "returns it", "loses it"


@value
class Findings:
    """The result of a search: the steps that have the value, a mark for each call that has it, and a sentence.

    `lost` is the number of the call in which the value gets lost, or -1.
    """

    text: str = ""
    steps: tuple[int, ...] = ()
    marks: tuple[tuple[int, Trace], ...] = ()
    sentence: str = ""
    lost: int = -1


def find(run: RecordedRun, text: str) -> Findings:
    """Return where a value, written as code, occurs in a run."""
    wanted = as_written(text)
    if not wanted:
        return Findings()
    has = _holder(wanted)
    marks: dict[int, Trace] = {}
    for call in run.calls[run.top :]:
        if mark := _mark(run, call, has, marks.get(call.parent)):
            marks[call.number] = mark
    steps = tuple(n for n in run.steps if has(run.events[n].value) or _is_marked_call(run, n, marks))
    lost = _losing(run, marks)
    return Findings(text, steps, tuple(marks.items()), _search_text(run, wanted, marks, len(steps), lost), lost)


def as_written(text: str) -> str:
    """Return code in the notation of `ast.unparse`, so that it can be compared with values.

    >>> as_written("Domino( 3,3 )")
    'Domino(3, 3)'
    """
    try:
        return ast.unparse(ast.parse(text.strip(), mode="eval"))
    except UNPARSED:
        return text.strip()


def _holder(wanted: str) -> Callable[[object], bool]:
    """Return a function that checks whether a value contains the wanted one. The function caches its results."""
    pattern = re.compile("|".join(rf"(?<![\w.-]){re.escape(each)}(?![\w.-])" for each in _ways_to_say(wanted)))
    known: dict[int, bool] = {}

    def has(thing: object) -> bool:
        if id(thing) not in known:
            known[id(thing)] = bool(pattern.search(code_of(thing, LONGEST_RESULTS)))
        return known[id(thing)]

    return has


def _ways_to_say(wanted: str) -> tuple[str, ...]:
    """Return the ways to write a value: a tile can also be turned round, or be part of a chain's text."""
    tile = re.fullmatch(r"Domino\((\d+), (\d+)\)", wanted)
    if tile is None:
        return (wanted,)
    a, b = tile.groups()
    return f"Domino({a}, {b})", f"Domino({b}, {a})", f"{a}-{b}", f"{b}-{a}"


def _mark(run: RecordedRun, call: RecordedCall, has: Callable[[object], bool], around: Trace | None) -> Trace | None:
    """Return a call's mark, or None. A value is not lost if the call around this one returns it."""
    end = run.result(call.number)
    if end and has(end.value):
        return Trace.GIVES
    if not any(has(each) for _, each in call.args):
        return None
    return Trace.LOSES if end and around in (None, Trace.LOSES) else Trace.HAS


def _is_marked_call(run: RecordedRun, number: int, marks: dict[int, Trace]) -> bool:
    event = run.events[number]
    return event.kind is Kind.CALL and event.call in marks and number == run.calls[event.call].begin


def _losing(run: RecordedRun, marks: dict[int, Trace]) -> int:
    """Return the first call that receives the value but neither returns it nor passes it to another call; or -1."""
    losing = (call for call, mark in marks.items() if mark is Trace.LOSES)
    return next((call for call in losing if not any(each in marks for each in run.children[call])), -1)


def _search_text(run: RecordedRun, wanted: str, marks: dict[int, Trace], count: int, lost: int) -> str:
    if not count:
        return f"{wanted} does not appear in this run"
    text = f"{wanted} appears at {count:,} step{'s' * (count > 1)}, in {len(marks):,} call{'s' * (len(marks) > 1)}"
    return f"{text}; {run.calls[lost].name} receives it, but does not return it" if lost >= 0 else text
