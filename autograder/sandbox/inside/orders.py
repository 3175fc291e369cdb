"""Requests to a child, as types for both sides. A request contains definitions and calls, but never expected results.

Requests are sent as plain tuples with `marshal`, which can carry code. Only data from the grader is unpacked this way.
"""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from types import CodeType
from typing import Any, Literal, NamedTuple, TypeVar

from course.data import from_data
from course.exam.calls import FacetOrder

T = TypeVar("T")


class Step(NamedTuple):
    """One definition, with its name or label. A reference is compiled; a learner's code is text.

    `support` is a reference that only other references call, and `own` is an answer that only the learner's code calls.
    `unwritten` is a placeholder that raises an error when it is used.
    """

    kind: Literal["reference", "support", "helper", "answer", "own", "unwritten"]
    name: str
    source: str | CodeType

    @property
    def is_reference(self) -> bool:
        return self.kind in ("reference", "support")


class Setup(NamedTuple):
    """The definitions, in order. If `answer` is set and its cell fails to load, nothing is run.

    `exercises` are names that represent functions in values. `modules` are withheld modules that are sent with the
    request.
    """

    plan: Sequence[Step]
    answer: str | None = None
    exercises: Sequence[str] = ()
    modules: Sequence[tuple[str, CodeType]] = ()
    seconds: float | None = None


class Request(NamedTuple):
    """A request to the runner: the unit's module, the definitions, and the facets to observe."""

    given: str
    setup: Setup
    orders: Sequence[FacetOrder]
    one_by_one: bool = False


class Common(NamedTuple):
    """The part of a request that is the same for all answers to an exercise, which its setup names.

    Its setup has the references that come before an answer; those that come after it are in `later`.
    """

    given: str
    setup: Setup
    later: Sequence[Step]
    orders: Sequence[FacetOrder]


class StationRequest(NamedTuple):
    """A request to a station: what answers to these exercises share."""

    exercises: Sequence[Common]


class Rest(NamedTuple):
    """The second part of a request: the definitions that remain to be loaded, and the exercise to run."""

    plan: Sequence[Step]
    answer: str


class ChildRequest(NamedTuple):
    """A request to a station's child: one answer, or a group, in which a call longer than `seconds` ends the child."""

    answers: Sequence[Rest]
    seconds: float | None = None


class BotRequest(NamedTuple):
    """A request to run a bot: the modules of its unit and of its arena, definitions, the bot's name, and limits.

    The name is "" for the only bot of a file. `chance` is its seed.
    """

    given: str
    arena: str
    setup: Setup
    bot: str
    answer_seconds: float
    chance: int = 0


def packed(request: Request | StationRequest | ChildRequest | BotRequest) -> bytes:
    """Return a request as bytes."""
    return marshal.dumps(_plain(request))


def request_in(kind: type[T], data: bytes) -> T:
    """Return a request of this kind from its bytes."""
    return from_data(kind, marshal.loads(data))


def _plain(value: Any) -> Any:
    """Return named tuples, and sequences of them, as lists. Nothing else is searched: arguments have many parts."""
    if not isinstance(value, list | tuple):
        return value
    is_searched = hasattr(value, "_fields") or (len(value) > 0 and hasattr(value[0], "_fields"))
    return [*map(_plain, value)] if is_searched else value
