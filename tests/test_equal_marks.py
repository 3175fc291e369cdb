"""A course of two assignments: nbgrader's own exporter and `foldem export` give every student the same marks."""

from __future__ import annotations

import csv
import os
import subprocess
from datetime import UTC, datetime

import pytest
from nbgrader.api import Gradebook

from autograder.config import PUBLISHED
from autograder.submission.reading import CHECK
from tests.classroom import reference_answers, solved_notebook, write_file
from tests.test_nbgrader import BIN, ENVIRONMENT, Course, filled, packed_mistakes
from tests.units import read_unit

IN_TIME = datetime(2026, 2, 1, tzinfo=UTC).timestamp()
FIRST, SECOND = "toolkit", "record"
STUDENTS = ("ann", "bob", "cid", "dan", "eve", "fay", "gus")
PART = ("swap_ends", "penalty", "riffle", "riffles_to_restore", "penalties")
RIGHT = reference_answers(read_unit("warmup"))
SETTINGS = f"""seed = "{PUBLISHED}"
late_per_day = 0.1
deadlines = {{ {FIRST} = 2026-03-01T12:00:00Z }}
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """Return a course that has released a part of the warm-up and all of Sedma, with all submissions."""
    root = write_file(tmp_path_factory.mktemp("term") / "cs101" / "foldem.toml", SETTINGS).parent
    first, second = Course(root, "warmup", FIRST), Course(root, "sedma", SECOND)
    part = "--unit", "warmup", "--exercises", f"{PART[0]}..{PART[-1]}"
    for words in ((*part, "--name", FIRST), ("--unit", "sedma", "--name", SECOND)):
        subprocess.run([BIN / "foldem", "course", root, *words], check=True, capture_output=True, env=ENVIRONMENT)
    for assignment in (FIRST, SECOND):
        first.run("nbgrader", "generate_assignment", assignment)
    hand_in(first)
    hand_in_second(second)
    return first


def hand_in(course: Course) -> None:
    """Hand in the first assignment: the whole public notebook, forged, collected, wrong, late, broken."""
    solved, forged = filled(course.released(), RIGHT), filled(course.released(), {"penalty": RIGHT["penalty"]})
    forged.metadata["foldem"] |= {"exercises": ["penalty"]}
    wrong = filled(course.released(), packed_mistakes("warmup")[0])
    notebooks = {"ann": solved_notebook("warmup"), "bob": forged, "dan": wrong, "eve": solved, "fay": solved}
    for student, notebook in notebooks.items():
        course.hand_in(student, notebook)
    course.path("fay").write_text("{")
    (course.path("eve").parent / "timestamp.txt").write_text("2026-03-02 11:00:00 UTC\n")
    download = course.root.parent / "download"
    collected = filled(course.released(), {name: RIGHT[name] for name in PART[:3]})
    os.utime(write_file(download / "cid" / "work.ipynb", collected), (IN_TIME, IN_TIME))
    write_file(course.root / "roster.csv", "id,name\n" + "".join(f"{name},{name.title()}\n" for name in STUDENTS))
    words = "foldem", "collect", str(download), ".", "--assignment", FIRST
    assert "1 notebook collected" in course.run(*words, in_spite_of_errors=True)  # gus has no file


def hand_in_second(course: Course) -> None:
    """Hand in the second assignment: right, wrong, and from somebody who has not handed in the first."""
    right = filled(course.released(), reference_answers(read_unit("sedma")))
    for student, answers in (("ann", {}), ("dan", packed_mistakes("sedma")[0]), ("gus", {})):
        course.hand_in(student, filled(right, answers))


def mark(course: Course, assignment: str, stem: str, student: str, exercise: str, **marks: float) -> None:
    """Mark a check as the formgrader does."""
    with Gradebook(f"sqlite:///{course.root}/gradebook.db") as gradebook:
        grade = gradebook.find_grade(exercise + CHECK, stem, assignment, student)
        for name, points in marks.items():
            setattr(grade, name, points)
        gradebook.db.commit()


def exported(course: Course, file: str, *words: str) -> list[dict[str, str]]:
    """Return the rows of the table that an export writes."""
    course.run(*words, file)
    with (course.root / file).open(newline="") as table:
        return list(csv.DictReader(table))


def theirs(course: Course) -> dict[tuple[str, str], float]:
    """Return the marks that nbgrader's own exporter writes, by student and assignment, without blank ones."""
    rows = exported(course, "theirs.csv", "nbgrader", "export", "--to")
    return {(row["student_id"], row["assignment"]): float(row["score"]) for row in rows if row["score"]}


def ours(course: Course) -> dict[tuple[str, str], float]:
    """Return the marks that `foldem export` writes."""
    rows = exported(course, "ours.csv", "foldem", "export", ".", "--out")
    return {(row["id"], name): float(row[name]) for row in rows for name in (FIRST, SECOND) if row[name]}


@pytest.mark.proof
@pytest.mark.nbgrader
@pytest.mark.sandbox
def test_both_exports_give_the_same_marks_in_both_assignments(course: Course) -> None:
    for assignment in (FIRST, SECOND):
        course.run("nbgrader", "autograde", assignment, in_spite_of_errors=True)
    marks = ours(course)  # nothing was graded by `foldem grade`
    assert marks == theirs(course)
    again = course.run("foldem", "grade", ".", "--diff", in_spite_of_errors=True)  # fay's file is broken
    assert again.startswith("Marks change for 0 of 9 submissions")
    assert {(student, name) for student, name in marks if name == FIRST} == {
        (student, FIRST) for student in ("ann", "bob", "cid", "dan", "eve")
    }
    expected = {"ann": 9.0, "bob": 2.0, "cid": 5.0, "eve": 8.1}
    assert {student: marks[student, FIRST] for student in expected} == expected
    mark(course, FIRST, "0_warmup", "dan", "riffle", manual_score=1.5)
    mark(course, FIRST, "0_warmup", "dan", "penalty", extra_credit=0.5)
    mark(course, FIRST, "0_warmup", "eve", "swap_ends", extra_credit=2.0 - 0.9)  # what lateness costs is there, too
    mark(course, FIRST, "0_warmup", "ann", "swap_ends", extra_credit=3.0)
    mark(course, SECOND, "2_sedma", "gus", "tally", extra_credit=1.25)
    marked = ours(course)
    assert marked == theirs(course)
    gained = {whose: round(points - marks[whose], 2) for whose, points in marked.items() if points != marks[whose]}
    assert {**gained, ("dan", FIRST): 0} == {
        ("ann", FIRST): 3, ("eve", FIRST): 2, ("gus", SECOND): 1.25, ("dan", FIRST): 0
    }  # fmt: skip
    (course.root / "adjust.toml").write_text("[[bonus]]\nstudent = 'ann'\nunit = 'warmup'\npoints = 2")
    for assignment in (FIRST, SECOND):
        course.run("nbgrader", "autograde", assignment, "--force", in_spite_of_errors=True)
    assert ours(course) == theirs(course) == marked | {("ann", FIRST): marked["ann", FIRST] + 2}
    (course.root / "adjust.toml").unlink()
    course.run("nbgrader", "autograde", FIRST, "--force", in_spite_of_errors=True)
    assert ours(course) == theirs(course) == marked
    course.run("foldem", "grade", ".", "--quiet", in_spite_of_errors=True)
    assert ours(course) == marked
