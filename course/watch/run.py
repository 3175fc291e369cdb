"""A recorded run as a frozen value: a tree of calls, all events in order, and all facts known at each event."""

from __future__ import annotations

import ast
from enum import StrEnum
from functools import cached_property
from itertools import takewhile
from types import CodeType
from typing import Any, NamedTuple

from course.functional import Recur
from course.show.bits import code_of
from course.syntax import expression_of
from course.values import value
from course.watch.hooked import SPOTS, assigned_names, positioned_node, statement_of


class EventKind(StrEnum):
    """The kinds of events: calls, printed text, values, conditions, cases, items of loops, and assignments."""

    CALL, GIVES, RAISES, PRINTED = "call", "gives", "raises", "printed"
    VALUE, TEST, CASE, NO_CASE = "value", "test", "case", "no case"
    ITEM, ELEMENT, BOUND = "item", "element", "bound"


class CallOwner(StrEnum):
    """The owner of the called function: the learner, or the course.

    The first call of a run, which represents the run itself, has the owner RUN.
    """

    OWN, GIVEN, RUN = "own", "given", "whole"


class RunState(StrEnum):
    """The state in which a run ended."""

    GAVE, RAISED, STOPPED = "gave", "raised", "stopped"


class RunEvent(NamedTuple):
    """One event of a run: its kind, the number of its call, its spot (an index in SPOTS), and its value.

    The event's value is a value that the learner's code computed, a tuple of the values assigned to names, an
    exception, or a text.
    """

    kind: EventKind
    call: int
    spot: int
    value: Any = None


@value
class RecordedCall:
    """A recorded call: its function and arguments, the position of the call in the code, and its first and last event.

    If the call did not return, `end` is -1. The first call of a run represents the run itself.
    """

    number: int
    parent: int
    kind: CallOwner
    name: str
    args: tuple[tuple[str, object], ...]
    spot: int
    site: int
    begin: int
    end: int
    code: CodeType | None = None


@value
class RecordedRun:
    """A recorded run: its title, calls, events and outcome, and the number of steps that were not recorded."""

    title: str
    calls: tuple[RecordedCall, ...]
    events: tuple[RunEvent, ...]
    state: RunState
    value: object
    error: BaseException | None
    left_out: int

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """Return the numbers of the events at which a reader can stop.

        Plain values and the start of the run are left out.
        """
        return tuple(n for n, event in enumerate(self.events) if event.kind is not EventKind.VALUE and n > 0)

    @cached_property
    def calls_by_caller(self) -> dict[int, tuple[int, ...]]:
        """Return a dict that maps each call's number to the numbers of the calls that it made, in order."""
        results: dict[int, list[int]] = {call.number: [] for call in self.calls}
        for call in self.calls[1:]:
            results[call.parent].append(call.number)
        return {number: tuple(made) for number, made in results.items()}

    @cached_property
    def events_by_call(self) -> dict[int, tuple[int, ...]]:
        """Return a dict that maps each call's number to the numbers of its events, in order."""
        results: dict[int, list[int]] = {call.number: [] for call in self.calls}
        for number, event in enumerate(self.events):
            results[event.call].append(number)
        return {call: tuple(numbers) for call, numbers in results.items()}

    @cached_property
    def top_call(self) -> int:
        """Return the number of the call to show first: 1 if the run is a single call, or 0 for the run itself."""
        if len(self.calls_by_caller[0]) != 1:
            return 0
        only, code = self.calls[1], self.calls[0].code
        match expression_of(self.title):
            case ast.Call(func=ast.Name(id=name)) if name == only.name:
                return 1
        return 1 if code is not None and only.code is code else 0

    def call_path(self, call: int) -> tuple[int, ...]:
        """Return the numbers of the calls that contain a call, from the outermost to the call itself."""
        results = [call]
        while results[-1] > self.top_call:
            results.append(self.calls[results[-1]].parent)
        return tuple(reversed(results))

    def end_event(self, call: int) -> RunEvent | None:
        """Return the event that ended a call, or None if the call did not end."""
        end = self.calls[call].end
        return self.events[end] if end >= 0 else None


# ---------------------------------------------------------------------------------------------------- moments


@value
class RunMoment:
    """A moment in a run: the run, and the number of one of its events."""

    run: RecordedRun
    number: int

    @property
    def event(self) -> RunEvent:
        """Return the event of this moment."""
        return self.run.events[self.number]

    @property
    def call(self) -> RecordedCall:
        """Return the call that the event belongs to."""
        return self.run.calls[self.event.call]

    @property
    def node(self) -> ast.AST | None:
        """Return the syntax node of the event, or None if it is unknown."""
        return SPOTS[self.event.spot].node if self.event.spot >= 0 else None

    @cached_property
    def events_so_far(self) -> tuple[int, ...]:
        """Return the numbers of the call's events up to this event, the latest first."""
        here = self.run.events_by_call[self.event.call]
        return tuple(number for number in reversed(here) if number <= self.number)

    @cached_property
    def name_values(self) -> dict[str, object]:
        """Return the current value of each name in the call, in the order in which the names got their first values."""
        results = dict(self.call.args)
        for number in reversed(self.events_so_far):
            event = self.run.events[number]
            if names := names_bound(event):
                results |= zip(names, event.value, strict=False)
        return results

    @cached_property
    def changed_names(self) -> frozenset[str]:
        """Return the names whose values this step has changed.

        A tail call that repeats a function counts as an assignment to the function's parameters.
        """
        names, before = names_bound(self.event), self.values_before_step
        if self.event.kind is EventKind.CALL and self.previous_round:
            names = tuple(self.name_values)
        results = set()
        for name in names:
            new, old = self.name_values.get(name), before.get(name)
            if name not in before or (new is not old and code_of(new, 1_000) != code_of(old, 1_000)):
                results.add(name)
        return frozenset(results)

    @cached_property
    def values_before_step(self) -> dict[str, object]:
        """Return the values of the names before this step.

        At the start of a call, the values are the arguments of the call that `previous_round` returns.
        """
        if self.event.kind is EventKind.CALL:
            earlier = self.previous_round
            return dict(earlier.args) if earlier else {}
        return RunMoment(self.run, self.events_so_far[1]).name_values if len(self.events_so_far) > 1 else {}

    @property
    def previous_round(self) -> RecordedCall | None:
        """Return the previous call of the same function if it came just before this call, or made this call; else None.

        The call just before this call is returned only if it ended with `recur`, which requested this call.
        """
        if self.call.number == 0:
            return None
        made = self.run.calls_by_caller[self.call.parent]
        for number in made[: made.index(self.call.number)][-1:]:
            end = self.run.end_event(number)
            if self.run.calls[number].spot == self.call.spot and end and isinstance(end.value, Recur):
                return self.run.calls[number]
        parent = self.run.calls[self.call.parent]
        return parent if parent.spot == self.call.spot else None

    @cached_property
    def part_values(self) -> dict[int, object]:
        """Return the values already computed for parts of the current statement.

        The keys are the indexes of the parts in SPOTS.
        """
        if self.node is None:
            return {}
        statement, results = statement_at(self.event.spot), dict[int, object]()
        for number in takewhile(lambda each: statement_at(self.run.events[each].spot) is statement, self.events_so_far):
            event = self.run.events[number]
            if event.kind in (EventKind.VALUE, EventKind.TEST):
                results.setdefault(event.spot, event.value)
        return dict(reversed(results.items()))


def names_bound(event: RunEvent) -> tuple[str, ...]:
    """Return the names to which an event assigns values. Loop variables of comprehensions are left out."""
    if event.kind not in (EventKind.BOUND, EventKind.CASE, EventKind.ITEM):
        return ()
    node = SPOTS[event.spot].node
    return () if isinstance(node, ast.comprehension) else assigned_names(node)


def statement_at(spot: int) -> ast.AST | None:
    """Return the statement that contains a spot, or None if the spot is unknown (-1)."""
    return statement_of(SPOTS[spot].node) if spot >= 0 else None


def code_at_spot(spot: int) -> str:
    """Return the code at a spot as one line, or "" if the spot is unknown."""
    if spot < 0:
        return ""
    lines, node = SPOTS[spot].lines, SPOTS[spot].node
    match node:
        case ast.comprehension(target=target, iter=things) | ast.For(target=target, iter=things):
            return f"for {source_segment(lines, target)} in {source_segment(lines, things)}"
    return source_segment(lines, node)


def source_segment(lines: tuple[str, ...], node: ast.AST) -> str:
    """Return the source code of a syntax node as one line."""
    node = positioned_node(node)
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    part = [line.encode() for line in lines[first : last + 1]]
    part[-1] = part[-1][: node.end_col_offset]
    part[0] = part[0][node.col_offset :]
    return " ".join(line.decode(errors="replace").strip() for line in part)
