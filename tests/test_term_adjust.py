"""`adjust.toml`: a teacher's changes during a term, previewed before they apply, and undone by deleting a line."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC
from pathlib import Path

import pytest
from msgspec.structs import replace

from autograder.report.model import PASSED, UNGRADED, WRONG, ExerciseReport, FacetReport, Graded, Ungradable
from autograder.report.stops import BadFile, GraderFault
from autograder.submission.reading import CHECK, grade_id
from autograder.term import TermError
from autograder.term.adjust import EXTRA_CREDIT, Adjustments, ManualChange
from autograder.term.assignments import stamped_time
from autograder.term.files import locate_files
from autograder.term.gradebook import with_gradebook
from autograder.units.build import source_notebook
from tests.classroom import write_file, write_files
from tests.command import one_line_with
from tests.test_term_store import hand_in
from tests.units import adjustments_in, course_in, find_notebooks, read_unit

FACETS = FacetReport("hands of one", True, 5), FacetReport("long hands", False, 5)
REPORT = Graded(
    "warmup",
    "Warm-up",
    "0",
    "secret",
    "off",
    (
        ExerciseReport("swap_ends", 1, WRONG, 0.9, 2.0, facets=FACETS, form_points=0.1, form_of=0.2),
        ExerciseReport("penalty", 2, PASSED, 1.0, 1.0),
    ),
)


def adjusted(tmp_path: Path, text: str, student: str = "ann") -> dict[str, tuple[float, float]]:
    """Return the marks of a report as shown with this `adjust.toml`."""
    (tmp_path / "adjust.toml").write_text(text)
    report = adjustments_in(tmp_path).adjusted_report(REPORT, student, "warmup")
    assert isinstance(report, Graded)
    return {exercise.name: (exercise.points, exercise.of) for exercise in report.exercises}


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("", {}),
        ("[warmup.penalty]\npoints = 4", {"penalty": (4, 4)}),
        ("[warmup.swap_ends]\npoints = 4", {"swap_ends": (1.8, 4)}),
        ("[warmup.swap_ends]\ndropped = true", {"swap_ends": (0, 0)}),
        ("[warmup.swap_ends]\naccepted = true", {"swap_ends": (2, 2)}),
        ("[warmup.swap_ends]\naccepted = true\npoints = 3", {"swap_ends": (3, 3)}),
        ('[warmup.swap_ends]\nfacets = {"long hands" = "accepted"}', {"swap_ends": (2, 2)}),
        ('[warmup.swap_ends]\nfacets = {"long hands" = "dropped"}', {"swap_ends": (2, 2)}),
        ('[warmup.swap_ends]\nfacets = {"hands of one" = "dropped"}', {"swap_ends": (0, 2)}),
        ('[[mark]]\nstudent = "ann"\nunit = "warmup"\nexercise = "penalty"\npoints = 0.5', {"penalty": (0.5, 1)}),
        ('[[mark]]\nstudent = "ann"\nunit = "warmup"\npoints = 3', {"mark by hand": (1.1, 0)}),
        ('[[bonus]]\nstudent = "ann"\nunit = "warmup"\npoints = 2\ncomment = "a talk"', {"bonus": (2, 0)}),
        ('[[bonus]]\nstudent = "bob"\nunit = "warmup"\npoints = 2', {}),
    ],
)
def test_marks_are_shown_with_adjustments(tmp_path: Path, text: str, marks: dict[str, tuple[float, float]]) -> None:
    assert adjusted(tmp_path, text) == {"swap_ends": (0.9, 2), "penalty": (1, 1)} | marks


@pytest.mark.parametrize("name", ["long hands", "hands of many cards"])
def test_a_rule_is_adjusted_by_its_name_and_by_its_new_text(tmp_path: Path, name: str) -> None:
    worded = replace(FACETS[1], text="hands of many cards")
    exercise = replace(REPORT["swap_ends"], facets=(FACETS[0], worded))
    (tmp_path / "adjust.toml").write_text(f'[warmup.swap_ends]\nfacets = {{"{name}" = "accepted"}}')
    report = adjustments_in(tmp_path).adjusted_report(replace(REPORT, exercises=(exercise,)), "ann", "warmup")
    assert isinstance(report, Graded) and report["swap_ends"].points == 2
    assert report["swap_ends"].remarks == ("accepted for everyone: hands of many cards",)


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("[[mark]]\nstudent = 'ann'\nunit = 'warmup'\nexercise = 'penalty'\npoints = 0.5", 1.4),
        ("[[mark]]\nstudent = 'ann'\nunit = 'warmup'\npoints = 2.5", 2.5),
        ("[warmup.penalty]\naccepted = true", 1.9),
        ("[warmup.penalty]\ndropped = true", 0.9),
    ],
)
def test_an_ungraded_exercise_has_the_mark_that_a_teacher_sets(tmp_path: Path, text: str, points: float) -> None:
    fault = replace(REPORT["penalty"], state=UNGRADED, points=0.0, stop=GraderFault("KeyError", "x"))
    report = replace(REPORT, exercises=(REPORT["swap_ends"], fault))
    (tmp_path / "adjust.toml").write_text(text)
    adjust = adjustments_in(tmp_path)
    graded = adjust.adjusted_report(report, "ann", "")
    assert isinstance(graded, Graded) and graded.is_graded and graded.points == points
    assert not Adjustments(course_in(None)).adjusted_report(report, "ann", "").is_graded
    assert adjust.adjusted_report(report, "bob", "").is_graded == ("mark" not in text)


def test_an_ungradable_file_has_a_mark_once_fully_marked_by_hand(tmp_path: Path) -> None:
    hand = tuple(ManualChange("mark", "ann", "warmup", 0.5, each.name) for each in read_unit("warmup").exercises)
    broken, whose = Ungradable(BadFile("broken")), ("ann", "warmup", "ann/warmup/0_warmup.ipynb")
    for singles, points in ((hand, 6), ((ManualChange("mark", "ann", "warmup", 7),), 7)):
        report = Adjustments(course_in(tmp_path), singles=singles).adjusted_report(broken, *whose)
        assert isinstance(report, Graded) and (report.points, report.of, report.remarks) == (points, 20, ("broken",))
    bonus = (ManualChange("bonus", "ann", "warmup", 7),)
    for singles, student, file in (
        ((), *whose[::2]),
        (hand[1:], *whose[::2]),
        (hand, "bob", whose[2]),
        (bonus, *whose[::2]),
        (hand, "ann", "ann/warmup/4_uno.ipynb"),
    ):
        assert (
            Adjustments(course_in(tmp_path), singles=singles).adjusted_report(broken, student, "warmup", file) == broken
        )


BAD = {
    "[warmup.swap_endz]\npoints = 1": "did you mean 'swap_ends'?",
    "[warmap.swap_ends]\npoints = 1": "did you mean 'warmup'?",
    "[warmup.swap_ends]\npoints = -1": "adjust.toml:2: points must be a number, 0 or more, not -1",
    "[warmup.swap_ends]\npoints = 'two'": "must be a number",
    "[warmup.swap_ends]\npoints = nan": "must be a number",
    "[warmup.swap_ends]\npoints = true": "must be a number",
    "[warmup.swap_ends]\npoint = 1": "unknown key 'point'",
    "[warmup.swap_ends]\naccepted = 1": "true or false",
    "[warmup.swap_ends]\naccepted = true\ndropped = true": "set only one of accepted and dropped",
    "[warmup.swap_ends]\nfacets = {'long hands' = 'gone'}": '"accepted"',
    "[warmup]\nswap_ends = 2": "write the exercise swap_ends as [warmup.swap_ends]",
    "warmup = 2": "name an exercise of the unit, as in [warmup.<exercise>]",
    "[bonus]\nstudent = 'ann'": "write [[bonus]] above each bonus",
    "[[bonus]]\nunit = 'warmup'\npoints = 1": "adjust.toml:1: the key 'student' is missing",
    "[[bonus]]\nstudent = 'ann'\nunit = 'warmup'": "the key 'points' is missing",
    "[[mark]]\nstudent = 'ann'\nunit = 'warmup'\nexercise = 'flip'\npoints = 1": "warmup: unknown exercise 'flip'",
    "[[mark]]\nstudent = 'ann'\nunit = 'warmap'\npoints = 1": "adjust.toml:3: unknown unit 'warmap': did you mean",
    "[warmup": "adjust.toml:1: ",
    "[[extension]]\nstudent = 'ann'": "the key 'assignment' is missing",
    "[[extension]]\nstudent = 'ann'\nassignment = 'warmup'\nuntil = 2026-03-01": "a time with a UTC offset",
}


@pytest.mark.parametrize("text", BAD)
def test_adjustments_that_cannot_be_used_are_one_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(TermError, match=one_line_with(BAD[text])):
        adjusted(tmp_path, text)


@pytest.fixture
def two_assignments(tmp_path: Path) -> Path:
    """Return a course with two assignments of one unit, which share an exercise."""
    parts = {"first": ("penalty", "swap_ends"), "second": ("swap_ends",)}
    notebooks = {name: source_notebook(read_unit("warmup"), names) for name, names in parts.items()}
    files = {f"source/{name}/0_warmup.ipynb": notebook for name, notebook in notebooks.items()}
    return write_files(tmp_path, {"foldem.toml": "", **files})


@pytest.mark.parametrize("kind", ["mark", "bonus"])
def test_of_two_assignments_with_a_unit_only_one_gets_the_points(two_assignments: Path, kind: str) -> None:
    one = f"[[{kind}]]\nstudent = 'ann'\nunit = 'warmup'\npoints = 9\nassignment = 'first'"
    write_file(two_assignments / "adjust.toml", one)
    reports = [adjustments_in(two_assignments).adjusted_report(REPORT, "ann", name) for name in ("first", "second")]
    assert [len(report.exercises) for report in reports if isinstance(report, Graded)] == [3, 2]


@pytest.mark.parametrize(
    ("end", "wrong"),
    [("", "several assignments have warmup: add assignment = 'first'"), ("assignment = 'fist'", "'fist'")],
)
def test_a_mark_for_no_certain_assignment_is_refused(two_assignments: Path, end: str, wrong: str) -> None:
    with pytest.raises(TermError, match=one_line_with(wrong)):
        adjusted(two_assignments, f"[[mark]]\nstudent = 'ann'\nunit = 'warmup'\npoints = 9\n{end}")


LONGER = "[[extension]]\nstudent = 'ann'\nassignment = 'warmup'\nuntil = 2026-03-03T10:00:00Z"
LATE = """
late_per_day = 0.1
deadlines = { warmup = 2026-03-01T23:59:00+01:00 }
"""


@pytest.mark.parametrize(
    ("text", "rule", "cost"),
    [
        ("", LATE, {"lateness": (-0.38, 0)}),
        ("", LATE.replace("0.1", "1.0"), {"lateness": (-1.9, 0)}),
        ("", LATE.replace("0.1", "0.0"), {"lateness": (0, 0)}),
        (LONGER, LATE, {}),
        (LONGER.replace("ann", "bob"), LATE, {"lateness": (-0.38, 0)}),
        ("[[mark]]\nstudent = 'ann'\nunit = 'warmup'\npoints = 1.9", LATE, {"mark by hand": (0, 0)}),
        ("", "", {}),
    ],
)
def test_lateness_costs_what_the_course_sets(
    tmp_path: Path, text: str, rule: str, cost: dict[str, tuple[float, float]]
) -> None:
    (tmp_path / "foldem.toml").write_text(rule)
    write_file(tmp_path / "submitted" / "ann" / "warmup" / "timestamp.txt", "2026-03-03 09:00:00 UTC\n")
    assert adjusted(tmp_path, text) == {"swap_ends": (0.9, 2), "penalty": (1, 1)} | cost


@pytest.mark.parametrize(
    ("zone", "deadline", "stamp", "message"),
    [
        ("Europe/Berlin", "2026-10-24T20:00+02:00", "2026-10-25 19:30:00+01:00", "1 day 30 min, counted as 1 day: 10%"),
        ("", "2026-10-24T20:00+02:00", "2026-10-25 19:30:00+01:00", "1 day 30 min, counted as 2 days: 20%"),
        ("Europe/Berlin", "2026-03-27T23:59+01:00", "2026-03-29 23:30:00+02:00", "1 day 22 h, counted as 2 days: 20%"),
        ("Europe/Berlin", "2026-03-27T23:59+01:00", "2026-03-30 00:30:00+02:00", "1 day 23 h, counted as 3 days: 30%"),
        ("America/New_York", "2026-03-27T23:59+01:00", "2026-03-28 00:30:00+01:00", "31 min: 10%"),
    ],
)
def test_a_day_late_ends_at_the_deadlines_time_of_day(
    tmp_path: Path, zone: str, deadline: str, stamp: str, message: str
) -> None:
    setting = f'timezone = "{zone}"\n' * bool(zone)
    (tmp_path / "foldem.toml").write_text(
        f"late_per_day = 0.1\n{setting}deadlines = {{ warmup = {deadline[:16]}:00{deadline[16:]} }}\n"
    )
    write_file(tmp_path / "submitted" / "ann" / "warmup" / "timestamp.txt", stamp)
    report = adjustments_in(tmp_path).adjusted_report(REPORT, "ann", "warmup")
    assert f"late by {message} of the points" in str(report)


@pytest.mark.parametrize("name", ["ann", "per\u200csian", "👩\u200d💻", "Ann\u00a0Lee", "a\tb"])
def test_a_student_has_all_that_is_theirs_whatever_the_name(tmp_path: Path, name: str) -> None:
    (tmp_path / "foldem.toml").write_text(LATE)
    [file] = hand_in(tmp_path, name).rglob("*.ipynb")
    (file.parent / "timestamp.txt").write_text("2026-03-03 09:00:00 UTC\n")
    [place] = locate_files(find_notebooks([tmp_path / "submitted"]))
    report = adjustments_in(tmp_path).adjusted_report(REPORT, place.student, place.assignment)
    assert place.student == name and "lateness" in str(report)


@pytest.mark.parametrize(
    ("stamp", "hour"),
    [("2026-03-03 09:00:00 UTC", 9), ("2026-03-03 09:00:00.25 America/New_York", 14), ("2026-03-03 09:00:00+02:00", 7)],
)
def test_a_time_stamp_is_read_as_nbgrader_writes_it(tmp_path: Path, stamp: str, hour: int) -> None:
    (tmp_path / "timestamp.txt").write_text(stamp)
    found = stamped_time(tmp_path / "timestamp.txt")
    assert found and found.astimezone(UTC).hour == hour


STRANGE = {
    "a pipe": os.mkfifo,
    "a device": lambda stamp: stamp.symlink_to("/dev/zero"),
    "a link": lambda stamp: stamp.symlink_to(write_file(stamp.with_name("other"), "2026-03-03 09:00:00 UTC")),
    "a folder": Path.mkdir,
    "an endless file": lambda stamp: stamp.touch() or os.truncate(stamp, 1 << 40),
    "the first year": lambda stamp: stamp.write_text("0001-01-01 00:00:00+14:00"),
    "the last year": lambda stamp: stamp.write_text("9999-12-31 23:59:59 Etc/GMT+12"),
    "no text": lambda stamp: stamp.write_bytes(b"\xff 09:00:00 UTC"),
}


@pytest.mark.promise("batch")
@pytest.mark.parametrize("made", STRANGE.values(), ids=STRANGE)
def test_a_time_stamp_of_a_stranger_stops_nothing(tmp_path: Path, made: Callable[[Path], object]) -> None:
    made(tmp_path / "timestamp.txt")
    assert stamped_time(tmp_path / "timestamp.txt") is None


def hand_changes(root: Path) -> list[ManualChange]:
    return [*with_gradebook(Adjustments(course_in(root))).singles]


TABLES = """
CREATE TABLE submitted_assignment (id, student_id, assignment_id);
INSERT INTO submitted_assignment VALUES (1, 'ann', 7);
CREATE TABLE assignment (id, name); INSERT INTO assignment VALUES (7, 'resit');
CREATE TABLE notebook (id, name); INSERT INTO notebook VALUES (1, '0_warmup');
CREATE TABLE submitted_notebook (id, notebook_id, assignment_id, late_submission_penalty);
INSERT INTO submitted_notebook VALUES (1, 1, 1, NULL);
CREATE TABLE base_cell (id, name); INSERT INTO base_cell VALUES
(1, 'penalty-check'), (2, 'penalty'), (3, 'riffle-check'), (4, 'charge-check');
CREATE TABLE grade (id, cell_id, notebook_id, manual_score, auto_score, extra_credit);
INSERT INTO grade VALUES ('a', 1, 1, 0.5, 1, NULL), ('b', 3, 1, NULL, 2, 0.75), ('c', 4, 1, NULL, NULL, 9);
CREATE TABLE comment (cell_id, notebook_id, manual_comment); INSERT INTO comment VALUES (2, 1, 'see me');
"""


@pytest.mark.parametrize(
    ("config", "file"),
    [
        ("", "gradebook.db"),
        ("c = get_config()\nc.CourseDirectory.db_url = 'sqlite:///deep/marks.db'", "deep/marks.db"),
        ('c = get_config()\nc.CourseDirectory.db_url = "sqlite:///marks.db"  # ours', "marks.db"),
        ("# db_url is as it was", "gradebook.db"),
    ],
)
def test_a_gradebook_is_read_where_nbgrader_has_it(tmp_path: Path, config: str, file: str) -> None:
    (tmp_path / "nbgrader_config.py").write_text(config)
    assert hand_changes(tmp_path) == []
    (tmp_path / "deep").mkdir()
    with closing(sqlite3.connect(tmp_path / file)) as database:
        database.executescript(TABLES)
    assert hand_changes(tmp_path) == [
        ManualChange("mark", "ann", "warmup", 0.5, "penalty", assignment="resit"),
        ManualChange("comment", "ann", "warmup", 0.0, "penalty", "see me", "resit"),
        ManualChange(EXTRA_CREDIT, "ann", "warmup", 0.75, "riffle", assignment="resit"),
    ]
    shown = with_gradebook(Adjustments(course_in(tmp_path)))
    reports = (shown.adjusted_report(REPORT, "ann", name) for name in ("resit", "warmup"))
    assert [report["penalty"].points for report in reports if isinstance(report, Graded)] == [0.5, 1.0]


NO_ADDRESSES = "db_url = 1 / 0", "c.CourseDirectory.db_url = 'marks'", "db_url = (", "db_url = f'sqlite:///{x}'"


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("gradebook.db", "no database, but a text that is long enough to be taken for one" * 9, "gradebook"),
        *(("nbgrader_config.py", text, "db_url must be an address in quotes") for text in NO_ADDRESSES),
    ],
)
def test_a_gradebook_or_its_place_that_cannot_be_read_is_one_line(
    tmp_path: Path, name: str, text: str, line: str
) -> None:
    assert hand_changes(tmp_path) == []
    (tmp_path / name).write_text(text)
    with pytest.raises(TermError, match=one_line_with(line)):
        hand_changes(tmp_path)


def test_the_points_of_the_source_notebook_hold_as_they_are_now(tmp_path: Path) -> None:
    notebook = source_notebook(read_unit("warmup"))
    for points in (10, 7.25):
        for cell in notebook.cells:
            if grade_id(cell) == "penalty" + CHECK:
                cell.metadata.nbgrader.points = points
        write_file(tmp_path / "source" / "warmup" / "0_warmup.ipynb", notebook)
        texts = "", "[warmup.penalty]\npoints = 3"
        assert [adjusted(tmp_path, text)["penalty"] for text in texts] == [(points, points), (3, 3)]
