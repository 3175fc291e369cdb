"""Built notebooks: never stale, never solved, never leaking, the same bytes each time."""

from __future__ import annotations

import ast
import json
from functools import cache
from importlib import import_module
from pathlib import Path

import nbformat
import pytest

from autograder.hosts.nbgrader import built_files
from autograder.prove.inspection import ensure_files_valid
from autograder.prove.laws import leak_messages
from autograder.submission.reading import grade_id
from autograder.units.build import notebook_file, source_notebook
from autograder.units.unit import Exercise, units_in
from course.diagnoses.obstacle import UnwrittenExercise
from tests.units import known, read_unit, submission_of, unit_names

EXERCISES = [exercise for unit in unit_names() for exercise in read_unit(unit).exercises]


@cache
def fresh() -> dict[Path, str]:
    return built_files(units_in(known()))


def test_committed_files_are_current() -> None:
    stale = [str(path) for path, text in fresh().items() if not path.exists() or path.read_text() != text]
    assert stale == [], "run `make build`"


def test_build_finds_nothing_wrong_with_our_units() -> None:
    ensure_files_valid(units_in(known()))


def test_a_removed_unit_has_no_notebook() -> None:
    there = {path for pack in known().packs for path in pack.folder("notebooks").glob("*.ipynb")}
    assert there == {notebook_file(read_unit(name)) for name in unit_names()}


@pytest.mark.parametrize("unit", unit_names())
def test_no_cell_needs_the_import_of_another_cell(unit: str) -> None:
    """Cells can be run in any order, because a kernel starts with the names of the unit and of `course.check`."""
    cells = [ast.parse(code.removeprefix("%%watch")) for code in _codes(unit)]
    ready = {*vars(import_module("course.check"))} | {*vars(read_unit(unit).module)}
    imports = [_imported(cell) for cell in cells]
    lacking = [_used(cell) & set.union(*imports) - own - ready for cell, own in zip(cells, imports, strict=True)]
    assert [names for names in lacking if names] == []


def _codes(unit: str) -> list[str]:
    notebook = json.loads(notebook_file(read_unit(unit)).read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def _imported(cell: ast.Module) -> set[str]:
    return {alias.name for node in ast.walk(cell) if isinstance(node, ast.ImportFrom) for alias in node.names}


def _used(cell: ast.Module) -> set[str]:
    return {node.id for node in ast.walk(cell) if isinstance(node, ast.Name)}


@pytest.mark.parametrize("unit", unit_names())
def test_a_released_notebook_is_unsolved(unit: str) -> None:
    assert {attempt.obstacle for attempt in submission_of(released(unit)).attempts.values()} == {UnwrittenExercise()}


@pytest.mark.parametrize("unit", unit_names())
def test_ids_are_stable_and_each_is_there_once(unit: str) -> None:
    ids = [cell.id for cell in released(unit).cells]
    assert len(ids) == len(set(ids)) and {exercise.name for exercise in read_unit(unit).exercises} <= set(ids)
    assert ids == [cell.id for cell in source_notebook(read_unit(unit)).cells]


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: f"{e.unit}-{e.name}")
def test_a_released_notebook_leaks_no_line_of_a_solution(exercise: Exercise) -> None:
    text = "\n".join(cell.source for cell in released(exercise.unit).cells)
    assert list(leak_messages(exercise, set(map(str.strip, text.splitlines())))) == []


@pytest.mark.parametrize("unit", unit_names())
def test_check_cells_are_locked_and_worth_the_points(unit: str) -> None:
    cells = {grade_id(cell): cell for cell in released(unit).cells if grade_id(cell)}
    for exercise in read_unit(unit).exercises:
        graded = cells[f"{exercise.name}-check"].metadata.nbgrader
        assert (graded.grade, graded.locked, graded.points) == (True, True, exercise.points)
        assert cells[f"{exercise.name}-check"].source.endswith(f'check("{exercise.name}")')


@pytest.mark.parametrize("unit", unit_names())
def test_statements_contain_no_answer(unit: str) -> None:
    text = json.dumps([text for path, text in fresh().items() if path.name == f"{unit}.json"])
    assert "BEGIN SOLUTION" not in text and not any(exercise.source in text for exercise in read_unit(unit).exercises)


def released(unit: str) -> object:
    return nbformat.reads(fresh()[notebook_file(read_unit(unit))], as_version=4)
