"""What a child is told, as types on both sides of the wall: how all is defined, what to call, never what comes out.

They travel as plain tuples, by `marshal`, which can carry code; only the grader's own data is ever unpacked.
"""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from types import CodeType
from typing import Any, Literal, NamedTuple

from course.exam.calls import Call, FacetOrder


class Step(NamedTuple):
    """One definition, under its name or label: a reference is compiled, what a learner has written is text.

    A `support` is a reference that only other references call, an `own` an answer that only the learner's code calls.
    What is `unwritten` says so when it is used.
    """

    kind: Literal["reference", "support", "helper", "answer", "own", "unwritten"]
    name: str
    source: str | CodeType

    @property
    def is_reference(self) -> bool:
        return self.kind in ("reference", "support")


class Setup(NamedTuple):
    """How everything is defined, in order. If `answer` is named, nothing is run should its cell fail to load.

    `exercises` are the names that stand for functions among the values; `modules` are withheld ones that come along.
    """

    plan: Sequence[Step]
    answer: str | None = None
    exercises: Sequence[str] = ()
    modules: Sequence[tuple[str, CodeType]] = ()
    seconds: float | None = None


class Request(NamedTuple):
    """What the runner is told of an exercise: the unit's module, the definitions, and the facets to observe."""

    given: str
    setup: Setup
    orders: Sequence[FacetOrder]
    one_by_one: bool = False

    def packed(self) -> bytes:
        """Return it as bytes."""
        return marshal.dumps((self.given, _plain(self.setup), _told(self.orders), self.one_by_one))


class Common(NamedTuple):
    """What a station is told: what the processes of all answers to an exercise have in common.

    The plan of its setup are references that come before an answer; those that come after it wait in `later`.
    """

    given: str
    setup: Setup
    later: Sequence[Step]
    orders: Sequence[FacetOrder]

    def packed(self) -> bytes:
        """Return it as bytes."""
        return marshal.dumps((self.given, _plain(self.setup), list(map(tuple, self.later)), _told(self.orders)))


class Rest(NamedTuple):
    """What a station's child is told besides: what is to be defined (references that wait, by name), the answer."""

    plan: Sequence[Step]
    answer: str

    def packed(self) -> bytes:
        """Return it as bytes."""
        return marshal.dumps((list(map(tuple, self.plan)), self.answer))


class BotRequest(NamedTuple):
    """What the runner of bots is told: the definitions, the bot's name ("" for the only one), its limit, its chance."""

    setup: Setup
    bot: str
    answer_seconds: float
    chance: int = 0

    def packed(self) -> bytes:
        """Return it as bytes."""
        return marshal.dumps((_plain(self.setup), *self[1:]))


def _plain(setup: Setup) -> tuple[Any, ...]:
    return list(map(tuple, setup.plan)), *setup[1:]


def _told(orders: Sequence[FacetOrder]) -> list[tuple[Any, ...]]:
    return [(*order[:3], list(map(tuple, order.calls)), *order[4:]) for order in orders]


def common_of(data: bytes) -> Common:
    """Return what a station was told."""
    given, setup, later, orders = marshal.loads(data)
    return Common(given, _setup(setup), [Step(*step) for step in later], [_order(*order) for order in orders])


def rest_of(data: bytes) -> Rest:
    """Return what a station's child was told."""
    plan, answer = marshal.loads(data)
    return Rest([Step(*step) for step in plan], answer)


def request_of(data: bytes) -> Request:
    """Return the request that was packed."""
    given, setup, orders, one_by_one = marshal.loads(data)
    return Request(given, _setup(setup), [_order(*order) for order in orders], one_by_one)


def bot_request_of(data: bytes) -> BotRequest:
    """Return the request for a bot that was packed."""
    setup, *rest = marshal.loads(data)
    return BotRequest(_setup(setup), *rest)


def _setup(told: tuple[Any, ...]) -> Setup:
    plan, *rest = told
    return Setup([Step(*step) for step in plan], *rest)


def _order(*told: Any) -> FacetOrder:
    order = FacetOrder(*told)
    return order._replace(calls=[Call(*call) for call in order.calls])
