"""Marks on their way to a learning platform, and the roster that names who they are for."""

from __future__ import annotations

import csv
import os
from pathlib import Path
from zipfile import ZipFile

import pytest
from msgspec.structs import replace

from autograder.commands.export import canvas_rows, csv_rows, marks_of, moodle_rows
from autograder.report.model import PASSED, UNGRADED, ExerciseReport, Graded, Report, Ungradable
from autograder.report.stops import BadFile
from autograder.term.roster import Student, TermError, read_roster
from autograder.term.view import ShownReport
from tests.classroom import notebook_with, write_file
from tests.command import foldem_here, is_one_line_refusal, one_line_with, printed_by
from tests.killing import quick_run
from tests.test_term_store import hand_in
from tests.units import known

ANN = Student("s1", "Ann, A.", "ann@x.org", "T1", "77", "sis1", "ann", "B")
BOB, CID, DAN = Student("s2", "Bob"), Student("s3", "Cid"), Student("s4", "Dan")


def shown(student: str, report: Report, name: str = "0_warmup") -> ShownReport:
    return ShownReport(f"p/{student}/{name}", f"{student}/warmup/{name}", student, "warmup", report)


def report(points: float, state: str = PASSED) -> Graded:
    return Graded("warmup", "Warm-up", "0", "secret", "off", (ExerciseReport("swap_ends", 1, state, points, 52.0),))


MARKS = marks_of(
    [
        shown("s1", report(45.79999999999999)),
        shown("s1", report(1.0), "my"),
        shown("s2", Ungradable(BadFile("broken"))),
        shown("s3", report(3.0, UNGRADED)),
    ],
    known(),
)
EVERYBODY = [ANN, BOB, CID, DAN]


def test_unmarked_work_is_blank_and_never_0() -> None:
    assert [row[-1] for row in list(csv_rows(EVERYBODY, MARKS, {}))] == ["warmup", "45.8", "", "", ""]


def test_missing_notebook_gives_no_mark_and_foreign_ones_count_nothing() -> None:
    uno = replace(report(9.0), unit="uno")
    items = [
        shown("s1", report(2.0)),
        shown("s1", uno),
        shown("s2", report(1.0)),
        shown("s3", uno),
        shown("s1", Ungradable(BadFile("broken")), "my"),
    ]
    for parts, points in (({"warmup", "uno"}, ["11", "", ""]), ({"warmup"}, ["2", "1", ""])):
        marks = marks_of(items[::-1], known(), {"warmup": parts})
        assert [marks.points(each.id, "warmup") for each in EVERYBODY[:3]] == points


def test_moodle_takes_a_dash_for_no_grade_and_points_with_their_feedback() -> None:
    head, *rows = moodle_rows(EVERYBODY, MARKS, {"warmup": "Quiz"})
    assert [head, rows[0]] == [
        ["ID number", "Username", "Email address", "Full name", "Quiz", "Quiz (feedback)"],
        ["s1", "ann", "ann@x.org", "Ann, A.", "45.8", "1 of 1 exercises solved"],
    ]
    assert [row[4:] for row in rows[1:]] == [["-", ""]] * 3


def test_canvas_takes_bare_titles_and_the_points_possible() -> None:
    head, possible, *rows = canvas_rows(EVERYBODY, MARKS, {"warmup": "Homework 2"})
    assert head == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Homework 2"]
    assert (possible[0].strip(), possible[-1]) == ("Points Possible", "52")
    assert (rows[0], [row[-1] for row in rows[1:]]) == (["Ann, A.", "77", "sis1", "ann", "B", "45.8"], [""] * 3)


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
    assert read_roster(tmp_path / "roster.csv") == {"s1": Student("s1", "Ann", "a@x"), "s2": Student("s2", "Bob")}


@pytest.mark.parametrize("sis", ["SIS User ID,", ""])
def test_canvass_gradebook_is_a_roster_and_takes_its_own_ids_back(tmp_path: Path, sis: str) -> None:
    """Canvas writes one or two rows below the titles, and an own id for each student."""
    notes = f",,{sis and ','},,Manual Posting\n    Points Possible,,{sis and ','},,10\n"
    rows = f'{notes}"Lee, Ann",77,{sis and "x1,"}alee,A,\n'
    (tmp_path / "roster.csv").write_text(f"Student,ID,{sis}SIS Login ID,Section,Homework 1 (5)\n{rows}")
    students = read_roster(tmp_path / "roster.csv")
    assert students == {"77": Student("77", "Lee, Ann", section="A", canvas="77", sis="x1" * bool(sis), login="alee")}
    assert [*canvas_rows([*students.values()], MARKS, {})][2][:4] == ["Lee, Ann", "77", "x1" * bool(sis), "alee"]


BAD = {
    "a doubled id": (b"id,name\ns1,Ann\ns1,Bob\n", "the id s1 occurs 2 times"),
    "a missing id": (b"id,name\n,Ann\ns2,Bob\n", "a student has no id: Ann"),
    "no ids": (b"id,name\n,Ann\n", "the column id is missing or empty"),
    "no such column": (b"name|id\nAnn|s1\n", "the column id is missing"),
    "another encoding": ("id,name\ns1,J\xfcrgen\n".encode("latin-1"), "not UTF-8"),
    "nothing": (b"", "the file is empty"),
    "a rounded id": (b"id,name\n7,A B\n1.23457E+10,C D\n", "a spreadsheet has rounded the id 1.23457E+10"),
}


@pytest.mark.parametrize(("content", "line"), BAD.values(), ids=BAD)
def test_a_roster_that_cannot_be_used_is_one_line(tmp_path: Path, content: bytes, line: str) -> None:
    (tmp_path / "roster.csv").write_bytes(content)
    with pytest.raises(TermError, match=one_line_with(line)):
        read_roster(tmp_path / "roster.csv")


def test_feedback_for_moodle_has_its_layout_and_code_beside_verdicts(tmp_path: Path) -> None:
    """Moodle (4.1 and newer, `importziplib.php`): `full name_number_assignsubmission_file/`, then the file."""
    write_file(tmp_path / "foldem.toml", "")
    hand_in(tmp_path, "ann", "bob", "cid", "dan")
    notebook = notebook_with("warmup", {"penalty": "def penalty(card):\n    return 3 < 4"})
    write_file(tmp_path / "submitted/ann/warmup/0_warmup.ipynb", notebook)
    quick_run(tmp_path, tmp_path / "out")
    words, zipped = ("export", tmp_path, "--to", "moodle-feedback"), tmp_path / "feedback-warmup.zip"
    refused = foldem_here(*words)
    assert is_one_line_refusal(refused) and "`foldem grade" in refused.stderr
    rows = "warmup,ann,Ann Lee_123456\nwarmup,bob,A_7\nwarmup,cid,A_7\n"
    write_file(tmp_path / "moodle.csv", f"assignment,student,name\n{rows}")
    shown = foldem_here(*words).stdout
    assert "warmup: not collected from Moodle: dan. `foldem grade" in shown and f"Feedback: {zipped}" in shown
    assert "warmup: bob, cid share one folder in Moodle (A_7), so" in shown
    with ZipFile(zipped) as archive:
        assert archive.namelist() == ["Ann Lee_123456_assignsubmission_file/0_warmup.html"]
        assert b"ann/warmup/0_warmup" in archive.read(archive.namelist()[0])
    foldem_here(*words, "--out", tmp_path / "new")
    assert (tmp_path / "new" / zipped.name).read_bytes() == zipped.read_bytes()


def test_marks_go_through_a_link_and_into_no_fifo(tmp_path: Path) -> None:
    write_file(tmp_path / "foldem.toml", "")
    quick_run(hand_in(tmp_path, "ann").parent, tmp_path / "out")
    os.mkfifo(tmp_path / "fifo")
    assert is_one_line_refusal(foldem_here("export", tmp_path, "--out", tmp_path / "fifo"))
    (tmp_path / "link.csv").symlink_to("there.csv")
    assert foldem_here("export", tmp_path, "--out", tmp_path / "link.csv").returncode == 0
    assert (tmp_path / "link.csv").is_symlink() and (tmp_path / "there.csv").read_text().startswith("id,name,")


def test_marks_of_ungraded_work_are_kept(tmp_path: Path) -> None:
    (tmp_path / "foldem.toml").write_text("")
    hand_in(tmp_path, "ann", "bob")
    refused = foldem_here("export", tmp_path)
    assert is_one_line_refusal(refused) and f"Run `foldem grade {tmp_path}` first." in refused.stderr
    assert not (tmp_path / "marks-csv.csv").exists()
    quick_run(tmp_path, tmp_path / "out")
    assert foldem_here("export", tmp_path).returncode == 0
    hand_in(tmp_path, "cid")
    hand_in(tmp_path, "bob", note="once more")
    done = foldem_here("export", tmp_path)
    ungraded = "have changed since the last grading: bob/warmup/0_warmup, cid/warmup/0_warmup. Run `foldem grade"
    assert done.returncode == 1 and ungraded in done.stdout and (tmp_path / "marks-csv.csv").exists()
    (tmp_path / "submitted/ann/warmup/0_warmup.ipynb").unlink()
    (tmp_path / "adjust.toml").write_text('[[bonus]]\nstudent = "Ann"\nunit = "warmup"\npoints = 1\n')
    assert "unknown student 'Ann': did you mean 'ann'?" in foldem_here("export", tmp_path).stderr


def test_an_address_in_place_of_an_id_is_no_id_number() -> None:
    rows = list(moodle_rows([Student("ann@x.org", "Ann", "ann@x.org"), BOB], MARKS, {}))
    assert [row[:3] for row in rows[1:]] == [["", "", "ann@x.org"], ["s2", "", ""]]


def test_reasons_of_points_outside_of_exercises_are_exported() -> None:
    late = replace(
        report(10),
        exercises=(*report(10).exercises, ExerciseReport("lateness", 0, PASSED, -1.0, 0.0, remarks=("late by 3 h",))),
    )
    _, row, *_ = moodle_rows([ANN], marks_of([shown("s1", late)], known()), {})
    assert row[4:] == ["9", "1 of 1 exercises solved; lateness -1 (late by 3 h)"]


@pytest.mark.sandbox
def test_exported_marks_have_names_and_omit_students_without_marks(tmp_path: Path) -> None:
    (tmp_path / "foldem.toml").write_text("")
    (tmp_path / "roster.csv").write_text("id,name\nann,Ann\nbob,Bob\ncid,=Cid\n")
    (hand_in(tmp_path, "ann", "bob", "eve") / "bob" / "warmup" / "0_warmup.ipynb").write_text("{")
    assert foldem_here("grade", tmp_path, "--quiet").returncode == 1
    shown = printed_by(foldem_here("export", tmp_path, "--to", "canvas", "--title", "warmup=Homework 1"))
    assert "warmup: no mark for bob, cid" in shown and "not in roster.csv: eve" in shown
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
