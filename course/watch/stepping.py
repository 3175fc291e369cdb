"""Steps through a run line by line, forwards and back.

The steps go into functions of the learner's cell, and over all other calls.
"""

from __future__ import annotations

import ast
from itertools import accumulate, groupby

from course.watch.hooked import SPOTS, source_root, statement_of
from course.watch.listing import is_of_round
from course.watch.run import Kind, RecordedCall, RecordedRun, Whose


def line_after(run: RecordedRun, number: int) -> int:
    """Return the event at which the next line is done. A called function of the same cell adds its own lines."""
    return next((stop for stop in _stops(run, number) if stop > number), run.steps[-1])


def line_before(run: RecordedRun, number: int) -> int:
    """Return the event at which the previous line was done, or the previous step if this is the first line."""
    *_, before = (run.steps[0], *(n for n in run.steps if n < number))
    return max((stop for stop in _stops(run, number) if stop < number), default=before)


def _stops(run: RecordedRun, number: int) -> list[int]:
    """Return the last event of each line, and of each item of a comprehension, in the calls to step through."""
    followed = _followed(run, run.events[number].call)
    steps = [n for n in run.steps if run.events[n].call in followed]
    rounds = [*accumulate(run.events[n].kind is Kind.ITEM and is_of_round(run.events[n]) for n in steps)]
    keys = [(_line(run, n), each * is_of_round(run.events[n])) for n, each in zip(steps, rounds, strict=True)]
    return [[*some][-1][0] for _, some in groupby(zip(steps, keys, strict=True), lambda pair: pair[1])]


def _followed(run: RecordedRun, here: int) -> set[int]:
    """Return the calls around a call, and all calls of functions that are defined in the same cells."""
    own = {call: SPOTS[run.calls[call].spot].node for call in run.path(here) if run.calls[call].kind is Whose.OWN}
    roots = {source_root(node) for node in own.values()}
    return {0, here, *own} | {call.number for call in run.calls if _is_def_in(roots, call)}


def _is_def_in(roots: set[ast.AST], call: RecordedCall) -> bool:
    """Return whether a call runs a function defined in one of these cells. A lambda is part of its line."""
    node = SPOTS[call.spot].node if call.kind is Whose.OWN else None
    return isinstance(node, ast.FunctionDef) and source_root(node) in roots


def _line(run: RecordedRun, number: int) -> tuple[object, ...]:
    """Return a key that events of the same line share: the call and the statement.

    The start of a call has a key that no other event has.
    """
    event = run.events[number]
    begins = event.kind is Kind.CALL
    return event.call, statement_of(SPOTS[event.spot].node) if event.spot >= 0 and not begins else None, begins
