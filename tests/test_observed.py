"""Observations of calls: standard library values, iterators, arguments, named parameters, close floats.

The pack `stdlib` has an exercise for each, with wrong answers and with right answers in another style.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.config import Policy
from autograder.exam.build import UNCHANGED_ARGUMENTS_FACET, build_exam
from autograder.exam.store import exam_for
from autograder.grading.run import grade
from autograder.report.model import ExerciseReport, Graded
from autograder.report.words import facet_failure_text
from autograder.units import pack as packs
from autograder.units.pack import UnitError
from tests.command import foldem, install_kit, printed_by, run_in_kit
from tests.lesson import Lesson
from tests.sealed import alone as alone
from tests.tiny import CHECKS, tiny_unit
from tests.units import mistakes_of, read_unit, right_answers, submission_with

STDLIB = Path(__file__).parent / "packs" / "stdlib"


@pytest.fixture(autouse=True)
def _none_known_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(packs.VARIABLE, "")


@pytest.fixture
def stdlib(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("FOLDEM_PACKS", str(STDLIB))
    yield


# ------------------------------------------------------------------------------------------------ the pack


@pytest.mark.proof
@pytest.mark.sandbox
def test_pack_of_standard_library_values_is_proven(tmp_path: Path) -> None:
    proofs = printed_by(foldem("prove", "--pack", STDLIB, "--jobs", "1"))
    assert "mixed has accepts=, so a kit leaves it to the teacher" in proofs


# ------------------------------------------------------------------------------------------------ the kit


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a kit; what its wheels contain is next to it."""
    return install_kit(tmp_path_factory.mktemp("kits"), "--pack", STDLIB)


IS_RIGHT = ("right in all",)
LEFT_TO_A_TEACHER = "this exercise has several right results, so only your teacher's autograder can judge your answer"
SHOWN_BY_KIT = {  # for each wrong or right answer, some of the output of `check`
    "evens__a_tuple": ("returned  (0, ",),
    "evens__that_raises": ("raised    ValueError: no more",),
    "without__in_place": ("# in the argument, after the call",),
    "mean__rounded": ("that is not right",),
    "mixed__as_it_was": ("only your teacher's autograder can judge your answer",),
    **dict.fromkeys(("evens", "without", "sort_in_place", "mean", "clipped", "letters"), IS_RIGHT),
    "mixed": ("the results differ from the examples, but can still be right", LEFT_TO_A_TEACHER),
}


@pytest.mark.parametrize("answer", SHOWN_BY_KIT)
def test_check_in_a_kit_judges_answers(stdlib: None, kit: Path, answer: str) -> None:
    source = wrong_answer(answer) if "__" in answer else right_answers("stdlib")[0].answers[answer]
    check = f"try:\n    print(check({answer.split('__')[0]!r}))\nexcept Exception as error:\n    print(error)"
    shown = run_in_kit(kit, "stdlib_course.stdlib", source, check)
    assert [text for text in SHOWN_BY_KIT[answer] if text not in shown] == []


ALONE = {
    "the items of an iterator": (
        "evens",
        "def evens(limit):\n    return iter((0, 2, 4) if limit == 6 else (limit,))",
        ("returned  iter((", "expected  iter(("),
    ),
    "an argument that was changed": (
        "without",
        "def without(items, item):\n    while item in items: items.remove(item)\n    return items",
        ("left      [", "in the argument, after the call", "expected  ["),
    ),
    "an argument that was not changed": (
        "sort_in_place",
        "def sort_in_place(items):\n    if len(items) == 3: items.sort()",
        ("left      [", "that is not right", "must change its argument in place"),
    ),
    "an argument and a result": (
        "sort_in_place",
        "def sort_in_place(items):\n    items.sort()\n    return items if len(items) > 3 else None",
        ("left      [", "the argument and the result ["),
    ),
}


@pytest.mark.usefixtures("stdlib", "alone")
@pytest.mark.parametrize("what", ALONE)
def test_self_study_explains_failures(what: str) -> None:
    name, source, texts = ALONE[what]
    shown = str(Lesson("stdlib", source).check(name))
    assert [text for text in texts if text not in shown] == []


# ------------------------------------------------------------------------------------------------ refused exams


DICT_KEYS = "return {number: 1}.keys()"
NO_COMPARISON = (
    r"solutions/tiny\d+.py:4: the reference of double returns .* \({}\): return numbers, .*, in double\(1\)$"
)
DOUBLE = '''
def double(number: Small) -> object:
    """Return something.

    >>> double(2) is None
    False
    """
    {body}
'''
SMALL = CHECKS + 'STRATEGIES = {"Small": (1, 2, 3)}'
VALUES = {
    "dict_keys object": DICT_KEYS,
    "function": "return lambda: number",
    "an enormous int": "return 10 ** 3000",
    "Decimal object": 'return __import__("decimal").Decimal("1e9999")',
    "ZoneInfo object": (
        'return __import__("datetime").datetime(2026, 1, 1, tzinfo=__import__("zoneinfo").ZoneInfo("UTC"))'
    ),
    "object object": "return [1, (object(),)]",
    "iterator that raises an exception of a class of its own": (
        'yield number\n    raise type("Odd", (ValueError,), {})()'
    ),
}


REFUSALS = {
    **{what: (body, "", "number: Small", NO_COMPARISON.format(what)) for what, body in VALUES.items()},
    "an exception that answers cannot raise": (
        'if number > 2: raise type("Odd", (ValueError,), {})()\n    return number',
        "",
        "number: Small",
        "double raises an exception whose class answers cannot use: import the class in tiny",
    ),
    "an input that cannot be stored": (
        "return number",
        'CHECKS = {"double": Check(facets={"odd": (case(iter(())),)})}',
        "number: Small",
        r"exams/tiny\d+/checks.py:3: an input of double contains .* \(tuple_iterator object\)\. Choose from ",
    ),
    "floats in a set with a tolerance": (
        "return {number / 3}",
        'CHECKS = {"double": Check(tolerance=1e-6)}',
        "number: Small",
        r"floats in a set or as keys, where a tolerance is impossible: return a sequence, in double\(1\)",
    ),
    "a parameter for any keywords without cases": (
        "return number",
        "",
        "number: Small, **more: Small",
        r"\.py:4: double: no inputs for \*\*more: set cases= in ",
    ),
}


@pytest.mark.parametrize("what", REFUSALS)
def test_exam_that_cannot_be_observed_is_refused_in_one_line(tmp_path: Path, what: str) -> None:
    body, checks, parameters, message = REFUSALS[what]
    solution = DOUBLE.format(body=body).replace("number: Small", parameters)
    with pytest.raises(UnitError, match=rf"\A.*{message}.*\Z"):
        build_exam(tiny_unit(tmp_path, solution, f"{SMALL}\n{checks}"), "0")


# ------------------------------------------------------------------------------------------------ what counts


def one(name: str, source: str) -> ExerciseReport:
    """Return the report on one answer."""
    report = grade(submission_with("stdlib", {name: source}), Policy(exercises=(name,), sandbox="off", form_share=0.0))
    assert isinstance(report, Graded)
    return report[name]


def wrong_answer(name: str) -> str:
    return next(each.source for each in mistakes_of("stdlib") if f"{each.exercise}__{each.name}" == name)


def test_changed_argument_costs_one_facet_and_is_shown(stdlib: None) -> None:
    report = one("without", wrong_answer("without__in_place_and_back"))
    (failed,) = [facet for facet in report.facets if not facet.passed]
    assert failed.name == UNCHANGED_ARGUMENTS_FACET and 0 < report.points < report.of
    assert " had the argument [] after the call, expected [" in facet_failure_text(failed)
    assert "The function changes its argument, but must not do that." in str(report.advice)


def test_function_that_works_in_place_is_judged_by_its_argument(stdlib: None) -> None:
    report = one("sort_in_place", wrong_answer("sort_in_place__a_new_one"))
    assert report.points < 0.2 * report.of
    assert any("after the call, expected" in facet_failure_text(facet) for facet in report.facets if not facet.passed)


@pytest.mark.parametrize(
    ("mistake", "verdict"),
    [
        ("evens__a_tuple", "evens(1) returned (0,), expected iter((0,))"),
        (
            "evens__that_raises",
            "evens(7) raised ValueError: no more (line 4 of the cell of evens), expected iter((0, 2, 4, 6))",
        ),
        (
            "multiples__that_ends",
            "multiples(1) returned iter((0, 1, 2, 3, 4, 5, 6, 7, 8, 9)), expected iter((0, 1, 2, ",
        ),
    ],
)
def test_iterator_is_shown_as_far_as_it_is_observed(stdlib: None, mistake: str, verdict: str) -> None:
    verdicts = [facet_failure_text(facet) for facet in one(mistake.split("__")[0], wrong_answer(mistake)).facets]
    assert verdict in " ".join(verdicts)


def test_named_parameters_are_drawn_and_left_out(stdlib: None) -> None:
    calls = [call for facet in exam_for(read_unit("stdlib")).by_name["clipped"].facets for call in facet.calls[:-1]]
    named = {tuple(name for name, _ in call.keywords) for call in calls if call.kind == "args"}
    assert named == {("low",), ("low", "high")}
    report = one("clipped", wrong_answer("clipped__low_only"))
    assert any("low=" in facet.failure.call for facet in report.facets if facet.failure)


def test_float_may_differ_by_the_tolerance_and_not_by_its_type(stdlib: None) -> None:
    near = "def mean(readings):\n    return sum(readings) / len(readings) * (1 + 1e-10) if readings else -0.0"
    assert one("mean", near).points == 1.0 and one("mean", near.replace("1e-10", "1e-7")).points < 1.0


def test_constant_that_is_close_in_a_whole_facet_meets_a_contrast(tmp_path: Path) -> None:
    check = 'Check(tolerance=1e-3, facets={"nearly one": (case(1), case(2))})'
    solution = DOUBLE.format(body="return 1.0 + number * 1e-6 if number < 3 else 5.0")
    exam = build_exam(tiny_unit(tmp_path, solution, f'{SMALL}\nCHECKS = {{"double": {check}}}'), "0")
    (facet,) = [facet for facet in exam.by_name["double"].facets if facet.name == "nearly one"]
    assert facet.contrasts == 1 and facet.expected[-1] == '["ok",["n","5.0"]]'
