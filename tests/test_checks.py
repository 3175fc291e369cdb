"""Checks modules of authors: an invalid entry is reported with file and line, and no exam is built."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.config import Policy
from autograder.exam.model import Exam, checks_of
from autograder.exam.sealing import sealed_paper
from autograder.exam.store import exam_for
from autograder.grading.run import grade
from autograder.report.render import result_of
from autograder.units import pack
from autograder.units.unit import Unit
from tests.classroom import submission_with
from tests.tiny import tiny_unit
from tests.units import read_unit, unit_names

SOLUTION = '''
def double(number: Small) -> int:
    """Return twice the number.

    >>> double(2)
    4
    """
    return 2 * number
'''
SOUND = """
from autograder.exam.cases import Check, case

STRATEGIES = {"Small": (0, 1, 2, 3)}
CHECKS = {
    "double": Check(facets={"nothing": (case(0),)}),
}
"""


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Unit:
    """Return a unit with one exercise, in its own pack, without checks."""
    unit = tiny_unit(tmp_path, SOLUTION, SOUND)
    monkeypatch.setenv(pack.VARIABLE, str(tmp_path))
    return read_unit(unit.name)


def test_a_text_replaces_the_name_of_a_facet_wherever_it_is_shown(made: Unit, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name stays in the exam and in reports, where stored results and adjust.toml refer to it."""
    exam = exam_for(made)
    wrong = submission_with(made.name, {"double": "def double(number):\n    return 2 * number or 1"})
    checks, before = exam.checks, grade(wrong, Policy(sandbox="off"))["double"]
    worded = {"double": replace(checks["double"], texts={"nothing": "no number"})}
    monkeypatch.setattr(Exam, "checks", property(lambda _: worded))
    after = grade(wrong, Policy(sandbox="off"))["double"]
    assert [each.name for each in after.facets] == [each.name for each in before.facets]
    assert (before.facets[1].shown, after.facets[1].shown, after.points) == ("nothing", "no number", before.points)
    assert "no number" in result_of(after).text() and "no number" not in result_of(before).text()
    sealed = sealed_paper(exam, exam.by_name["double"])
    assert [each.name for each in sealed.facets] == ["the examples of the statement", "no number", "every input"]


DRAWN_BY = (
    "st.tuples(st.integers())",
    "lambda: st.tuples(st.integers())",
    "by_seed(lambda random: case(random.random()))",
)


@pytest.mark.parametrize("cases", DRAWN_BY)
def test_inputs_come_from_a_strategy_or_a_function_returning_one(made: Unit, cases: str) -> None:
    imports = "from hypothesis import strategies as st\nfrom autograder.exam.cases import by_seed"
    text = imports + SOUND.replace("Check(", f"Check(cases={cases}, ")
    made.pack.file("checks", made.name).write_text(text)
    paper = exam_for(read_unit(made.name)).by_name["double"]
    assert paper.facets[-1].name == "other inputs" and len(paper.facets[-1].calls) > 30


@pytest.mark.parametrize("unit", unit_names())
def test_the_checks_of_every_unit_are_sound(unit: str) -> None:
    assert set(checks_of(read_unit(unit)).by_name) <= set(read_unit(unit).by_name)


def test_grading_by_a_kept_exam_imports_no_hypothesis() -> None:
    code = "import sys, autograder.grading.run, autograder.exams.dominoes.checks; print('hypothesis' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
