"""Submissions made from a pack's own answers: references, mistakes, and full solutions in other styles."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from autograder.submission.model import Submission
from autograder.submission.notebook import grade_id
from autograder.submission.sort import submission_of
from autograder.units.build import source_notebook, student_stub
from autograder.units.mistakes import Mistake
from autograder.units.unit import Unit, UnitError
from autograder.units.written import location_of, written_statements
from course.syntax import bound_names


@dataclass(frozen=True)
class Right:
    """A full solution in one style: answers by exercise, and other definitions, in order."""

    unit: Unit
    style: str
    answers: dict[str, str]
    helpers: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.unit.name}-{self.style}"

    def location(self, exercise: str) -> str:
        """Return the file and line of an answer."""
        path = self.unit.pack.folder("right") / f"{self.unit.name}_{self.style}.py"
        return location_of(path, exercise)


@cache
def right_answers(unit: Unit) -> tuple[Right, ...]:
    """Return the full solutions of a unit."""
    return tuple(_right(unit, path) for path in sorted(unit.pack.folder("right").glob(f"{unit.name}_*.py")))


def _right(unit: Unit, path: Path) -> Right:
    answers: dict[str, str] = {}
    helpers: list[str] = []
    for node, _, text in written_statements(path):
        own = bound_names(node) & set(unit.by_name)
        if own:
            answers[own.pop()] = text
        elif not isinstance(node, ast.Expr):
            helpers.append(text)
    if missing := [name for name in unit.by_name if name not in answers]:
        raise UnitError(f"{path}:1: there is no answer to {missing[0]}: a right answer is a solution of the whole unit")
    return Right(unit, path.stem.removeprefix(f"{unit.name}_"), answers, tuple(helpers))


@cache
def _blank(unit: Unit) -> NotebookNode:
    notebook = source_notebook(unit)
    for cell in notebook.cells:
        if grade_id(cell) in unit.by_name:
            cell.source = student_stub(unit[grade_id(cell)])
    return nbformat.reads(nbformat.writes(notebook), as_version=4)


def blank_notebook(unit: Unit) -> NotebookNode:
    """Return the student's notebook, as released."""
    return deepcopy(_blank(unit))


def reference_answers(unit: Unit) -> dict[str, str]:
    """Return the reference answers by exercise."""
    return {exercise.name: exercise.source for exercise in unit.exercises}


def names_with(unit: Unit, answers: Mapping[str, str], helpers: Sequence[str] = ()) -> dict[str, object]:
    """Return a notebook's namespace after its cells have run: given names, helpers and answers."""
    names: dict[str, object] = {"__name__": "__main__"}
    exec(f"from {unit.module.__name__} import *", names)
    for source in (*helpers, *(answers[each] for each in unit.by_name if each in answers)):
        exec(compile(source, "<cell>", "exec", dont_inherit=True), names)
    return names


def notebook_with(unit: Unit, answers: dict[str, str], helpers: tuple[str, ...] = ()) -> NotebookNode:
    """Return the student's notebook with answers filled in, and helpers in a cell at the top."""
    return deepcopy(_filled(unit, answers, helpers))


def _filled(unit: Unit, answers: Mapping[str, str], helpers: Sequence[str]) -> NotebookNode:
    """Return a notebook that shares everything but the sources of answered cells with other notebooks of the unit."""
    blank = _blank(unit)
    cells = [NotebookNode(cell | {"source": answers.get(grade_id(cell) or "", cell.source)}) for cell in blank.cells]
    if helpers:
        cells.insert(1, new_code_cell("\n".join(helpers), id="helpers"))
    return NotebookNode(blank | {"cells": cells})


def submission_with(unit: Unit, answers: dict[str, str], helpers: tuple[str, ...] = ()) -> Submission:
    """Return a submission with these answers and helpers; all other exercises are unwritten."""
    return submission_of(_filled(unit, answers, helpers), unit.catalogue)


def submission_of_right(right: Right) -> Submission:
    """Return a full solution as a submission."""
    return submission_with(right.unit, right.answers, right.helpers)


def submission_of_wrong(wrong: Mistake) -> Submission:
    """Return a submission whose only answer is this mistake."""
    return submission_with(wrong.unit, {wrong.exercise: wrong.source})
