"""Assignments: the course decides which exercises count, and for how many points; a student's file does not."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from autograder.config import PUBLISHED_SEED
from autograder.submission.reading import CHECK, grade_id
from autograder.term.assignments import MOVE_ADVICE
from autograder.term.files import locate_files
from autograder.units.build import source_notebook
from tests.classroom import (
    blank_notebook,
    notebook_with,
    reference_answers,
    solved_notebook,
    write_file,
    write_files,
)
from tests.command import foldem, foldem_here, is_one_line_refusal
from tests.sample import as_proof
from tests.units import find_notebooks, read_unit

UNIT = read_unit("dominoes")
PART = ("flip", "append", "suppress", "is_sound", "legal_adds", "possible_dominoes")
ANSWERS = reference_answers(UNIT)


def make_course(folder: Path, *words: str) -> Path:
    """Make a course with the published exam, and an assignment that is a part of dominoes and worth 13 points."""
    write_file(folder / "foldem.toml", f'seed = "{PUBLISHED_SEED}"\n')
    words = words or ("--exercises", ",".join(PART), "--name", "tiles")
    assert foldem_here("course", folder, "--unit", "dominoes", *words).returncode == 0
    return folder


def part(**about: Any) -> Any:
    """Return the solved notebook of that part, with metadata that the student has changed."""
    notebook = source_notebook(UNIT, PART)
    notebook.metadata["foldem"] |= about
    return notebook


def without(notebook: Any, *names: str) -> Any:
    """Return a notebook without the cells of some exercises."""
    gone = {*names, *(name + CHECK for name in names)}
    notebook.cells = [cell for cell in notebook.cells if grade_id(cell) not in gone]
    return notebook


@cache
def hand_ins() -> Mapping[str, tuple[Any, float]]:
    """Return submissions with their points, by student."""
    return {
        "ann": (solved_notebook("dominoes"), 13),
        "bob": (part(exercises=["flip"]), 13),
        "dan": (without(part(), "suppress"), 11),
        "fay": (part(unit="sedma", exercises=["tally"]), 13),
        "gus": (notebook_with("dominoes", {name: ANSWERS[name] for name in ("flip", "take", "move")}), 1),
        "hal": (part(exercises=3, version="mine"), 13),
    }


def hand_in(course: Path, student: str, content: Any, assignment: str = "tiles") -> Path:
    """Put a notebook where the course expects it."""
    return write_file(course / "submitted" / student / assignment / "1_dominoes.ipynb", content)


def graded(course: Path, *words: str | Path) -> dict[str, dict[str, Any]]:
    """Grade a course by the command and return its reports by student."""
    out = course.parent / "reports"
    done = foldem_here("grade", course, "--out", out, "--quiet", *words)
    assert done.returncode in (0, 1), done.stderr
    return {report["submission"].split("/")[0]: report for report in json.loads((out / "report.json").read_text())}


@pytest.mark.sandbox
def test_marks_are_out_of_the_points_of_the_assignment(tmp_path: Path) -> None:
    course = make_course(tmp_path / "cs101")
    for student, (content, _) in hand_ins().items():
        hand_in(course, student, content)
    reports = graded(course, "--jobs", "2")
    totals = {student: (report["points"], report["of"]) for student, report in reports.items()}
    assert totals == {student: (points, 13) for student, (_, points) in hand_ins().items()}
    assert {tuple(each["name"] for each in report["exercises"]) for report in reports.values()} == {PART}
    suppress = next(each for each in reports["dan"]["exercises"] if each["name"] == "suppress")
    assert (suppress["state"], suppress["problem"]) == ("not written", "the cell of this exercise is missing")
    remarks = {student: " ".join(report["notes"]) for student, report in reports.items()}
    assert {student for student, text in remarks.items() if "not in this assignment" in text} == {"ann", "gus"}
    assert "input_move" in remarks["ann"]
    assert foldem_here("export", course, "--to", "canvas").returncode == 0
    with (course / "marks-canvas.csv").open(newline="") as file:
        rows = {row["SIS User ID"]: row["tiles"] for row in csv.DictReader(file)}
    assert rows == {"": "13"} | {student: f"{points:g}" for student, (_, points) in hand_ins().items()}


@pytest.mark.sandbox
def test_a_file_of_no_assignment_is_ungraded_with_a_remedy(tmp_path: Path) -> None:
    course = make_course(tmp_path / "cs101")
    make_course(course, "--exercises", "take,move", "--name", "moves")
    hand_in(course, "ann", part(), assignment="tilez")
    hand_in(course, "bob", blank_notebook("sedma"))
    hand_in(course, "cid", solved_notebook("dominoes"), assignment="")
    reports = graded(course)
    assert {student: report["problem"] for student, report in reports.items() if report["problem"]} == {
        "ann": f"this course has no assignment 'tilez', only the assignments moves, tiles. {MOVE_ADVICE}",
        "bob": "the notebook belongs to the unit sedma, not to dominoes",
        "cid": f"several assignments have a notebook of dominoes: moves, tiles. {MOVE_ADVICE}",
    }


@pytest.mark.sandbox
@pytest.mark.parametrize("is_in_course", [as_proof(True), False])
def test_pytest_counts_the_exercises_that_the_course_sets(tmp_path: Path, is_in_course: bool) -> None:
    course = make_course(tmp_path / "cs101")
    forged = hand_in(course, "bob", part(exercises=["flip"]))
    solved = write_file(tmp_path / "1_dominoes.ipynb", solved_notebook("dominoes"))
    words = [forged] if is_in_course else [solved, "--released", course / "source" / "tiles" / "1_dominoes.ipynb"]
    done = foldem("pytest", *words, "-q")
    assert done.returncode == 0 and "1_dominoes.ipynb: 13 of 13 points" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("files", "given", "names"),
    [
        ("subs/ada/x.ipynb subs/barbara/x.ipynb", "subs/ada subs/barbara", "ada/x barbara/x"),
        ("subs/ada/1_dominoes.ipynb", "subs/ada", "ada/1_dominoes"),
        ("a/x.ipynb b/x.ipynb", "a/x.ipynb b/x.ipynb", "a/x b/x"),
        ("monday/ann.ipynb friday/ann.ipynb", "monday friday", "monday/ann friday/ann"),
        ("ada/1_dominoes.ipynb bob/sedma.ipynb", "ada/1_dominoes.ipynb bob/sedma.ipynb", "ada/1_dominoes bob/sedma"),
        ("subs/1_dominoes.ipynb subs/ada/1_dominoes.ipynb", "subs", "subs/1_dominoes ada/1_dominoes"),
        ("ada.ipynb bob.ipynb", "ada.ipynb bob.ipynb", "ada.ipynb bob.ipynb"),
        ("1_dominoes.ipynb", "1_dominoes.ipynb", "1_dominoes.ipynb"),
    ],
)  # fmt: skip
def test_a_student_is_named_by_the_differing_part_of_the_path(
    tmp_path: Path, files: str, given: str, names: str
) -> None:
    write_files(tmp_path, dict.fromkeys(files.split(), "{}"))
    notebooks = list(find_notebooks(tmp_path / name for name in given.split()))
    assert sorted(name for name, _ in notebooks) == sorted(names.split())
    students = sorted(name.split("/")[0].removesuffix(".ipynb") for name in names.split())
    located = list(locate_files(notebooks))
    assert sorted(each.student for each in located) == students and len({each.place for each in located}) == len(
        located
    )


@pytest.mark.parametrize(
    ("name", "line", "text"),
    [
        ("foldem.toml", 2, "deadlines = { tilez = 2026-03-01T12:00:00Z }\n"),
        ("adjust.toml", 3, "[[extension]]\nstudent = 'ann'\nassignment = 'tilez'\nuntil = 2026-03-02T12:00:00Z\n"),
    ],
)
def test_a_deadline_for_no_assignment_is_refused_by_every_command(
    tmp_path: Path, name: str, line: int, text: str
) -> None:
    course = make_course(tmp_path / "cs101")
    hand_in(course, "ann", blank_notebook("dominoes"))
    with (course / name).open("a") as file:
        file.write(text)
    (tmp_path / "download").mkdir()
    for words in (
        ("grade", course),
        ("grade", course, "--diff"),
        ("export", course),
        ("collect", tmp_path / "download", course),
    ):
        done = foldem_here(*words)
        assert is_one_line_refusal(done), done.stderr
        assert f"{name}:{line}: unknown assignment 'tilez': did you mean 'tiles'?" in done.stderr


def test_an_assignment_that_was_handed_in_may_have_a_deadline(tmp_path: Path) -> None:
    course = make_course(tmp_path / "cs101")
    hand_in(course, "ann", blank_notebook("dominoes"), assignment="oral")
    with (course / "foldem.toml").open("a") as file:
        file.write("deadlines = { oral = 2026-03-01T12:00:00Z, tiles = 2026-03-01T12:00:00Z }\n")
    assert foldem_here("grade", course, "--diff").stdout.startswith("Marks change for 0 of 1")
