"""Checks modules of authors: an invalid entry is reported with file and line, and no exam is built."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from autograder.exam.checks import checks_of
from autograder.exam.store import exam_for
from autograder.units import pack
from autograder.units.unit import Unit, UnitError
from tests.command import foldem_here
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


MISSPELT = {
    '"double": Check(facets': ('"duble": Check(facets', "has no exercise 'duble': did you mean 'double'?"),
    "Check(facets={": ("Check(facet={", "unexpected keyword argument 'facet'"),
    '"Small"': ('"Smal"', "no exercise has a parameter annotated Smal: did you mean 'Small'?"),
    "(case(0),)": ("case(0)", "the facet 'nothing' of double is neither a tuple of cases nor a Joint"),
    'Check(facets={"nothing": (case(0),)})': ('{"nothing": (case(0),)}', "the check of double is not a Check"),
    "Check(facets": ("Check(tolerance=2, facets", "the tolerance of double is not between 1e-12 and 1"),
    "import Check": ("import Chek", "cannot import name 'Chek'"),
    "CHECKS = {": ("CHECKS = {{", "SyntaxError"),
}


@pytest.mark.parametrize("right", MISSPELT)
def test_invalid_entries_are_refused_with_file_and_line(made: Unit, right: str) -> None:
    wrong, told = MISSPELT[right]
    file = made.pack.file("checks", made.name)
    file.write_text(SOUND.replace(right, wrong))
    with pytest.raises(UnitError) as refused:
        exam_for(read_unit(made.name))
    place, _, reason = str(refused.value).partition(": ")
    row = next(row for row, line in enumerate(SOUND.splitlines(), 1) if right in line)
    assert told in reason and "\n" not in reason
    assert place.startswith(f"{file}:") and abs(int(place.rpartition(":")[2]) - row) <= 1


def test_no_notebook_is_built_of_a_unit_with_a_check_for_nothing(made: Unit) -> None:
    file = made.pack.file("checks", made.name)
    file.write_text(SOUND.replace('"double": Check(facets', '"duble": Check(facets'))
    refused = foldem_here("build", made.name)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert f"{file}:" in refused.stderr and "did you mean 'double'?" in refused.stderr
    assert not made.pack.folder("notebooks").exists()


@pytest.mark.parametrize("unit", unit_names())
def test_the_checks_of_every_unit_are_sound(unit: str) -> None:
    assert set(checks_of(read_unit(unit)).by_name) <= set(read_unit(unit).by_name)


def test_grading_by_a_kept_exam_imports_no_hypothesis() -> None:
    code = "import sys, autograder.grading.run, autograder.checks.dominoes; print('hypothesis' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
