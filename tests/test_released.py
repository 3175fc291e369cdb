"""Notebooks that were released earlier: they open, run, check and are graded as on the day of their release."""

from __future__ import annotations

import csv
import json
import sqlite3
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import nbformat
import pytest
from nbclient import NotebookClient

from autograder.submission.reading import grade_id
from tests.classroom import graded_class, reference_answers
from tests.command import CELL_PATIENCE, foldem_here
from tests.units import read_unit

SEDMA = read_unit("sedma")
# What cells of released notebooks have imported. A name stays here for ever.
IMPORTED = {
    "course.basra_game": "bot by_hand play_basra",
    "course.check": "borrow check hint progress solution",
    "course.tables": "basra_table domino_table fold_steps sedma_record sedma_table try_capture try_order try_tile"
    " try_trick try_view uno_table watch_deal watch_set",
}


def solved() -> Any:
    """Return a released notebook with right answers in it."""
    notebook = nbformat.read(Path(__file__).with_name("released") / "2_sedma.ipynb", as_version=4)
    answers = reference_answers(SEDMA)
    for cell in notebook.cells:
        cell.source = answers.get(grade_id(cell), cell.source)
    return notebook


@pytest.mark.parametrize("module", IMPORTED)
def test_released_notebooks_find_what_they_import(module: str) -> None:
    assert [name for name in IMPORTED[module].split() if not callable(getattr(import_module(module), name, None))] == []


def test_released_notebook_runs_and_checks() -> None:
    notebook = NotebookClient(solved(), timeout=CELL_PATIENCE).execute()
    checks = [cell for cell in notebook.cells if cell.source.startswith("from course.check import check\n")]
    assert len(checks) == 7 and [cell for cell in checks if "✓" not in str(cell.outputs)] == []


@pytest.mark.sandbox
def test_released_notebook_earns_the_points_of_its_exercises(tmp_path: Path) -> None:
    nbformat.write(solved(), tmp_path / "2_sedma.ipynb")
    (graded,) = graded_class(tmp_path)
    written = [each for each in graded.report.exercises if each.name in map(grade_id, solved().cells)]
    assert len(written) == 7 and all(each.points == each.of > 0 for each in written)


def marks_in(store: Path) -> dict[str, dict[str, float]]:
    """Return the points of each student in a store of any format, by exercise."""
    with closing(sqlite3.connect(store)) as database:
        rows = database.execute("SELECT student, marks FROM foldem_entry").fetchall()
    return {student: {name: points for name, (points, _) in json.loads(marks).items()} for student, marks in rows}


@pytest.mark.sandbox
def test_course_from_before_secret_calls_keeps_its_marks(tmp_path: Path) -> None:
    """The course has a secret seed, pinned exams, adjustments, and results in a store and in nbgrader's gradebook."""
    with ZipFile(Path(__file__).with_name("released") / "cs101.zip") as archive:
        archive.extractall(tmp_path)
    course = tmp_path / "cs101"
    before = marks_in(course / "foldem.db")
    assert sum(before["bob"].values()) == 14.5 and 0 < sum(before["cid"].values()) < 3
    assert "another version of Foldem" in foldem_here("grade", course).stderr
    (course / "foldem.db").unlink()
    done = foldem_here("grade", course)
    assert done.returncode == 0 and marks_in(course / "foldem.db") == before, done.stderr
    with (course / "grades.csv").open() as file:
        scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert scores == {student: round(sum(marks.values()), 2) for student, marks in before.items()}
