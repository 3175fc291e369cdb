"""Close floats: the grader and the sealed exam accept the same ones, and are strict about everything else."""

from __future__ import annotations

from collections import Counter
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course import dominoes
from course.dominoes import Chain
from course.exam.alike import grid_of, has_loose_floats, text_on_grid, with_close_floats_replaced
from course.exam.wire import Wire, text_of

WIRE = Wire(dominoes)
FLOATS = st.floats(allow_nan=False, allow_infinity=False, width=64)
TOLERANCES = st.sampled_from([1e-12, 1e-9, 1e-3, 0.3])


def seen(value: Any, *after: Any) -> Any:
    """Return the observation of a call that returns a value and leaves its arguments in this state."""
    effects = ["", [], list(map(WIRE.encode, after))] if after else []
    return ["ok", WIRE.encode(value), *effects]


def graded(want: Any, got: Any, tolerance: float = 1e-9) -> bool:
    return text_of(with_close_floats_replaced(want, got, tolerance)) == text_of(want)


def practised(want: Any, got: Any, tolerance: float = 1e-9) -> bool:
    grid = grid_of(want, tolerance)
    return text_on_grid(want, grid) == text_on_grid(got, grid)


@given(FLOATS, st.floats(-1, 1), TOLERANCES)
def test_kit_accepts_every_float_that_the_grader_accepts(number: float, share: float, tolerance: float) -> None:
    want, got = seen(number), seen(number + share * tolerance * max(1.0, abs(number)))
    assert not graded(want, got, tolerance) or practised(want, got, tolerance)


@given(FLOATS.filter(lambda number: abs(number) < 1e300), st.sampled_from([-1, 1]), st.floats(1.03, 10), TOLERANCES)
def test_both_refuse_a_float_that_is_too_far_off(number: float, side: int, share: float, tolerance: float) -> None:
    want, got = seen(number), seen(number + side * share * tolerance * max(1.0, abs(number)))
    assert not graded(want, got, tolerance) and not practised(want, got, tolerance)


NEAR = 0.1 + 0.2
CLOSE: list[tuple[Any, Any]] = [
    (seen(0.3), seen(NEAR)),
    (seen(0.0), seen(-0.0)),
    (seen((1, [0.3, {"a": 0.3}])), seen((1, [NEAR, {"a": NEAR}]))),
    (seen({"b": 0.3, "a": 1.0}), seen({"a": 1.0, "b": NEAR})),
    (seen(Chain(0.3, "", 1)), seen(Chain(NEAR, "", 1))),  # type: ignore[arg-type]
    (seen(0.3 + 1j), seen(NEAR + 1j)),
    (seen(Counter(a=0.3)), seen(Counter(a=NEAR))),  # type: ignore[arg-type]
    (seen((nan, inf)), seen((nan, inf))),
    (seen(None, [0.3, 1]), seen(None, [NEAR, 1])),
]
APART: list[tuple[Any, Any]] = [
    (seen(1.0), seen(1)),
    (seen(1), seen(True)),
    (seen((0.3,)), seen([NEAR])),
    (seen((0.3,)), seen((NEAR, 1))),
    (seen((0.3, 1)), seen((NEAR,))),
    (seen(inf), seen(-inf)),
    (seen(inf), seen(1e308)),
    (seen(0.3), seen(1e300)),
    (seen(nan), seen(0.3)),
    (seen(0.3), seen(nan)),
    (seen({"n": "0.3"}), seen({"n": "0.30000000000000004"})),
    (seen({"a": 0.3}), seen({"b": NEAR})),
    (seen(("0.3",)), seen((0.3,))),
    (seen(None, [0.3]), seen(None, [0.4])),
    (seen(0.3, [1]), seen(NEAR, [2])),
    (seen(0.3), ["raised", "ValueError", None]),
    (["raised", "ValueError", None], seen(0.3)),
]


@pytest.mark.parametrize(("want", "got"), CLOSE)
def test_close_values_are_accepted_by_grader_and_kit(want: Any, got: Any) -> None:
    assert graded(want, got) and practised(want, got)


@pytest.mark.parametrize(("want", "got"), APART)
def test_everything_except_floats_is_strict_in_grader_and_kit(want: Any, got: Any) -> None:
    assert not graded(want, got) and not practised(want, got)


FORGED = [["ok", ["n", "x"]], ["ok", 5, 1, 2, 3], ["ok", ["t", 1], "", [], 7], ["ok", ["d", 5]], ["ok"], [], 5, None]


@pytest.mark.parametrize("forged", FORGED)
def test_dishonest_trees_are_close_to_nothing(forged: Any) -> None:
    for want in (seen(0.3), seen({1: 0.3}), seen((1, 0.3), [0.3])):
        assert with_close_floats_replaced(want, forged, 1e-9) != want


@pytest.mark.parametrize(("value", "is_loose"), [({0.3}, True), ({0.3: 1}, True), ([{"a": 0.3}], False), ({1}, False)])
def test_floats_in_sets_and_keys_are_detected(value: Any, is_loose: bool) -> None:
    assert has_loose_floats(WIRE.encode([value])) is is_loose
