"""Watching as a learner meets it: the run as a nested list, and what keeps it within bounds."""

from __future__ import annotations

import pytest

import solutions.warmup
from course.notebook import NotRight
from course.warmup import HEARTS, Joker, Number, Player
from course.watch import watch
from course.watch.record import record
from course.watch.recorder import RunLimits
from course.watch.run import State
from course.watch.telling import told

WARMUP = vars(solutions.warmup)


def test_a_run_is_a_nested_list_of_calls() -> None:
    run = record(WARMUP["charge"], (Player("Ann", (), 0), (Joker(), Number(3, HEARTS))), WARMUP)
    assert told(run).plain.splitlines() == [
        "charge(Player('Ann', (), 0), (Joker(), Number(3, HEARTS))) gives Player('Ann', (), 23)",
        "  penalties((Joker(), Number(3, HEARTS))) gives (20, 3)",
        "    penalty(Joker()) gives 20",
        "    penalty(Number(3, HEARTS)) gives 3",
    ]


def test_a_long_run_is_cut_and_says_so() -> None:
    run = record(WARMUP["riffles_to_restore"], (10_038,), WARMUP)
    assert (run.value, len(run.calls) < 5_000) == (10_036, True)
    assert "more steps were made than are kept" in told(run).plain


def _endless() -> None:
    while _endless:
        pass


def test_a_run_that_never_ends_is_stopped() -> None:
    ticks = iter(range(10**9))
    run = record(_endless, (), globals(), limits=RunLimits(clock=lambda: float(next(ticks))))
    assert run.state is State.STOPPED and "It was stopped" in told(run).plain


def test_an_answer_instead_of_a_function_is_told_in_a_line() -> None:
    with pytest.raises(NotRight, match="say the function"):
        watch(3)  # type: ignore[arg-type]
