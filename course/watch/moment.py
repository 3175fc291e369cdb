"""A moment of a run: an event, the call that it happened in, and what is known there."""

from __future__ import annotations

import ast
from functools import cached_property
from itertools import takewhile
from typing import Any

from course.functional import Recur
from course.show.bits import code_of
from course.values import value
from course.watch.hooked import SPOTS, bindings, located, statement_of
from course.watch.run import Event, Kind, RecordedCall, RecordedRun

UNBOUND = object()  # what a name meant that meant nothing
BINDING = (Kind.BOUND, Kind.CASE, Kind.ITEM)
COMPARED_ROOM = 1_000


@value
class RunMoment:
    """A run, and the number of the event of it that is looked at."""

    run: RecordedRun
    number: int

    @property
    def event(self) -> Event:
        """Return the event itself."""
        return self.run.events[self.number]

    @property
    def call(self) -> RecordedCall:
        """Return the call that it happened in."""
        return self.run.calls[self.event.call]

    @property
    def node(self) -> Any:
        """Return the node of the source that it is about, None if that is unknown."""
        return SPOTS[self.event.spot].node if self.event.spot >= 0 else None

    @cached_property
    def before(self) -> tuple[int, ...]:
        """Return the events of the same call up to this one, the latest first."""
        here = self.run.events_of[self.event.call]
        return tuple(number for number in reversed(here) if number <= self.number)

    @cached_property
    def names(self) -> dict[str, Any]:
        """Return what each name of the call means now, in the order in which the names came up."""
        found = dict(self.call.args)
        for number in reversed(self.before):
            event = self.run.events[number]
            if event.kind in BINDING and not is_in_brackets(event):
                found |= zip(bindings(SPOTS[event.spot].node), event.value, strict=False)
        return found

    @cached_property
    def changed(self) -> frozenset[str]:
        """Return the names that this step has given another meaning."""
        before = self.meant_before
        return frozenset(
            name for name in self._bound if not _are_alike(self.names.get(name), before.get(name, UNBOUND))
        )

    @property
    def _bound(self) -> tuple[str, ...]:
        """Return the names that are bound at this event: where a further round begins, its arguments."""
        if self.event.kind is Kind.CALL:
            return tuple(self.names) if self._round_before else ()
        is_binding = self.event.kind in BINDING and not is_in_brackets(self.event)
        return bindings(self.node) if is_binding else ()

    @cached_property
    def meant_before(self) -> dict[str, Any]:
        """Return what names meant before this step: in the round or the call before, where a call begins."""
        if self.event.kind is Kind.CALL:
            earlier = self._round_before
            return dict(earlier.args) if earlier else {}
        return RunMoment(self.run, self.before[1]).names if len(self.before) > 1 else {}

    @property
    def _round_before(self) -> RecordedCall | None:
        """Return the call of the same function that this one follows or is made in, None if there is none."""
        if self.call.number == 0:
            return None
        made = self.run.children[self.call.parent]
        earlier = (*made[: made.index(self.call.number)][-1:], self.call.parent)
        candidates = [self.run.calls[number] for number in earlier]
        return next((each for each in candidates if each.spot == self.call.spot and self._leads_here(each)), None)

    def _leads_here(self, call: RecordedCall) -> bool:
        """Return whether a call goes on with this one: it calls it, or it has ordered it as its next round."""
        end = self.run.result(call.number)
        return call.number == self.call.parent or (end is not None and isinstance(end.value, Recur))

    @cached_property
    def values(self) -> dict[int, Any]:
        """Return the values that parts of the statement under way have come to, by spot."""
        if self.node is None:
            return {}
        statement, found = _statement(self.event.spot), dict[int, Any]()
        for number in takewhile(lambda each: _statement(self.run.events[each].spot) is statement, self.before):
            event = self.run.events[number]
            if event.kind in (Kind.VALUE, Kind.TEST):
                found.setdefault(event.spot, event.value)
        return dict(reversed(found.items()))


def _statement(spot: int) -> Any:
    return statement_of(SPOTS[spot].node) if spot >= 0 else None


def _are_alike(one: Any, other: Any) -> bool:
    return one is other or code_of(one, COMPARED_ROOM) == code_of(other, COMPARED_ROOM)


def is_in_brackets(event: Event) -> bool:
    """Return whether an event is about an item that a comprehension goes through."""
    return event.kind is Kind.ITEM and isinstance(SPOTS[event.spot].node, ast.comprehension)


def quoted(spot: int) -> str:
    """Return the code at a spot as one line, "" where nothing is known of it."""
    if spot < 0:
        return ""
    lines, node = SPOTS[spot].lines, SPOTS[spot].node
    match node:
        case ast.comprehension(target=target, iter=things):
            return f"for {segment(lines, target)} in {segment(lines, things)}"
        case ast.For(target=target, iter=things):
            return f"for {segment(lines, target)} in {segment(lines, things)}"
    return segment(lines, located(node))


def segment(lines: tuple[str, ...], node: Any) -> str:
    """Return the code of a node as one line."""
    first, last = node.lineno - 1, node.end_lineno - 1
    part = [line.encode() for line in lines[first : last + 1]]
    part[-1] = part[-1][: node.end_col_offset]
    part[0] = part[0][node.col_offset :]
    return " ".join(line.decode(errors="replace").strip() for line in part)
