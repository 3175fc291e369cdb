"""Checks modules of authors: an invalid entry is reported with file and line, and no exam is built."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from autograder.exam.checks import checks_of
from autograder.exam.store import exam_for
from autograder.units import pack
from autograder.units.unit import Unit
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


def test_the_facets_of_a_check_are_in_the_exam(made: Unit) -> None:
    paper = exam_for(read_unit(made.name)).by_name["double"]
    assert [facet.name for facet in paper.facets] == ["the examples of the statement", "nothing", "every input"]


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
    code = "import sys, autograder.grading.run, autograder.checks.dominoes; print('hypothesis' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
