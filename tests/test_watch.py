"""Watching as a learner meets it: the run as a nested list, and its limits."""

from __future__ import annotations

from typing import Any

import pytest

import solutions.warmup
from course.kernel.notebook import NotRight
from course.show.snapshots import Keeper
from course.warmup import HEARTS, Joker, Number, Player
from course.watch import on_paper, watch
from course.watch.record import record
from course.watch.recorder import RunLimits
from course.watch.run import State
from course.watch.telling import as_list

WARMUP = vars(solutions.warmup)


def test_a_run_is_a_nested_list_of_calls() -> None:
    run = record(WARMUP["charge"], (Player("Ann", (), 0), (Joker(), Number(3, HEARTS))), WARMUP)
    assert as_list(run).plain.splitlines() == [
        "charge(Player('Ann', (), 0), (Joker(), Number(3, HEARTS))) returns Player('Ann', (), 23)",
        "  penalties((Joker(), Number(3, HEARTS))) returns (20, 3)",
        "    penalty(Joker()) returns 20",
        "    penalty(Number(3, HEARTS)) returns 3",
    ]


def test_a_long_run_is_cut_and_says_so() -> None:
    run = record(WARMUP["riffles_to_restore"], (10_038,), WARMUP)
    assert (run.value, len(run.calls) < 5_000) == (10_036, True)
    assert "more steps were not recorded" in as_list(run).plain


def _endless() -> None:
    while _endless:
        pass


def test_a_run_that_never_ends_is_stopped() -> None:
    ticks = iter(range(10**9))
    run = record(_endless, (), globals(), limits=RunLimits(clock=lambda: float(next(ticks))))
    assert run.state is State.STOPPED and "It was stopped" in as_list(run).plain


def test_a_value_instead_of_a_function_is_reported_in_one_line() -> None:
    with pytest.raises(NotRight, match="pass the function"):
        watch(3)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------ values that are odd


class Sulking(tuple[int, ...]):
    def __iter__(self) -> Any:
        raise ValueError("no")

    __len__ = __getitem__ = __repr__ = __iter__


class Loud(str):
    def __len__(self) -> int:
        raise ValueError("no")

    __repr__ = __len__  # type: ignore[assignment]


class Nameless(Exception):
    args = None  # type: ignore[assignment]


def nested(depth: int) -> dict[int, Any]:
    return {depth: nested(depth - 1)} if depth else {}


def around_itself() -> dict[int, Any]:
    thing: dict[int, Any] = {}
    thing[1] = thing
    return thing


def sulked(_: object) -> object:
    return Sulking((1, 2))


def raised() -> None:
    raise Nameless(1)


@pytest.mark.parametrize("way", [watch, on_paper])
def test_uninspectable_values_are_shown_by_class(way: Any) -> None:
    assert "sulked(<Sulking>)" in repr(way(sulked, Sulking((1,))))
    assert "sulked(<Loud>)" in repr(way(sulked, Loud("a")))
    assert "Nameless: 1" in repr(way(raised))


@pytest.mark.parametrize("way", [watch, on_paper])
def test_dicts_may_stand_deep_in_each_other(way: Any) -> None:
    assert "{6: {5: {4: {3: {2: {1: {}}}}}}}" in repr(way(nested, 6))
    assert "{1: {1: {1: {1: {1: {1:" in repr(way(around_itself))


def test_a_self_containing_list_is_not_copied_endlessly() -> None:
    shared: list[Any] = []
    for _ in range(60):
        shared = [shared, shared]
    keeper = Keeper()
    keeper.keep(shared)
    assert keeper.looked_at < 10_000
