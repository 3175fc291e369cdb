"""Causes that advice names: given names that a cell redefines, modules that are missing, and bans that decide."""

from __future__ import annotations

import pytest

from autograder.prove.answers import graded
from autograder.report.model import WRONG, ExerciseReport
from autograder.report.words import problem_text
from autograder.units.mistakes import Mistake
from autograder.units.unit import requirements_of
from course.diagnoses import Evidence, diagnose
from course.diagnoses.failure import RAISED, Failure
from course.show.results import BAD, Result
from tests.lesson import Lesson
from tests.units import mistakes_of, read_unit, submission_with

DOMINO = """from dataclasses import dataclass
@dataclass(frozen=True)
class Domino:
    left: int
    right: int
"""
CHAIN = """class Chain:
    def __init__(self, left, tiles, right):
        self.left, self.tiles, self.right = left, tiles, right
"""
SWAPPED = "def flip(domino):\n    return Domino(domino.right, domino.left)"
BANNED = ("sort__by_sorted", "sort__by_the_method", "sort__in_order", "list_shuffle__by_random_shuffle")
DECIDED = [
    each for unit in ("basra", "dominoes") for each in mistakes_of(unit) if f"{each.exercise}__{each.name}" in BANNED
]


def report_on(name: str, answer: str, *helpers: str) -> ExerciseReport:
    return graded(submission_with("dominoes", {name: answer}, helpers), name)[name]


def advice(name: str, answer: str, *helpers: str) -> str:
    report = report_on(name, answer, *helpers)
    return report.advice.says if report.advice else ""


def checked(unit: str, name: str, source: str) -> Result:
    return Lesson(unit, source).check(name)


@pytest.mark.parametrize(
    ("name", "answer", "cell", "given"),
    [
        ("append", "def append(domino, chain, end):\n    return Chain(1, '1-1', 1)", CHAIN, "Chain"),
        ("legal_adds", "def legal_adds(domino, chain):\n    return (EMPTY,)", "EMPTY = None", "EMPTY"),
    ],
)
def test_report_names_the_cell_that_redefines_a_given_name(name: str, answer: str, cell: str, given: str) -> None:
    says = advice(name, answer, cell)
    assert says.startswith("Cell ") and f"redefines `{given}`" in says


def test_report_names_a_redefinition_in_the_cell_of_the_answer() -> None:
    assert "This cell redefines `Domino`" in advice("flip", f"{DOMINO}\n{SWAPPED}")
    assert "redefines" not in advice("flip", f"from course.dominoes import *\n{SWAPPED.replace('right', 'left')}")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("import pandas as swap", "There is no module `pandas` here."),
        ("from my_helpers import swap", "There is no module `my_helpers` here. Copy what you need"),
        ("from itertools import no_such_name as swap", ""),
    ],
)
@pytest.mark.parametrize("where", ["{0}\ndef flip(domino):\n    return swap(domino)", "def flip(domino):\n    {0}"])
def test_advice_names_the_module_that_is_missing(where: str, line: str, says: str) -> None:
    answer = where.format(line)
    assert says in advice("flip", answer)
    if answer.startswith("def"):
        assert says in checked("dominoes", "flip", answer).says


def test_advice_names_the_version_that_a_module_is_new_in() -> None:
    text = "cannot import name 'batched' from 'itertools' (unknown location)"
    failure = Failure(did=RAISED, error="ImportError", seen=text, line=1)
    unit = read_unit("dominoes")
    source = "from itertools import batched\ndef flip(domino):\n    return tuple(batched(domino, 2))"
    diagnosis = diagnose(Evidence(requirements_of(unit, unit["flip"]), source, (failure,)))
    assert diagnosis and diagnosis.says.startswith("`batched` is new in Python 3.12, and this is Python 3.")


@pytest.mark.parametrize("wrong", DECIDED, ids=str)
def test_ban_that_is_the_exercise_decides(wrong: Mistake) -> None:
    report = graded(submission_with(wrong.unit, {wrong.exercise: wrong.source}), wrong.exercise)[wrong.exercise]
    assert (report.state, report.points, report.facets) == (WRONG, 0, ())
    result = checked(wrong.unit.name, wrong.exercise, wrong.source)
    assert result.state == BAD and problem_text(report) in result.headline and "· 0 / " in result.headline
    assert result.says and report.advice and result.says == report.advice.says
