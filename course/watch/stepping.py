"""Steps through a run by lines: through the functions of the learner's cell, over all other calls, and back."""

from __future__ import annotations

import ast
from itertools import groupby

from course.watch.hooked import SPOTS, source_root, statement_of
from course.watch.listing import is_of_round
from course.watch.run import Event, Kind, RecordedCall, RecordedRun, Whose


def line_after(run: RecordedRun, number: int) -> int:
    """Return the event at which the next line is done; calls of functions in the same cell are lines, too."""
    return next((stop for stop in _stops(run, number) if stop > number), run.steps[-1])


def line_before(run: RecordedRun, number: int) -> int:
    """Return the event at which the line before was done; at the first line, the previous step."""
    *_, before = (run.steps[0], *(n for n in run.steps if n < number))
    return max((stop for stop in _stops(run, number) if stop < number), default=before)


def _stops(run: RecordedRun, number: int) -> list[int]:
    """Return the last event of each line that runs in the calls to follow."""
    followed = _followed(run, run.events[number].call)
    lines = [n for n in run.steps if run.events[n].call in followed and _is_of_a_line(run.events[n])]
    return [[*some][-1] for _, some in groupby(lines, lambda n: _line(run, n))]


def _followed(run: RecordedRun, here: int) -> set[int]:
    """Return the calls around a call, and all calls of functions whose cells these are in."""
    own = {call: SPOTS[run.calls[call].spot].node for call in run.path(here) if run.calls[call].kind is Whose.OWN}
    roots = {source_root(node) for node in own.values()}
    return {0, here, *own} | {call.number for call in run.calls if _is_def_in(roots, call)}


def _is_def_in(roots: set[ast.AST], call: RecordedCall) -> bool:
    """Return whether a call is of a function that was defined in one of some cells. A lambda is part of its line."""
    node = SPOTS[call.spot].node if call.kind is Whose.OWN else None
    return isinstance(node, ast.FunctionDef) and source_root(node) in roots


def _is_of_a_line(event: Event) -> bool:
    """Return whether an event belongs to a line itself, not to one item of a comprehension in it."""
    return event.kind is not Kind.VALUE and not is_of_round(event)


def _line(run: RecordedRun, number: int) -> tuple[object, ...]:
    """Return what tells the events of one line from those of the next: call and statement; a call's start is alone."""
    event = run.events[number]
    begins = event.kind is Kind.CALL
    return event.call, statement_of(SPOTS[event.spot].node) if event.spot >= 0 and not begins else None, begins
