"""nbgrader in a term: killed and run again, renamed or broken notebooks, the course's own points."""

from __future__ import annotations

import csv
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder.commands.report import shown_of, store_of
from autograder.hosts import exchange
from autograder.hosts.exchange import begin, drop_unfinished, end, rename_notebooks
from autograder.report.model import Graded, Ungradable
from autograder.submission.reading import CHECK, grade_id
from autograder.term.store import DATABASE_FILE, Store
from autograder.units.pack import VARIABLE
from tests.classroom import blank_notebook, reference_answers, write_files
from tests.killing import settled_grading
from tests.sample import one_in
from tests.test_nbgrader import BIN, ENVIRONMENT, Course, filled, make_course
from tests.test_packs import WAR
from tests.units import course_in, known, read_unit

POINTS = {"swap_ends": 10, "penalty": 0.5}
FIRST = {name: reference_answers(read_unit("warmup"))[name] for name in ("swap_ends", "penalty")}


def set_points(course: Course) -> None:
    """Change points in the source notebook, as a teacher does, and release it."""
    path = course.root / "source" / "warmup" / "0_warmup.ipynb"
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if (name := grade_id(cell).removesuffix(CHECK)) in POINTS and cell.metadata.nbgrader.grade:
            cell.metadata.nbgrader.points = POINTS[name]
    nbformat.write(notebook, path)
    course.run("nbgrader", "generate_assignment", "warmup", "--force")


def exported(course: Course) -> dict[str, str]:
    course.run("nbgrader", "export")
    with (course.root / "grades.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["assignment"] == course.name]
    return {row["student_id"]: row["score"] for row in rows}


def exported_by_us(course: Course, assignment: str) -> dict[str, str]:
    course.run("foldem", "export", ".", "--to", "csv", "--out", "ours.csv")
    with (course.root / "ours.csv").open() as file:
        return {row["id"]: row[assignment] for row in csv.DictReader(file)}


@pytest.mark.proof
@pytest.mark.sandbox
@pytest.mark.nbgrader
def test_a_term_with_nbgrader_gives_every_student_the_right_marks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = make_course(tmp_path / "course", "warmup", sandboxed=True)
    set_points(course)
    for student in ("ann", "bob", "cid", "dan"):
        course.hand_in(student, filled(course.released(), FIRST))
    course.path("bob").rename(course.path("bob").with_name("mine (1).ipynb"))
    course.path("cid").write_text("{")
    with Gradebook(f"sqlite:///{course.root}/gradebook.db") as gradebook:
        gradebook.add_student("eve")
    late_by_a_day(course, "dan")
    (course.root / "adjust.toml").write_text(
        "[warmup.riffle]\ndropped = true\n[warmup.penalty]\npoints = 3\n"
        "[[bonus]]\nstudent = 'ann'\nunit = 'warmup'\npoints = 2"
    )
    kill_in_the_midst_of(course, "ann")
    mark_by_hand(course, "ann", "penalty", 2.5, "see me")
    course.run("nbgrader", "autograde", "warmup", in_spite_of_errors=True)
    marks = course.marks()
    # nbgrader has the bonus, and the cost of lateness, with the first check.
    expected = {"ann": (10 + 2, 2.5), "bob": (10, 3), "dan": (10 - 1.3, 3)}
    assert {each: (marks[each]["swap_ends"], marks[each]["penalty"]) for each in expected} == expected
    ensure_the_same(course, marks, monkeypatch)
    assert exported(course) == {"ann": "14.5", "bob": "13.0", "dan": "11.7", "cid": "", "eve": ""}
    with Gradebook(f"sqlite:///{course.root}/gradebook.db") as gradebook:
        assert gradebook.find_assignment("warmup").max_score == 28


@pytest.mark.nbgrader
@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("given", "total"),
    one_in(2, [("", 8.1), ("[[mark]]\nstudent = 'ann'\nunit = 'warmup'\npoints = 10", 10)]),
)
def test_lateness_and_total_marks_include_marks_by_hand(tmp_path: Path, given: str, total: float) -> None:
    course = make_course(tmp_path / "course", "warmup", sandboxed=True)
    course.hand_in("ann", filled(course.released(), FIRST))
    course.run("nbgrader", "autograde", "warmup")
    mark_by_hand(course, "ann", "riffle", 6.0, "see me")
    late_by_a_day(course, "ann")
    (course.root / "adjust.toml").write_text(given)
    course.run("nbgrader", "autograde", "warmup", "--force")
    course.run("foldem", "grade", ".", "--quiet")
    assert float(exported(course)["ann"]) == float(exported_by_us(course, "warmup")["ann"]) == total


@pytest.mark.nbgrader
@pytest.mark.sandbox
def test_a_mark_by_hand_belongs_to_the_answer_it_was_given_for(tmp_path: Path) -> None:
    course = make_course(tmp_path / "course", "warmup", sandboxed=True)
    wrong = FIRST | {"penalty": "def penalty(card):\n    return 7"}
    for student in ("ann", "bob"):
        course.hand_in(student, filled(course.released(), wrong))
    course.run("nbgrader", "autograde", "warmup")
    for student in ("ann", "bob"):
        mark_by_hand(course, student, "penalty", 0.5, "see me")
    course.run("foldem", "grade", "submitted", "--quiet")
    assert exported_by_us(course, "warmup") == {"ann": "1.5", "bob": "1.5"}
    course.hand_in("ann", filled(course.released(), FIRST))
    course.hand_in("bob", filled(course.released(), wrong | {"riffle": ""}))
    shown = course.run("foldem", "grade", "submitted")
    assert "ann: penalty: The mark by hand (0.5) was for an earlier answer, so it does not count" in shown
    assert exported_by_us(course, "warmup") == {"ann": "3", "bob": "1.5"}
    shown = course.run("nbgrader", "autograde", "warmup", "--force")
    assert "ann/warmup: penalty: the mark by hand was for an earlier answer" in shown and "bob/warmup:" not in shown
    assert exported(course) == {"ann": "3.0", "bob": "1.5"} and exported_by_us(course, "warmup")["ann"] == "3"
    with Gradebook(f"sqlite:///{course.root}/gradebook.db") as gradebook:
        assert gradebook.find_grade("penalty-check", course.stem, "warmup", "ann").needs_manual_grade


def late_by_a_day(course: Course, student: str) -> None:
    """Make a student a day late, which costs a tenth in this course. The notebook claims extra points."""
    with (course.root / "foldem.toml").open("a") as settings:
        settings.write("\nlate_per_day = 0.1\ndeadlines = { warmup = 2026-03-01T12:00:00Z }\n")
    (course.path(student).parent / "timestamp.txt").write_text("2026-03-02 11:00:00 UTC\n")
    notebook = nbformat.read(course.path(student), as_version=4)
    for cell in notebook.cells:
        cell.metadata["foldem"] = {"extra": 100}
    nbformat.write(notebook, course.path(student))


def kill_in_the_midst_of(course: Course, student: str) -> None:
    """Kill a real `nbgrader autograde` while it grades a student: it waits for the store, which is locked."""
    Store(course.root / DATABASE_FILE)
    folder = course.root / "autograded" / student / "warmup"
    with closing(sqlite3.connect(course.root / DATABASE_FILE, isolation_level=None)) as held:
        held.execute("BEGIN EXCLUSIVE")
        command = [BIN / "nbgrader", "autograde", "warmup"]
        with subprocess.Popen(command, cwd=course.root, env=ENVIRONMENT, stdout=DEVNULL, stderr=DEVNULL) as run:
            while run.poll() is None and not folder.exists():
                time.sleep(0.05)
            run.kill()
    assert run.returncode == -9 and folder.exists()


def mark_by_hand(course: Course, student: str, exercise: str, points: float, comment: str) -> None:
    """Mark an exercise as a teacher does in the formgrader."""
    with Gradebook(f"sqlite:///{course.root}/gradebook.db") as gradebook:
        where = course.stem, "warmup", student
        gradebook.find_grade(exercise + CHECK, *where).manual_score = points
        gradebook.find_comment(exercise, *where).manual_comment = comment
        gradebook.db.commit()


def ensure_the_same(course: Course, marks: dict[str, dict[str, float]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail unless `foldem grade` has nbgrader's marks, including marks by hand, and runs no answer again."""
    monkeypatch.setattr("autograder.grading.run.grade_in", lambda *_: pytest.fail("nbgrader has judged it before"))
    for item in settled_grading(course.root).reports():
        assert isinstance(item.report, Ungradable if item.student == "cid" else Graded)
        if isinstance(item.report, Graded):
            points = {each.name: each.points for each in item.report.exercises if each.number}
            points["swap_ends"] += sum(each.points for each in item.report.exercises if not each.number)
            assert {name: round(each, 1) for name, each in points.items()} == marks[item.student]
            assert ("see me" in item.report["penalty"].remarks) == (item.student == "ann")
    shown = shown_of(course_in(course.root), store_of(course_in(course.root), None)).by_unit["warmup"]
    assert {each.student: each.report["penalty"].points for each in shown} == {
        student: points["penalty"] for student, points in marks.items() if student != "cid"
    }


def test_formgrader_renames_notebooks_of_the_packs_of_a_course(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.chdir(tmp_path)
    Path("foldem.toml").write_text(f"packs = [{str(WAR)!r}]")
    for folder in ("source/war", "submitted/ann/war"):
        Path(folder).mkdir(parents=True)
    Path("source/war/0_war.ipynb").touch()
    nbformat.write(blank_notebook(read_unit("war", WAR)), "submitted/ann/war/mine.ipynb")
    begin("war", "ann", notebooks := ["submitted/ann/war/mine.ipynb"])
    end("war", "ann", notebooks)
    assert notebooks == ["submitted/ann/war/0_war.ipynb"]


def test_after_a_kill_only_unfinished_files_are_graded_again(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    for student in ("ann", "bob", "cid"):
        Path("autograded", student, "warmup").mkdir(parents=True)
        Path("submitted", student, "warmup").mkdir(parents=True)
        begin("warmup", "*", [f"submitted/{student}/warmup/0_warmup.ipynb"])
    end("warmup", "*", ["submitted/ann/warmup/0_warmup.ipynb"])
    assert drop_unfinished(Path()) == [], "a process that lives has them in hand"
    exchange._in_hand.pop(("bob", "warmup")).release()
    assert drop_unfinished(Path()) == [Path("autograded/bob/warmup")]
    end("warmup", "*", ["submitted/cid/warmup/0_warmup.ipynb"])
    assert drop_unfinished(Path()) == [] and Path("autograded/cid/warmup").exists()


def test_feedback_on_an_earlier_file_or_mark_goes_when_grading_begins(tmp_path: Path, monkeypatch: Any) -> None:
    """nbgrader keeps it unless there is a later time stamp, as after `foldem collect` without times, or `--force`."""
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path / "feedback", {"ann/hw/0_warmup.html": "", "bob/hw/0_warmup.html": ""})
    begin("hw", "*", ["submitted/ann/hw/0_warmup.ipynb"])
    end("hw", "*", ["submitted/ann/hw/0_warmup.ipynb"])
    assert [*Path("feedback").glob("*/*")] == [Path("feedback/bob/hw")]


@pytest.mark.parametrize(
    ("there", "then"),
    [
        ({"mine": "warmup"}, {"0_warmup"}),
        ({"mine": "warmup", "0_warmup": "warmup"}, {"mine", "0_warmup"}),
        ({"mine": "warmup", "too": "warmup"}, {"mine", "too"}),
        ({"mine": "uno"}, {"mine"}),
        ({"mine": ""}, {"0_warmup"}),
        ({"mine": "", "other": "uno"}, {"mine", "other"}),
    ],
    ids=lambda each: ", ".join(sorted(each)),
)
def test_a_notebook_is_renamed_by_its_content(tmp_path: Path, there: dict[str, str], then: set[str]) -> None:
    for name, unit in there.items():
        (tmp_path / f"{name}.ipynb").write_text(nbformat.writes(blank_notebook(unit)) if unit else "{")
    found = rename_notebooks(sorted(tmp_path.glob("*.ipynb")), ["0_warmup"], known())
    assert {path.stem for path in found} == then == {path.stem for path in tmp_path.iterdir()}
