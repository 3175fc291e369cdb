"""Submissions made from a pack's own answers: the references, the mistakes, and full solutions in other styles."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell

from autograder.submission.model import Submission
from autograder.submission.notebook import grade_id
from autograder.submission.sort import submission_of
from autograder.units.build import source_notebook, student_stub
from autograder.units.mistakes import Mistake
from autograder.units.unit import Unit, UnitError, read_unit
from autograder.units.written import statements
from course.syntax import bound_names


@dataclass(frozen=True)
class Right:
    """A full solution in one style: answers by exercise, and its other definitions, in order."""

    unit: str
    style: str
    answers: dict[str, str]
    helpers: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.unit}-{self.style}"


def right_answers(unit: str) -> tuple[Right, ...]:
    """Return the full solutions of a unit."""
    return _read_right_answers(unit, read_unit(unit).pack.folder("right"))


@cache
def _read_right_answers(unit: str, folder: Path) -> tuple[Right, ...]:
    return tuple(_right(unit, path) for path in sorted(folder.glob(f"{unit}_*.py")))


def _right(unit: str, path: Path) -> Right:
    answers: dict[str, str] = {}
    helpers: list[str] = []
    for node, _, text in statements(path):
        own = bound_names(node) & set(read_unit(unit).by_name)
        if own:
            answers[own.pop()] = text
        elif not isinstance(node, ast.Expr):
            helpers.append(text)
    if missing := [name for name in read_unit(unit).by_name if name not in answers]:
        raise UnitError(f"{path}: there is no answer to {missing[0]}: a right answer is a solution of the whole unit")
    return Right(unit, path.stem.removeprefix(f"{unit}_"), answers, tuple(helpers))


@cache
def _blank(unit: Unit) -> str:
    notebook = source_notebook(unit)
    for cell in notebook.cells:
        if grade_id(cell) in unit.by_name:
            cell.source = student_stub(unit[grade_id(cell)])
    return nbformat.writes(notebook)


def blank_notebook(unit: str) -> Any:
    """Return the student's notebook as it is released."""
    return nbformat.reads(_blank(read_unit(unit)), as_version=4)


def references(unit: Unit) -> dict[str, str]:
    """Return the reference answers by exercise."""
    return {exercise.name: exercise.source for exercise in unit.exercises}


def names_with(unit: Unit, answers: Mapping[str, str], helpers: Sequence[str] = ()) -> dict[str, Any]:
    """Return the names of a notebook in which the cells with answers were run: given names, helpers and answers."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(f"from {unit.module.__name__} import *", names)
    for source in (*helpers, *(answers[each] for each in unit.by_name if each in answers)):
        exec(compile(source, "<cell>", "exec", dont_inherit=True), names)
    return names


def notebook_with(unit: str, answers: dict[str, str], helpers: tuple[str, ...] = ()) -> Any:
    """Return the student's notebook with answers filled in, and helpers in a cell at the top."""
    notebook = blank_notebook(unit)
    for cell in notebook.cells:
        if grade_id(cell) in answers:
            cell.source = answers[grade_id(cell)]
    if helpers:
        notebook.cells.insert(1, new_code_cell("\n".join(helpers), id="helpers"))
    return notebook


def submission_with(unit: str, answers: dict[str, str], helpers: tuple[str, ...] = ()) -> Submission:
    """Return a submission with these answers and helpers; the rest is unwritten."""
    return submission_of(notebook_with(unit, answers, helpers))


def submission_of_right(right: Right) -> Submission:
    """Return a full solution as a submission."""
    return submission_with(right.unit, right.answers, right.helpers)


def submission_of_wrong(wrong: Mistake) -> Submission:
    """Return a submission whose only answer is this mistake."""
    return submission_with(wrong.unit, {wrong.exercise: wrong.source})
