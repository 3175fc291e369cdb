"""Inputs near chosen ones, and equality: as `==`, or of close floats, in grader and kit."""

from __future__ import annotations

from collections import Counter
from math import inf, nan
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.exam.build import UNCHANGED_ARGUMENTS_FACET, build_exam, count_left_out_inputs
from autograder.exam.cases import Case
from autograder.exam.draw import OTHER_INPUTS, near_cases
from autograder.prove.answers import grade_trusted, submission_with
from autograder.report.model import PASSED
from course import dominoes
from course.diagnoses.failure import EXAMPLES_FACET
from course.dominoes import Chain
from course.exam.alike import grid_of, has_floats_in_sets_or_keys, observation_with_close_floats, text_on_grid
from course.exam.wire import Wire, text_of
from course.kernel.catalogue import ComparisonRules
from course.learner.practice import _expected_if_close
from tests.command import foldem_here, is_one_line_refusal
from tests.tiny import CHECKS, tiny_unit

GCD = '''
def double(one: int, other: int) -> int:
    """Return the greatest common divisor."""
    return double(other, one % other) if other else one
'''
SPREAD = '''
def double(numbers: list[int]) -> int:
    """Return the largest minus the smallest."""
    return max(numbers) - min(numbers)
'''
NEAR = CHECKS + 'CHECKS = {{"double": Check(inputs="near", equality="{}", facets={{"yours": ({})}})}}'
TOTALS = '''
def double(marks: dict[str, list[int]], names: list[str]) -> list[int]:
    """Return the sum of the marks of each of these names.{}"""
    return [sum(marks.get(name, [])) for name in names]
'''
TOTALS_CHECK = NEAR.format("==", 'case({"Ida": [3, 9], "Bo": []}, ["Ida"]), case({"Ida": [3]}, ["Ida", "Bo"])')
LONG_EXAMPLE = f"""

    >>> double({{{{"Ida": {[*range(60)]}}}}}, ["Ida"])
    [{sum(range(60))}]
    """
FLOATS = "def double(one, other):\n    while other:\n        one, other = other, one % other\n    return float(one)"


def test_near_inputs_follow_the_seed_and_are_no_hidden_call() -> None:
    chosen = [Case(([3, 9, -1],)), Case(([4],))]
    assert near_cases(chosen, 20, 1) == near_cases(chosen, 20, 1) != near_cases(chosen, 20, 2)
    hidden = [Case((31,), hidden=True), Case((47,), hidden=True)]
    drawn = near_cases(hidden, 40, 1) + near_cases([Case((30,)), Case((46,))], 40, 1, avoided=hidden)
    assert [case for case in drawn if case.args in ((31,), (47,))] == []


def test_words_of_near_texts_are_doubled_moved_and_left_out() -> None:
    (pet,) = chosen = [Case(("a dog sees the cat",))]
    for seed in range(6):
        texts = [case.args[0].split() for case in near_cases(chosen, 180, seed)]
        known = [text for text in texts if {*text} <= {*pet.args[0].split()}]
        assert {4, 6} <= {*map(len, known)} and [text for text in known if text.count("the") == 2]
        assert [text for text in known if sorted(text) == sorted(pet.args[0].split())]


HALVED = 'def double(n: int) -> int:\n    """Count."""\n    while n != 0:\n        n //= 2\n    return n\n'
LEFT_OUT = {"ValueError": (SPREAD, "case([4]), case([3, 9, -1])"), "too slow": (HALVED, "case(0), case(9), case(200)")}


@pytest.mark.parametrize("why", LEFT_OUT)
def test_inputs_for_which_the_reference_has_no_result_are_left_out(why: str, tmp_path: Path) -> None:
    solution, chosen = LEFT_OUT[why]
    unit = tiny_unit(tmp_path, solution, NEAR.format("==", chosen))
    assert count_left_out_inputs(unit, "double")[why] >= 1
    facets = build_exam(unit, "0").by_name["double"].facets
    assert '"raised"' not in str(facets) and len(facets[-1].calls) > 1


def test_build_names_all_drawn_inputs_on_which_the_reference_raises(tmp_path: Path) -> None:
    tiny_unit(tmp_path, SPREAD.replace("return", "1 // (len(numbers) - 1)\n    return"), CHECKS)
    done = foldem_here("build", "--pack", tmp_path)
    assert is_one_line_refusal(done)
    wanted = ("raises ValueError: double([]); ", "raises ZeroDivisionError: double([0]), ", 'inputs="near"')
    assert [text for text in wanted if text not in done.stderr] == []


@pytest.mark.sandbox
@pytest.mark.parametrize(("equality", "is_right"), [("==", True), ("", False)])
def test_equal_numbers_of_another_type_are_right_if_the_check_says_so(
    equality: str, is_right: bool, tmp_path: Path
) -> None:
    unit = tiny_unit(tmp_path, GCD, NEAR.format(equality, "case(12, 18), case(7, 5)"))
    report = grade_trusted(submission_with(unit, {"double": FLOATS}), "double")["double"]
    assert (report.state == PASSED) is is_right


@pytest.mark.sandbox
def test_facets_count_by_their_weights(tmp_path: Path) -> None:
    facets = 'facets={"small": (case(1), case(2)), "large": (case(100), case(50))}, weights={"small": 3}'
    checks = CHECKS + f'CHECKS = {{"double": Check(cases=st.tuples(st.integers(3, 9)), {facets})}}'
    double = 'def double(number: Small) -> int:\n    """Return twice the number."""\n    return 2 * number\n'
    unit = tiny_unit(tmp_path, double, "from hypothesis import strategies as st\n" + checks)
    wrong = "def double(number):\n    return 2 * number if number != 1 else 3"
    report = grade_trusted(submission_with(unit, {"double": wrong}), "double")["double"]
    assert (report.share, report.points) == (0.4, 0.4)


def test_examples_of_a_kit_accept_equal_numbers(tmp_path: Path) -> None:
    unit = tiny_unit(tmp_path, GCD.replace("divisor.", "divisor.\n\n    >>> double(12, 18)\n    6\n    "), CHECKS)
    text = 'from course.exam.alike import as_equal\nALIKE = {"double": as_equal}\n'
    unit.pack.role_file("alike", unit.name).write_text(text, encoding="utf-8")
    requirements = SimpleNamespace(module=unit.module.__name__)
    answer: Any = SimpleNamespace(name="double", requirements=requirements, judging_rules=ComparisonRules())
    assert repr((_expected_if_close(answer, 6, 6.0), _expected_if_close(answer, 6, 7.0))) == "(6, 7.0)"


@pytest.mark.parametrize("example", [LONG_EXAMPLE.format(), ""], ids=["long", "missing"])
def test_an_example_may_be_long_or_missing(example: str, tmp_path: Path) -> None:
    unit = tiny_unit(tmp_path, TOTALS.format(example), TOTALS_CHECK)
    facets = build_exam(unit, "0").by_name["double"].facets
    assert [facet.name for facet in facets] == [EXAMPLES_FACET] * bool(example) + [
        "yours",
        OTHER_INPUTS,
        UNCHANGED_ARGUMENTS_FACET,
    ]


def test_a_parameter_for_any_number_of_arguments_is_drawn(tmp_path: Path) -> None:
    solution = 'def double(first: int, *more: int) -> int:\n    """Return the sum."""\n    return sum(more, first)\n'
    (facet,) = build_exam(tiny_unit(tmp_path, solution, CHECKS), "0").by_name["double"].facets
    assert {1, 2, 3, 4} <= {len(call.what[0]) for call in facet.calls}


@pytest.mark.sandbox
@pytest.mark.parametrize(("names", "is_right"), [("names", True), ("names[:1]", False)])
def test_answers_about_lists_and_dicts_are_judged(names: str, is_right: bool, tmp_path: Path) -> None:
    unit = tiny_unit(tmp_path, TOTALS.format(LONG_EXAMPLE.format()), TOTALS_CHECK)
    source = f"def double(marks, names):\n    return [sum(marks.get(name, [])) for name in {names}]"
    assert (grade_trusted(submission_with(unit, {"double": source}), "double")["double"].state == PASSED) is is_right


# ------------------------------------------------------------------------------------------------ close floats

WIRE = Wire(dominoes)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=64)
TOLERANCES = st.sampled_from([1e-12, 1e-9, 1e-3, 0.3])


def seen(value: Any, *after: Any) -> Any:
    """Return the observation of a call that returns a value and leaves its arguments in this state."""
    return ["ok", WIRE.encode(value), *(["", [], list(map(WIRE.encode, after))] if after else [])]


def alike_in_grader(want: Any, got: Any, tolerance: float = 1e-9) -> bool:
    return text_of(observation_with_close_floats(want, got, tolerance)) == text_of(want)


def alike_in_kit(want: Any, got: Any, tolerance: float = 1e-9) -> bool:
    grid = grid_of(want, tolerance)
    return text_on_grid(want, grid) == text_on_grid(got, grid)


@given(NUMBERS, st.floats(-1, 1), TOLERANCES)
def test_kit_accepts_every_float_that_the_grader_accepts(number: float, share: float, tolerance: float) -> None:
    want, got = seen(number), seen(number + share * tolerance * max(1.0, abs(number)))
    assert not alike_in_grader(want, got, tolerance) or alike_in_kit(want, got, tolerance)


@given(NUMBERS.filter(lambda number: abs(number) < 1e300), st.sampled_from([-1, 1]), st.floats(1.03, 10), TOLERANCES)
def test_both_refuse_a_float_that_is_too_far_off(number: float, side: int, share: float, tolerance: float) -> None:
    want, step = seen(number), side * share * tolerance * max(1.0, abs(number))
    assert not alike_in_grader(want, seen(number + step), tolerance)
    assert not alike_in_kit(want, seen(number + 2 * step), tolerance)


def test_the_width_of_a_cell_does_not_reveal_the_number() -> None:
    assert grid_of(seen(1234.5), 1e-9)[0][1] == grid_of(seen(2000.0), 1e-9)[0][1]


ALMOST = 0.1 + 0.2
CLOSE: list[tuple[Any, Any]] = [
    (seen(0.3), seen(ALMOST)),
    (seen(0.0), seen(-0.0)),
    (seen((1, [0.3, {"a": 0.3}])), seen((1, [ALMOST, {"a": ALMOST}]))),
    (seen({"b": 0.3, "a": 1.0}), seen({"a": 1.0, "b": ALMOST})),
    (seen(Chain(0.3, "", 1)), seen(Chain(ALMOST, "", 1))),  # type: ignore[arg-type]
    (seen(0.3 + 1j), seen(ALMOST + 1j)),
    (seen(Counter(a=0.3)), seen(Counter(a=ALMOST))),  # type: ignore[arg-type]
    (seen((nan, inf)), seen((nan, inf))),
    (seen(None, [0.3, 1]), seen(None, [ALMOST, 1])),
]
APART: list[tuple[Any, Any]] = [
    (seen(1.0), seen(1)),
    (seen(1), seen(True)),
    (seen((0.3,)), seen([ALMOST])),
    (seen((0.3,)), seen((ALMOST, 1))),
    (seen((0.3, 1)), seen((ALMOST,))),
    (seen(inf), seen(-inf)),
    (seen(inf), seen(1e308)),
    (seen(0.3), seen(1e300)),
    (seen(nan), seen(0.3)),
    (seen(0.3), seen(nan)),
    (seen({"n": "0.3"}), seen({"n": "0.30000000000000004"})),
    (seen({"a": 0.3}), seen({"b": ALMOST})),
    (seen(("0.3",)), seen((0.3,))),
    (seen(None, [0.3]), seen(None, [0.4])),
    (seen(0.3, [1]), seen(ALMOST, [2])),
    (seen(0.3), ["raised", "ValueError", None]),
    (["raised", "ValueError", None], seen(0.3)),
]


@pytest.mark.parametrize(("want", "got"), CLOSE)
def test_close_values_are_accepted_by_grader_and_kit(want: Any, got: Any) -> None:
    assert alike_in_grader(want, got) and alike_in_kit(want, got)


@pytest.mark.parametrize(("want", "got"), APART)
def test_everything_except_floats_is_strict_in_grader_and_kit(want: Any, got: Any) -> None:
    assert not alike_in_grader(want, got) and not alike_in_kit(want, got)


FORGED = [["ok", ["n", "x"]], ["ok", 5, 1, 2, 3], ["ok", ["t", 1], "", [], 7], ["ok", ["d", 5]], ["ok"], [], 5, None]


@pytest.mark.parametrize("forged", FORGED)
def test_dishonest_trees_are_close_to_nothing(forged: Any) -> None:
    for want in (seen(0.3), seen({1: 0.3}), seen((1, 0.3), [0.3])):
        assert observation_with_close_floats(want, forged, 1e-9) != want


@pytest.mark.parametrize(("value", "is_loose"), [({0.3}, True), ({0.3: 1}, True), ([{"a": 0.3}], False), ({1}, False)])
def test_floats_in_sets_and_keys_are_detected(value: Any, is_loose: bool) -> None:
    assert has_floats_in_sets_or_keys(WIRE.encode([value])) is is_loose
