"""Requests to a child, as types for both sides. A request contains definitions and calls, but never expected results.

Requests are sent as plain tuples with `marshal`, which can carry code. Only data from the grader is unpacked this way.
"""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from types import CodeType
from typing import Any, Literal, NamedTuple

from course.exam.calls import Call, FacetOrder


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

    def packed(self) -> bytes:
        """Return the request as bytes."""
        return marshal.dumps((self.given, _plain(self.setup), _as_tuples(self.orders), self.one_by_one))


class Common(NamedTuple):
    """A request to a station: the part that is the same for all answers to an exercise.

    Its setup has the references that come before an answer; those that come after it are in `later`.
    """

    given: str
    setup: Setup
    later: Sequence[Step]
    orders: Sequence[FacetOrder]

    def packed(self) -> bytes:
        """Return the request as bytes."""
        return marshal.dumps((self.given, _plain(self.setup), list(map(tuple, self.later)), _as_tuples(self.orders)))


class Rest(NamedTuple):
    """The second part of a request: the definitions that remain to be loaded, and the exercise to run."""

    plan: Sequence[Step]
    answer: str

    def packed(self) -> bytes:
        """Return the request as bytes."""
        return marshal.dumps((list(map(tuple, self.plan)), self.answer))


class BotRequest(NamedTuple):
    """A request to run a bot: definitions, the bot's name ("" for the only one), its time limit, and its seed."""

    setup: Setup
    bot: str
    answer_seconds: float
    chance: int = 0

    def packed(self) -> bytes:
        """Return the request as bytes."""
        return marshal.dumps((_plain(self.setup), *self[1:]))


def _plain(setup: Setup) -> tuple[Any, ...]:
    return list(map(tuple, setup.plan)), *setup[1:]


def _as_tuples(orders: Sequence[FacetOrder]) -> list[tuple[Any, ...]]:
    return [(*order[:3], list(map(tuple, order.calls)), *order[4:]) for order in orders]


def common_of(data: bytes) -> Common:
    """Return an unpacked request to a station."""
    given, setup, later, orders = marshal.loads(data)
    return Common(given, _setup(setup), [Step(*step) for step in later], [_order(*order) for order in orders])


def rest_of(data: bytes) -> Rest:
    """Return the unpacked rest of a request."""
    plan, answer = marshal.loads(data)
    return Rest([Step(*step) for step in plan], answer)


def request_of(data: bytes) -> Request:
    """Return an unpacked request."""
    given, setup, orders, one_by_one = marshal.loads(data)
    return Request(given, _setup(setup), [_order(*order) for order in orders], one_by_one)


def bot_request_of(data: bytes) -> BotRequest:
    """Return an unpacked request for a bot."""
    setup, *rest = marshal.loads(data)
    return BotRequest(_setup(setup), *rest)


def _setup(data: tuple[Any, ...]) -> Setup:
    plan, *rest = data
    return Setup([Step(*step) for step in plan], *rest)


def _order(*data: Any) -> FacetOrder:
    order = FacetOrder(*data)
    return order._replace(calls=[Call(*call) for call in order.calls])
