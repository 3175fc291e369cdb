"""Watching as a learner meets it: the run as a nested list, and its limits."""

from __future__ import annotations

from typing import Any

import pytest

import solutions.warmup
from course.show.snapshots import SnapshotTaker
from course.warmup import HEARTS, Joker, Number, Player
from course.watch import on_paper, watch
from course.watch.record import RunLimits, record
from course.watch.run import State
from course.watch.viewer import as_list

WARMUP = vars(solutions.warmup)


def test_a_run_is_a_nested_list_of_calls() -> None:
    run = record(WARMUP["charge"], (Player("Ann", (), 0), (Joker(), Number(3, HEARTS))), WARMUP)
    assert as_list(run) == [
        "charge(Player('Ann', (), 0), (Joker(), Number(3, HEARTS))) → Player('Ann', (), 23)",
        "  penalties((Joker(), Number(3, HEARTS))) → (20, 3)",
        "    penalty(Joker()) → 20",
        "    penalty(Number(3, HEARTS)) → 3",
    ]


def test_a_long_run_is_cut_and_says_so() -> None:
    run = record(WARMUP["riffles_to_restore"], (10_038,), WARMUP)
    assert (run.value, len(run.calls) < 5_000) == (10_036, True)
    assert "more steps were not recorded" in as_list(run)[-1]


def _endless() -> None:
    while _endless:
        pass


def test_a_run_that_never_ends_is_stopped() -> None:
    ticks = iter(range(10**9))
    run = record(_endless, (), globals(), limits=RunLimits(clock=lambda: float(next(ticks))))
    assert run.state is State.STOPPED and "It was stopped" in as_list(run)[-1]


def _put(places: list[int], found: tuple[int, ...]) -> list[int]:
    places[max(place + 1 for place in found)] = 5
    return places


def test_the_index_of_an_assigned_item_binds_no_names() -> None:
    run = record(_put, ([1, 2, 3], (0, 1)), globals())
    assert (run.value, run.error) == ([1, 2, 5], None)


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
@pytest.mark.parametrize(
    ("call", "text"),
    [
        ((sulked, Sulking((1,))), "sulked(<Sulking>)"),
        ((sulked, Loud("a")), "sulked(<Loud>)"),
        ((raised,), "Nameless: 1"),
        ((nested, 6), "{6: {5: {4: {3: {2: {1: {}}}}}}}"),
        ((around_itself,), "{1: {1: {1: {1: {1: {1:"),
    ],
    ids=["a tuple", "a text", "an exception", "deep dicts", "a dict in itself"],
)
def test_uninspectable_values_and_deep_dicts_are_shown(way: Any, call: tuple[Any, ...], text: str) -> None:
    assert text in repr(way(*call))


def test_a_self_containing_list_is_not_copied_endlessly() -> None:
    keeper, shared = SnapshotTaker(), list[Any]()
    for _ in range(60):
        shared = [shared, shared]
    keeper.keep(shared)
    assert keeper.looked_at < 10_000
