"""Helpers of references: they are wherever the reference is, and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autograder.config import Policy
from autograder.exam.draw import EVERY_INPUT
from autograder.exam.store import exam_for
from autograder.grading.run import grade
from autograder.hosts.kernel import Examiner
from autograder.prove.answers import notebook_with, submission_with
from autograder.prove.laws import leaks
from autograder.report.model import ExerciseReport, Graded
from autograder.units import pack as packs
from autograder.units.build import source_notebook
from autograder.units.pack import UnitError
from autograder.units.unit import Unit
from tests.tiny import CHECKS, tiny_unit

HELPERS = '''
# %%
_STEPS = (1, 2)


def _squares(number: int) -> list[int]:
    """Return the squares.

    This line is
  indented oddly.
    """
    text = """one
two"""
    return [step * number**2 for step in _STEPS if text.count("\\n") == 1]


# %%
def _sum(number):  # a comment
    return sum(_squares(number))


def double(number: Small) -> int:
    """Return a sum of squares.

    >>> double(1)
    3
    """

    return _sum(number)
'''
SMALL = f'{CHECKS}STRATEGIES = {{"Small": (1, 2, 3, 4)}}\n'


@pytest.fixture
def unit(tmp_path: Path) -> Unit:
    return tiny_unit(tmp_path, HELPERS, SMALL)


def test_reference_has_its_helpers_inside(unit: Unit) -> None:
    reference = unit["double"]
    assert reference.helpers == ("_STEPS", "_squares", "_sum") and reference.shown_source.count("_") == 0
    names = dict[str, object]({"Small": int})
    exec(reference.source, names)
    assert names["double"](3) == 27 and names.keys() - {"Small", "__builtins__"} == {"double"}  # type: ignore[operator]


def test_exam_runs_a_reference_with_its_helpers(unit: Unit) -> None:
    facet = next(facet for facet in exam_for(unit).by_name["double"].facets if facet.name == EVERY_INPUT)
    assert [json.loads(text)[1] for text in facet.expected][:4] == [3, 12, 27, 48]


def test_solution_shows_the_helpers_of_a_reference(unit: Unit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(packs.VARIABLE, str(unit.pack.root))
    assert Examiner().reference(unit.name, "double").count("def _") == 2


def double_report(unit: Unit, source: str) -> ExerciseReport:
    report = grade(submission_with(unit, {"double": source}), Policy(sandbox="off"))
    assert isinstance(report, Graded)
    return report["double"]


def test_only_the_reference_can_call_its_helpers(unit: Unit) -> None:
    sources = "def double(number):\n    return _sum(number)", unit["double"].source
    report, right = (double_report(unit, source) for source in sources)
    assert report.points == 0 and "_sum" in str(report.facets[0].failure) and right.points == right.of


def test_notebook_of_students_shows_no_helper(unit: Unit) -> None:
    cells = [cell.source for cell in notebook_with(unit, {}).cells]
    sources = [cell.source for cell in source_notebook(unit).cells if cell.id != "double"]
    assert not any("_sum" in source or "_STEPS" in source for source in cells + sources)
    assert list(leaks(unit["double"], {line.strip() for source in cells for line in source.splitlines()})) == []


def test_cell_of_helpers_has_no_other_code(tmp_path: Path) -> None:
    unit = tiny_unit(tmp_path, HELPERS.replace("_STEPS = (1, 2)\n", "_STEPS = (1, 2)\nimport math\n"), SMALL)
    with pytest.raises(UnitError, match=r"\.py:5: the cell of the helper _STEPS has other code, too"):
        source_notebook(unit)
