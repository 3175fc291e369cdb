"""A recorded run as a frozen value: a tree of calls, and all events in order."""

from __future__ import annotations

import ast
from enum import StrEnum
from functools import cached_property
from types import CodeType
from typing import Any, NamedTuple

from course.syntax import expression_of
from course.values import value


class Kind(StrEnum):
    """The kinds of events: a call begins or ends, something is decided or bound, text is read or printed."""

    CALL, GIVES, RAISES, CLOSES = "call", "gives", "raises", "closes"
    VALUE, TEST, CASE, NO_CASE = "value", "test", "case", "no case"
    ITEM, ELEMENT, TURN, BOUND, CAUGHT, YIELDS = "item", "element", "turn", "bound", "caught", "yields"
    PRINTED, TYPED = "printed", "typed"


class CallOwner(StrEnum):
    """The owner of the function that a call runs: the learner, or the course. RUN is for the run itself."""

    OWN, GIVEN, RUN = "own", "given", "whole"


class State(StrEnum):
    """The state in which a run ended."""

    GAVE, RAISED, STOPPED, INTERRUPTED = "gave", "raised", "stopped", "interrupted"


class Event(NamedTuple):
    """One event of a run: its kind, its call, its spot, and its value.

    The value is what the learner's code computed, a tuple of the values that names got, an exception, or text.
    """

    kind: Kind
    call: int
    spot: int
    value: Any = None


@value
class RecordedCall:
    """A recorded call: its function and arguments, where it was made, and its first and last event.

    `end` is -1 if the call did not return. The first call of a run represents the run itself.
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
    events: tuple[Event, ...]
    state: State
    value: object
    error: BaseException | None
    left_out: int

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """Return the events that the reader can step to: all except plain values and the start of the run itself."""
        return tuple(n for n, event in enumerate(self.events) if event.kind is not Kind.VALUE and n > 0)

    @cached_property
    def children(self) -> dict[int, tuple[int, ...]]:
        """Return the numbers of the calls that each call made, in order."""
        results: dict[int, list[int]] = {call.number: [] for call in self.calls}
        for call in self.calls[1:]:
            results[call.parent].append(call.number)
        return {number: tuple(made) for number, made in results.items()}

    @cached_property
    def events_of(self) -> dict[int, tuple[int, ...]]:
        """Return the numbers of each call's events, in order."""
        results: dict[int, list[int]] = {call.number: [] for call in self.calls}
        for number, event in enumerate(self.events):
            results[event.call].append(number)
        return {call: tuple(numbers) for call, numbers in results.items()}

    @cached_property
    def top(self) -> int:
        """Return the number of the call to show first: 1 if the run is a single call, otherwise 0, the run itself."""
        return 1 if self.is_one_call else 0

    @property
    def is_one_call(self) -> bool:
        """Return whether the run is just one call of a learner's function."""
        made = self.children[0]
        is_same_code = len(made) == 1 and self.calls[1].code is not None and self.calls[1].code is self.calls[0].code
        return is_same_code or (len(made) == 1 and called_in(self.title) == self.calls[1].name)

    def path(self, call: int) -> tuple[int, ...]:
        """Return the calls around a call, from the top down to the call itself."""
        results = [call]
        while results[-1] > self.top:
            results.append(self.calls[results[-1]].parent)
        return tuple(reversed(results))

    def result(self, call: int) -> Event | None:
        """Return the event that ended a call, or None if it did not return."""
        end = self.calls[call].end
        return self.events[end] if end >= 0 else None


def called_in(code: str) -> str:
    """Return the name of the function that an expression calls, or "" for any other expression.

    >>> called_in("flip(Domino(1, 2))"), called_in("flip(tile).left")
    ('flip', '')
    """
    match expression_of(code):
        case ast.Call(func=ast.Name(id=name)):
            return name
    return ""
