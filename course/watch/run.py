"""A run as a frozen value: its calls as a tree, and all that happened in them, in order."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from course.syntax import expression_of
from course.values import value
from course.watch.hooked import SPOTS, HookedSpot


class Kind(StrEnum):
    """What an event tells: how a call begins and ends, what is decided and bound, and what goes in and out."""

    CALL, GIVES, RAISES, CLOSES = "call", "gives", "raises", "closes"
    VALUE, TEST, CASE, NO_CASE = "value", "test", "case", "no case"
    ITEM, ELEMENT, TURN, BOUND, CAUGHT, YIELDS = "item", "element", "turn", "bound", "caught", "yields"
    PRINTED, TYPED = "printed", "typed"


class Whose(StrEnum):
    """Whose a call is: the learner's own, a given function's, or the whole of what was asked for."""

    OWN, GIVEN, WHOLE = "own", "given", "whole"


class State(StrEnum):
    """How a run ended."""

    GAVE, RAISED, STOPPED, INTERRUPTED = "gave", "raised", "stopped", "interrupted"


class Event(NamedTuple):
    """One thing that happened: its kind, in which call, at which spot, and the value that it is about."""

    kind: Kind
    call: int
    spot: int
    value: Any = None


@value
class RecordedCall:
    """A call: what of, with which arguments, from which call and spot of it, and between which events it went on.

    `end` is -1 if it never came back. The first call of a run is the whole: what the learner asked for.
    """

    number: int
    parent: int
    kind: Whose
    name: str
    args: tuple[tuple[str, Any], ...]
    spot: int
    site: int
    begin: int
    end: int
    code: Any = None


@value
class RecordedRun:
    """A recorded run: its title, calls and events; what came of it, what it printed, and how much was left out."""

    title: str
    calls: tuple[RecordedCall, ...]
    events: tuple[Event, ...]
    state: State
    value: Any
    error: BaseException | None
    printed: str
    left_out: int

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """Return the events that one can walk to: all but bare values, and the whole's own beginning."""
        return tuple(n for n, event in enumerate(self.events) if event.kind is not Kind.VALUE and n > 0)

    @cached_property
    def children(self) -> dict[int, tuple[int, ...]]:
        """Return the calls that each call made, in order."""
        found: dict[int, list[int]] = {call.number: [] for call in self.calls}
        for call in self.calls[1:]:
            found[call.parent].append(call.number)
        return {number: tuple(made) for number, made in found.items()}

    @cached_property
    def events_of(self) -> dict[int, tuple[int, ...]]:
        """Return for each call the events in it, by number, in order."""
        found: dict[int, list[int]] = {call.number: [] for call in self.calls}
        for number, event in enumerate(self.events):
            found[event.call].append(number)
        return {call: tuple(numbers) for call, numbers in found.items()}

    @cached_property
    def top(self) -> int:
        """Return the number of the call that the picture begins with: the whole, or its only call where that is all."""
        return 1 if self.whole_is_a_call else 0

    @property
    def whole_is_a_call(self) -> bool:
        """Return whether the whole is nothing but one call of a function of the learner's."""
        made = self.children[0]
        is_same_code = len(made) == 1 and self.calls[1].code is not None and self.calls[1].code is self.calls[0].code
        return is_same_code or (len(made) == 1 and called_in(self.title) == self.calls[1].name)

    def path(self, call: int) -> tuple[int, ...]:
        """Return the calls that a call stands in, from the top down to itself."""
        found = [call]
        while found[-1] > self.top:
            found.append(self.calls[found[-1]].parent)
        return tuple(reversed(found))

    def result(self, call: int) -> Event | None:
        """Return the event by which a call came back, None if it never did."""
        end = self.calls[call].end
        return self.events[end] if end >= 0 else None


def called_in(code: str) -> str:
    """Return the name of the function that an expression calls last, "" if it is no call.

    >>> called_in("flip(Domino(1, 2))"), called_in("flip(tile).left")
    ('flip', '')
    """
    match expression_of(code):
        case ast.Call(func=ast.Name(id=name)):
            return name
    return ""


def spot(number: int) -> HookedSpot | None:
    """Return a spot by its number, None for what stands nowhere."""
    return SPOTS[number] if number >= 0 else None


def walk(run: RecordedRun, call: int) -> Iterator[int]:
    """Yield a call and all that were made in it, in order."""
    todo = [call]
    while todo:
        yield (number := todo.pop())
        todo += reversed(run.children[number])
