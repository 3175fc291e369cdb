"""Where two runs part: the first thing that was decided otherwise."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from course.show.bits import code_of, text_of
from course.values import value
from course.watch.moment import COMPARED_ROOM, RunMoment, quoted
from course.watch.run import Kind, RecordedRun
from course.watch.said import sentence


@value
class Parting:
    """Where two runs part: the number of the event in each, -1 where one is over, and what happens there."""

    here: int
    there: int
    told: str


def parting(run: RecordedRun, other: RecordedRun) -> Parting | None:
    """Return where a run parts from another one; None if all is alike.

    First by what is decided, and if that is all alike by the first value that differs.
    """
    return _first(run, other, _decision) or _first(run, other, _whole)


def _first(run: RecordedRun, other: RecordedRun, of: Any) -> Parting | None:
    for here, there in zip_longest(run.steps, other.steps, fillvalue=-1):
        if min(here, there) < 0 or of(run, here) != of(other, there):
            return Parting(here, there, f"in this run: {_said(run, here)}; in the run before: {_said(other, there)}")
    return None


def _decision(run: RecordedRun, number: int) -> Any:
    """Return what is decided at an event: by the code, since the code's place may have changed."""
    event = run.events[number]
    name = run.calls[event.call].name
    match event.kind:
        case Kind.TEST:
            return event.kind, name, quoted(event.spot), code_of(event.value, 40) in FALSE
        case Kind.BOUND | Kind.CALL:
            return event.kind, name
        case Kind.GIVES | Kind.RAISES | Kind.CLOSES:
            return event.kind, name, type(event.value).__name__ * (event.kind is Kind.RAISES)
    return event.kind, name, quoted(event.spot)


FALSE = ("False", "None", "0", "()", "[]", "''", "{}")


def _whole(run: RecordedRun, number: int) -> Any:
    event = run.events[number]
    call = run.calls[event.call]
    args = tuple(code_of(each, COMPARED_ROOM) for _, each in call.args) if event.kind is Kind.CALL else ()
    return *_decision(run, number), args, code_of(event.value, COMPARED_ROOM)


def _said(run: RecordedRun, number: int) -> str:
    return text_of(sentence(RunMoment(run, number))) if number >= 0 else "the run is over"
