"""Marks on their way to a learning platform, and the roster that names who they are for."""

from __future__ import annotations

import csv
import os
import subprocess
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import nbformat
import pytest

from autograder.report.model import PASSED, UNGRADED, ExerciseReport, Graded, Report, Ungradable
from autograder.term.adjust import Single
from autograder.term.export import as_canvas, as_csv, as_moodle, marks_of, rounded_points
from autograder.term.roster import RosterError, Student, read_roster
from autograder.term.view import ShownReport
from tests.classroom import notebook_with
from tests.command import foldem, foldem_here, is_one_line_refusal
from tests.killing import quick_run
from tests.test_term_store import hand_in
from tests.units import known

ANN = Student("s1", "Ann, A.", "ann@x.org", "B", "77", "sis1", "ann")
BOB, CID, DAN = Student("s2", "Bob"), Student("s3", "Cid"), Student("s4", "Dan")


def told(student: str, report: Report, name: str = "0_warmup") -> ShownReport:
    return ShownReport(f"p/{student}/{name}", f"{student}/warmup/{name}", student, "warmup", report)


def report(points: float, state: str = PASSED) -> Graded:
    return Graded("warmup", "Warm-up", "0", "secret", "off", (ExerciseReport("swap_ends", 1, state, points, 52.0),))


MARKS = marks_of(
    [
        told("s1", report(45.79999999999999)),
        told("s1", report(1.0), "my"),
        told("s2", Ungradable("broken")),
        told("s3", report(3.0, UNGRADED)),
    ],
    known(),
)
EVERYBODY = [ANN, BOB, CID, DAN]


def test_unmarked_work_is_blank_and_never_0() -> None:
    rows = list(as_csv(EVERYBODY, MARKS, {}))
    assert [row[-1] for row in rows] == ["warmup", "45.8", "", "", ""]


def test_missing_notebook_gives_no_mark_and_foreign_ones_count_nothing() -> None:
    uno = replace(report(9.0), unit="uno")
    items = [
        told("s1", report(2.0)),
        told("s1", uno),
        told("s2", report(1.0)),
        told("s3", uno),
        told("s1", Ungradable("broken"), "my"),
    ]
    for parts, points in (({"warmup", "uno"}, ["11", "", ""]), ({"warmup"}, ["2", "1", ""])):
        marks = marks_of(items[::-1], known(), (), {"warmup": parts})
        assert [marks.points(each.id, "warmup") for each in EVERYBODY[:3]] == points


def test_moodle_takes_a_dash_for_no_grade_and_points_with_their_feedback() -> None:
    head, *rows = as_moodle(EVERYBODY, MARKS, {"warmup": "Quiz"})
    assert head == ["ID number", "Username", "Email address", "Full name", "Quiz", "Quiz (feedback)"]
    assert rows[0] == ["s1", "ann", "ann@x.org", "Ann, A.", "45.8", "1 of 1 exercises solved"]
    assert [row[4:] for row in rows[1:]] == [["-", ""]] * 3


def test_canvas_takes_bare_titles_and_the_points_possible() -> None:
    head, possible, *rows = as_canvas(EVERYBODY, MARKS, {"warmup": "Homework 2"})
    assert head == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Homework 2"]
    assert (possible[0].strip(), possible[-1]) == ("Points Possible", "52")
    assert rows[0] == ["Ann, A.", "77", "sis1", "ann", "B", "45.8"]
    assert [row[-1] for row in rows[1:]] == [""] * 3


def test_points_are_shown_rounded() -> None:
    assert [rounded_points(points) for points in (0.1 + 0.2, 100.0, 0.0, 7.125)] == ["0.3", "100", "0", "7.12"]


@pytest.mark.parametrize(
    "text",
    [
        "id,name,email\ns1,Ann,a@x\n\ns2,Bob,\n",
        "\ufeffID number;Full name;Email address\ns1;Ann;a@x\ns2;Bob;\n",
        "First name\tSurname\tID number\tEmail address\nAnn\t\ts1\ta@x\nBob\t\ts2\n",
    ],
)
def test_a_roster_is_read_as_the_platforms_write_it(tmp_path: Path, text: str) -> None:
    (tmp_path / "roster.csv").write_text(text, encoding="utf-8")
    found = read_roster(tmp_path / "roster.csv")
    assert found == {"s1": Student("s1", "Ann", "a@x"), "s2": Student("s2", "Bob")}


BAD = {
    "a doubled id": (b"id,name\ns1,Ann\ns1,Bob\n", "the id s1 occurs 2 times"),
    "a missing id": (b"id,name\n,Ann\n", "a student has no id"),
    "no such column": (b"name|id\nAnn|s1\n", "the column id is missing"),
    "another encoding": ("id,name\ns1,J\xfcrgen\n".encode("latin-1"), "not UTF-8"),
    "nothing": (b"", "the file is empty"),
}


@pytest.mark.parametrize(("content", "line"), BAD.values(), ids=BAD)
def test_a_roster_that_cannot_be_used_is_one_line(tmp_path: Path, content: bytes, line: str) -> None:
    (tmp_path / "roster.csv").write_bytes(content)
    with pytest.raises(RosterError) as refused:
        read_roster(tmp_path / "roster.csv")
    assert line in str(refused.value) and "\n" not in str(refused.value)


def test_feedback_for_moodle_has_its_layout_and_code_beside_verdicts(tmp_path: Path) -> None:
    """Moodle (4.1 and newer, `importziplib.php`): `full name_number_assignsubmission_file/`, then the file."""
    (tmp_path / "foldem.toml").write_text("")
    (tmp_path / "moodle.csv").write_text("assignment,student,name\nwarmup,ann,Ann Lee_123456\n")
    hand_in(tmp_path, "ann", "bob")
    (tmp_path / "submitted/ann/warmup/0_warmup.ipynb").write_text(
        nbformat.writes(notebook_with("warmup", {"penalty": "def penalty(card):\n    return 3 < 4"}))
    )
    quick_run(tmp_path, tmp_path / "out")
    done = foldem_here("export", tmp_path, "--to", "moodle-feedback")
    assert done.stdout.splitlines() == [
        f"warmup: not collected from Moodle: bob. "
        f"`foldem grade {tmp_path} --out reports` writes a page for each student.",
        f"Feedback: {tmp_path / 'feedback-warmup.zip'}",
    ]
    with ZipFile(tmp_path / "feedback-warmup.zip") as archive:
        assert archive.namelist() == ["Ann Lee_123456_assignsubmission_file/0_warmup.html"]
        page = archive.read(archive.namelist()[0]).decode()
    before = (tmp_path / "feedback-warmup.zip").read_bytes()
    foldem_here("export", tmp_path, "--to", "moodle-feedback")
    assert (tmp_path / "feedback-warmup.zip").read_bytes() == before
    assert "ann/warmup/0_warmup" in page


def test_feedback_makes_its_folder_and_no_empty_zip(tmp_path: Path) -> None:
    (tmp_path / "foldem.toml").write_text("")
    hand_in(tmp_path, "ann")
    other = tmp_path / "submitted/ann/canvas/0_warmup.ipynb"
    other.parent.mkdir()
    other.write_text("{}")
    quick_run(tmp_path, tmp_path / "out")
    refused = foldem_here("export", tmp_path, "--to", "moodle-feedback")
    assert is_one_line_refusal(refused) and "`foldem grade" in refused.stderr
    (tmp_path / "moodle.csv").write_text("assignment,student,name\nwarmup,ann,Ann Lee_123456\n")
    done = foldem_here("export", tmp_path, "--to", "moodle-feedback", "--out", tmp_path / "new" / "folder")
    assert done.returncode == 0 and "canvas: not collected from Moodle: ann" in done.stdout
    assert [path.name for path in (tmp_path / "new" / "folder").iterdir()] == ["feedback-warmup.zip"]


def test_marks_go_into_a_fifo_or_through_a_link_and_replace_neither(tmp_path: Path) -> None:
    (tmp_path / "foldem.toml").write_text("")
    hand_in(tmp_path, "ann")
    quick_run(tmp_path, tmp_path / "out")
    assert foldem_here("export", tmp_path, "--out", tmp_path / "new" / "marks.csv").returncode == 0
    marks = (tmp_path / "new" / "marks.csv").read_bytes()
    assert marks.startswith(b"id,name,")
    os.mkfifo(tmp_path / "fifo")
    with subprocess.Popen(["cat", tmp_path / "fifo"], stdout=subprocess.PIPE) as reader:
        done = foldem_here("export", tmp_path, "--out", tmp_path / "fifo")
        assert reader.communicate()[0] == marks and (tmp_path / "fifo").is_fifo()
    assert done.stdout == "" and "Marks: " in done.stderr
    (tmp_path / "there.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to("there.csv")
    assert foldem_here("export", tmp_path, "--out", tmp_path / "link.csv").returncode == 0
    assert (tmp_path / "link.csv").is_symlink() and (tmp_path / "there.csv").read_bytes() == marks
    assert foldem("export", tmp_path, "--out", "/dev/stdout").stdout.splitlines() == marks.decode().splitlines()


def test_marks_of_ungraded_work_are_kept(tmp_path: Path) -> None:
    (tmp_path / "foldem.toml").write_text("")
    hand_in(tmp_path, "ann", "bob")
    refused = foldem_here("export", tmp_path)
    assert is_one_line_refusal(refused) and f"Run `foldem grade {tmp_path}` first." in refused.stderr
    assert not (tmp_path / "marks-csv.csv").exists()
    quick_run(tmp_path, tmp_path / "out")
    assert foldem_here("export", tmp_path).returncode == 0
    hand_in(tmp_path, "cid")
    hand_in(tmp_path, "bob", told="once more")
    done = foldem_here("export", tmp_path)
    assert done.returncode == 1
    assert (
        "changed or new since the last grading: bob/warmup/0_warmup, cid/warmup/0_warmup. Run `foldem grade"
        in done.stdout
    )
    assert (tmp_path / "marks-csv.csv").exists()


def test_a_teachers_comments_are_exported_with_the_marks() -> None:
    late = replace(
        report(10),
        exercises=(*report(10).exercises, ExerciseReport("lateness", 0, PASSED, -1.0, 0.0, remarks=("late by 3 h",))),
    )
    word = Single("comment", "s1", "warmup", 0.0, "swap_ends", "well done")
    _, row, *_ = as_moodle([ANN], marks_of([told("s1", late)], known(), [word]), {})
    assert row[4:] == ["9", "1 of 1 exercises solved; swap_ends: well done; lateness -1 (late by 3 h)"]


@pytest.mark.sandbox
def test_exported_marks_have_names_and_omit_students_without_marks(tmp_path: Path) -> None:
    (tmp_path / "foldem.toml").write_text("")
    (tmp_path / "roster.csv").write_text("id,name\nann,Ann\nbob,Bob\ncid,=Cid\n")
    folder = hand_in(tmp_path, "ann", "bob", "eve")
    (folder / "bob" / "warmup" / "0_warmup.ipynb").write_text("{")
    assert foldem_here("grade", tmp_path, "--quiet").returncode == 1
    done = foldem_here("export", tmp_path, "--to", "canvas", "--title", "warmup=Homework 1")
    assert (
        done.returncode == 0
        and "warmup: no mark for bob, cid" in done.stdout
        and "not in roster.csv: eve" in done.stdout
    )
    with (tmp_path / "marks-canvas.csv").open(newline="") as file:
        rows = [(row["Student"], row["SIS User ID"], row["Homework 1"]) for row in csv.DictReader(file)]
    assert rows == [
        ("    Points Possible", "", "20"),
        ("Ann", "ann", "0"),
        ("Bob", "bob", ""),
        ("'=Cid", "cid", ""),
        ("", "eve", "0"),
    ]
    assert is_one_line_refusal(foldem_here("export", tmp_path, "--to", "blackboard"))
