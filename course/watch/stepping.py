"""Steps through a run: to the next line of the function at work, over all calls that it makes, and back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from course.functional import Recur
from course.watch.hooked import SPOTS, statement_of
from course.watch.listing import is_of_round
from course.watch.run import Event, Kind, RecordedRun

ENDS = (Kind.GIVES, Kind.RAISES, Kind.CLOSES)


def line_after(run: RecordedRun, number: int) -> int:
    """Return the event at which the next line has done its work, in the same call or in the one that it returns to."""
    event = run.events[number]
    if event.kind not in ENDS:
        return _next_line(run, event.call, number, _statement(run, number))
    if isinstance(event.value, Recur):
        return next((n for n in run.steps if n > number), number)
    return _next_line(run, max(run.calls[event.call].parent, 0), number, None)


def _next_line(run: RecordedRun, call: int, number: int, here: Any) -> int:
    """Return the last event of a call's next statement; of a call that is over, the last event of all."""
    ahead = [n for n in run.events_of[call] if n > number and _is_of_a_line(run.events[n])]
    others = [n for n in ahead if _statement(run, n) is not here or run.events[n].kind in ENDS]
    if not others:
        return run.steps[-1]
    first = _statement(run, others[0])
    return [*takewhile(lambda n: _statement(run, n) is first, ahead[ahead.index(others[0]) :])][-1]


def _is_of_a_line(event: Event) -> bool:
    """Return whether an event is one of a line, and not of a round of a comprehension in it."""
    return event.kind is not Kind.VALUE and not is_of_round(event)


def _statement(run: RecordedRun, number: int) -> Any:
    """Return the statement that an event is about; the beginning of a call is about none."""
    event = run.events[number]
    return statement_of(SPOTS[event.spot].node) if event.spot >= 0 and event.kind is not Kind.CALL else None


def line_before(run: RecordedRun, number: int) -> int:
    """Return the event before this one on the way through the lines of its call; at its beginning, the step before."""
    *_, before = (run.steps[0], *(n for n in run.steps if n < number))
    return ([*_lines_up_to(run, number)] or [before])[-1]


def _lines_up_to(run: RecordedRun, number: int) -> Iterator[int]:
    begin = run.calls[run.events[number].call].begin
    at = max(begin, run.steps[0])
    while at < number:
        yield at
        at = line_after(run, at)
