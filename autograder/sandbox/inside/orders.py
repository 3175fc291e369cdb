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


class RequestedRun(NamedTuple):
    """One answer to run: its definitions, and the facets to observe, as bytes from `packed_orders`."""

    setup: Setup
    orders: object


class Request(NamedTuple):
    """A request to the runner: the unit's module, and the answers to run.

    With `seconds`, answers run together: a call that takes longer ends the process, and each run sends its CPU time.
    """

    given: str
    runs: Sequence[RequestedRun]
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


def packed(request: Request | BotRequest) -> bytes:
    """Return a request as bytes."""
    return marshal.dumps(_plain(request))


def packed_orders(orders: Sequence[FacetOrder]) -> bytes:
    """Return facets as bytes. Those of an exam are packed once for all answers."""
    return marshal.dumps(_plain(orders))


def orders_in(data: object) -> Sequence[FacetOrder]:
    """Return facets from their bytes."""
    assert isinstance(data, bytes)
    return from_data(Sequence[FacetOrder], marshal.loads(data))  # type: ignore[type-abstract]


def request_in(kind: type[T], data: bytes) -> T:
    """Return a request of this kind from its bytes."""
    return from_data(kind, marshal.loads(data))


def _plain(value: Any) -> Any:
    """Return named tuples, and sequences of them, as lists. Nothing else is searched: arguments have many parts."""
    if not isinstance(value, list | tuple):
        return value
    is_searched = hasattr(value, "_fields") or (len(value) > 0 and hasattr(value[0], "_fields"))
    return [*map(_plain, value)] if is_searched else value
