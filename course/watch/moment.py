"""A moment of a run: an event, its call, and the values that are known at that point."""

from __future__ import annotations

import ast
from functools import cached_property
from itertools import takewhile

from course.functional import Recur
from course.show.bits import code_of
from course.values import value
from course.watch.hooked import SPOTS, Positioned, bindings, positioned_node, statement_of
from course.watch.run import Event, Kind, RecordedCall, RecordedRun

UNBOUND = object()  # stands for the value of a name that was not bound
BINDING = (Kind.BOUND, Kind.CASE, Kind.ITEM)


@value
class RunMoment:
    """A run and the number of one of its events."""

    run: RecordedRun
    number: int

    @property
    def event(self) -> Event:
        """Return the event."""
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
    def before(self) -> tuple[int, ...]:
        """Return the numbers of the call's events up to this event, latest first."""
        here = self.run.events_of[self.event.call]
        return tuple(number for number in reversed(here) if number <= self.number)

    @cached_property
    def names(self) -> dict[str, object]:
        """Return the current value of each name in the call, in the order in which the names were bound."""
        results = dict(self.call.args)
        for number in reversed(self.before):
            event = self.run.events[number]
            if event.kind in BINDING and not is_in_brackets(event):
                results |= zip(bindings(SPOTS[event.spot].node), event.value, strict=False)
        return results

    @cached_property
    def changed(self) -> frozenset[str]:
        """Return the names whose values this step has changed."""
        before = self.meant_before
        return frozenset(
            name for name in self._bound if not _are_alike(self.names.get(name), before.get(name, UNBOUND))
        )

    @property
    def _bound(self) -> tuple[str, ...]:
        """Return the names that this event binds. A repeated call binds its parameters."""
        if self.event.kind is Kind.CALL:
            return tuple(self.names) if self.round_before else ()
        is_binding = self.event.kind in BINDING and not is_in_brackets(self.event)
        return bindings(self.node) if is_binding and self.node else ()

    @cached_property
    def meant_before(self) -> dict[str, object]:
        """Return the values of the names before this step.

        At the start of a call, these are the arguments of the call that `round_before` returns.
        """
        if self.event.kind is Kind.CALL:
            earlier = self.round_before
            return dict(earlier.args) if earlier else {}
        return RunMoment(self.run, self.before[1]).names if len(self.before) > 1 else {}

    @property
    def round_before(self) -> RecordedCall | None:
        """Return the call of the same function just before this call, or else around it; None if there is none."""
        if self.call.number == 0:
            return None
        made = self.run.children[self.call.parent]
        earlier = (*made[: made.index(self.call.number)][-1:], self.call.parent)
        candidates = [self.run.calls[number] for number in earlier]
        return next((each for each in candidates if each.spot == self.call.spot and self._leads_here(each)), None)

    def _leads_here(self, call: RecordedCall) -> bool:
        """Return whether a call makes this call, or requested it as its next tail call."""
        end = self.run.result(call.number)
        return call.number == self.call.parent or (end is not None and isinstance(end.value, Recur))

    @cached_property
    def values(self) -> dict[int, object]:
        """Return the values of the current statement's parts so far, by position."""
        if self.node is None:
            return {}
        statement, results = _statement(self.event.spot), dict[int, object]()
        for number in takewhile(lambda each: _statement(self.run.events[each].spot) is statement, self.before):
            event = self.run.events[number]
            if event.kind in (Kind.VALUE, Kind.TEST):
                results.setdefault(event.spot, event.value)
        return dict(reversed(results.items()))


def _statement(spot: int) -> object:
    return statement_of(SPOTS[spot].node) if spot >= 0 else None


def _are_alike(one: object, other: object) -> bool:
    return one is other or code_of(one, 1_000) == code_of(other, 1_000)


def is_in_brackets(event: Event) -> bool:
    """Return whether an event belongs to one item of a comprehension."""
    return event.kind is Kind.ITEM and isinstance(SPOTS[event.spot].node, ast.comprehension)


def quoted(spot: int) -> str:
    """Return the code at a spot in one line, or "" if it is unknown."""
    if spot < 0:
        return ""
    lines, node = SPOTS[spot].lines, SPOTS[spot].node
    match node:
        case ast.comprehension(target=target, iter=things):
            return f"for {segment(lines, target)} in {segment(lines, things)}"
        case ast.For(target=target, iter=things):
            return f"for {segment(lines, target)} in {segment(lines, things)}"
    return segment(lines, positioned_node(node))


def segment(lines: tuple[str, ...], node: Positioned) -> str:
    """Return the source of a node in one line."""
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    part = [line.encode() for line in lines[first : last + 1]]
    part[-1] = part[-1][: node.end_col_offset]
    part[0] = part[0][node.col_offset :]
    return " ".join(line.decode(errors="replace").strip() for line in part)
