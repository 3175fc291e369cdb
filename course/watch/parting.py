"""Compare two runs, and find the first event in which they differ."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest

from course.show.bits import bits_text, code_of
from course.values import value
from course.watch.moment import COMPARED_ROOM, RunMoment, quoted
from course.watch.run import Kind, RecordedRun
from course.watch.sentences import sentence


@value
class Parting:
    """The first difference between two runs: the number of its event in each run, and a description.

    The number is -1 in a run that is over by then.
    """

    here: int
    there: int
    sentence: str


def parting(run: RecordedRun, other: RecordedRun) -> Parting | None:
    """Return the first difference between two runs, or None if they are the same.

    Decisions are compared first. If all decisions are the same, values are compared.
    """
    return _first(run, other, _decision) or _first(run, other, _decision_with_values)


def _first(run: RecordedRun, other: RecordedRun, of: Callable[[RecordedRun, int], object]) -> Parting | None:
    for here, there in zip_longest(run.steps, other.steps, fillvalue=-1):
        if min(here, there) < 0 or of(run, here) != of(other, there):
            return Parting(
                here, there, f"in this run: {_event_text(run, here)}; in the run before: {_event_text(other, there)}"
            )
    return None


def _decision(run: RecordedRun, number: int) -> tuple[object, ...]:
    """Return the decision at an event. A decision is identified by its code, because line numbers may have changed."""
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


def _decision_with_values(run: RecordedRun, number: int) -> tuple[object, ...]:
    event = run.events[number]
    call = run.calls[event.call]
    args = tuple(code_of(each, COMPARED_ROOM) for _, each in call.args) if event.kind is Kind.CALL else ()
    return *_decision(run, number), args, code_of(event.value, COMPARED_ROOM)


def _event_text(run: RecordedRun, number: int) -> str:
    return bits_text(sentence(RunMoment(run, number))) if number >= 0 else "the run is over"
