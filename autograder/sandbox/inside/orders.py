"""Requests to a child, as types for both sides. A request contains definitions and calls, but never expected results.

Requests are sent as plain tuples with `marshal`, which can contain code. Only data from the grader is unpacked with
`marshal`.
"""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from types import CodeType
from typing import Any, Literal, NamedTuple, TypeVar

from course.data import from_data
from course.exam.calls import FacetRequest

T = TypeVar("T")


class LoadStep(NamedTuple):
    """One definition to run, with its name or label. A reference is compiled code; a learner's code is text.

    The kind `support` means a reference that only other references call. The kind `own` means an answer that only the
    learner's code calls. The kind `unwritten` means a placeholder that raises an error when it is used.
    """

    kind: Literal["reference", "support", "helper", "answer", "own", "unwritten"]
    name: str
    source: str | CodeType

    @property
    def is_reference(self) -> bool:
        return self.kind in ("reference", "support")


class Setup(NamedTuple):
    """The definitions to run, in order, before the calls. If the cell of `answer` fails to load, no calls are made.

    `exercises` are the names of exercises. In encoded values, such a name represents the function of the exercise.
    `modules` contain answers, so they are not in the sandbox, but are sent with the request. `seconds` is the time
    limit for each call.
    """

    plan: Sequence[LoadStep]
    answer: str | None = None
    exercises: Sequence[str] = ()
    modules: Sequence[tuple[str, CodeType]] = ()
    seconds: float | None = None


class RequestedRun(NamedTuple):
    """One answer to run: its definitions, and the facets to observe (as bytes, from `packed_orders`)."""

    setup: Setup
    orders: object


class Request(NamedTuple):
    """A request to the runner: the name of the unit's module, and the answers to run.

    If `seconds` is given, several answers run in one process. A call that takes longer than `seconds` ends the process.
    After each answer, the CPU time of its run is sent.
    """

    given: str
    runs: Sequence[RequestedRun]
    seconds: float | None = None


class BotRequest(NamedTuple):
    """A request to run a bot: the modules of its unit and of its arena, the definitions, the bot's name, and limits.

    The name `bot` is "" if the request is for the only bot of a file. `chance` is the seed for the bot's random
    numbers.
    """

    given: str
    arena: str
    setup: Setup
    bot: str
    answer_seconds: float
    chance: int = 0


def packed_request(request: Request | BotRequest) -> bytes:
    """Return a request as bytes."""
    return marshal.dumps(_as_lists(request))


def packed_orders(orders: Sequence[FacetRequest]) -> bytes:
    """Return facets as bytes. The facets of an exam are packed once, for all answers."""
    return marshal.dumps(_as_lists(orders))


def unpacked_orders(data: object) -> Sequence[FacetRequest]:
    """Return the facets that the bytes encode."""
    assert isinstance(data, bytes)
    return from_data(Sequence[FacetRequest], marshal.loads(data))  # type: ignore[type-abstract]


def unpacked_request(kind: type[T], data: bytes) -> T:
    """Decode some bytes into a request of the type `kind`."""
    return from_data(kind, marshal.loads(data))


def _as_lists(value: Any) -> Any:
    """Return named tuples, and sequences of them, as lists.

    Other values are not searched, because arguments have many parts.
    """
    if not isinstance(value, list | tuple):
        return value
    is_searched = hasattr(value, "_fields") or (len(value) > 0 and hasattr(value[0], "_fields"))
    return [*map(_as_lists, value)] if is_searched else value
