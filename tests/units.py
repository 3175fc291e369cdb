"""Helpers for tests that refer to installed units by name. The grader itself takes units and catalogues as values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder import config
from autograder.config import Policy
from autograder.grading.batch import GradingBrief, Task, grade_task
from autograder.prove import answers
from autograder.prove.answers import RightSolution
from autograder.report.model import Report
from autograder.submission import find, sort
from autograder.submission.model import NO_ASSIGNMENT, AssignmentPoints, Submission
from autograder.term import adjust
from autograder.term.adjust import Adjustments
from autograder.term.course import Course, read_course
from autograder.units import mistakes, unit
from autograder.units.mistakes import Mistake
from autograder.units.pack import Catalogue, catalogue_here
from autograder.units.unit import Unit

ROOT = Path(__file__).parent.parent
WAR = ROOT / "tests" / "packs" / "war"


def known(*packs: Path) -> Catalogue:
    """Return a catalogue of the installed packs and these packs."""
    return catalogue_here().with_packs(packs)


def read_unit(name: str, *packs: Path) -> Unit:
    return unit.read_unit(known(*packs), name)


def unit_names(*packs: Path) -> tuple[str, ...]:
    return known(*packs).units


def mistakes_of(name: str, *packs: Path) -> tuple[Mistake, ...]:
    return mistakes.mistakes_of(read_unit(name, *packs))


def right_answers(name: str, *packs: Path) -> tuple[RightSolution, ...]:
    return answers.right_answers(read_unit(name, *packs))


def blank_notebook(name: str | Unit) -> Any:
    return answers.notebook_with(named(name), {})


def own_cells(name: str | Unit) -> list[str]:
    """Return the cells of code in a unit's notebook that are neither answers nor checks."""
    cells = blank_notebook(name).cells
    return [cell.source for cell in cells if cell.cell_type == "code" and "nbgrader" not in cell.metadata]


def table_cells(name: str | Unit) -> list[str]:
    """Return the cells of a unit's notebook that open a table."""
    opens = re.compile(r"^from \w+\.tables\b.* import (?!picture$)", re.MULTILINE)
    return [cell for cell in own_cells(name) if opens.search(cell)]


def notebook_with(name: str | Unit, sources: dict[str, str], helpers: tuple[str, ...] = ()) -> Any:
    return answers.notebook_with(named(name), sources, helpers)


def submission_with(name: str | Unit, sources: dict[str, str], helpers: tuple[str, ...] = ()) -> Submission:
    return answers.submission_with(named(name), sources, helpers)


def named(name: str | Unit) -> Unit:
    return name if isinstance(name, Unit) else read_unit(name)


def submission_of(notebook: Any, of: Unit | None = None, parts: AssignmentPoints = NO_ASSIGNMENT) -> Submission:
    return sort.submission_of(notebook, of.catalogue if of else known(), of, parts)


def read_submission(path: Path, of: Unit | None = None, parts: AssignmentPoints = NO_ASSIGNMENT) -> Submission:
    return sort.read_submission(path, of.catalogue if of else known(), of, parts)


def find_notebooks(paths: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    return find.find_notebooks(paths, known())


def report_on(path: Path, policy: Policy) -> Report:
    """Return the report on a file. If it cannot be graded, the report says why."""
    return grade_task(Task(path), GradingBrief(policy, known())).report


def course_in(root: Path | None) -> Course:
    """Return the course in this folder, with or without settings."""
    return replace(read_course(root, known().with_pins(root)), root=root) if root else Course(known())


def adjustments_in(root: Path | None) -> Adjustments:
    return adjust.adjustments_in(course_in(root))


def secret_folders(*packs: Path) -> tuple[Path, ...]:
    return config.secret_folders(known(*packs))
