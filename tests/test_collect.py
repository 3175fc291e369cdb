"""`foldem collect` on real downloads: whose files they are, which version counts, and when it was handed in."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Mapping
from datetime import timedelta
from functools import cache
from pathlib import Path
from subprocess import CompletedProcess

import nbformat
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from autograder.hosts.exchange import drop_unfinished
from autograder.term.assignments import Deadlines
from tests.classroom import notebook_with, reference_answers, write_file
from tests.command import foldem_here, is_one_line_refusal
from tests.downloads import MADE, as_csv, canvas_name, metadata, moodle_folder, worksheet, write_zip
from tests.test_term_collect import ROSTER, packed
from tests.units import course_in, read_unit

DEADLINES = "late_per_day = 0.1\ndeadlines = { dominoes = 2026-03-02T23:59:00Z, uno = 2026-03-20T23:59:00Z }\n"
STEMS = {"dominoes": "1_dominoes", "uno": "4_uno", "warmup": "0_warmup"}
ANN, BOB = moodle_folder("Ann Lee", 101), moodle_folder("Bob Ray", 102)


@cache
def work(unit: str, note: str = "", answered: bool = True) -> str:
    """Return a notebook with the unit's first exercise answered."""
    answers = dict([*reference_answers(read_unit(unit)).items()][:1]) if answered else {}
    notebook = notebook_with(unit, answers)
    notebook.cells[0].source += note
    return nbformat.writes(notebook)


@pytest.fixture
def course(tmp_path: Path) -> Path:
    return make_course(tmp_path)


def make_course(folder: Path) -> Path:
    root = folder / "cs101"
    for assignment in ("dominoes", "uno"):
        write_file(root / "source" / assignment / f"{STEMS[assignment]}.ipynb", work(assignment, answered=False))
    (root / "foldem.toml").write_text(DEADLINES)
    (root / "roster.csv").write_text(ROSTER)
    return root


def collect(course: Path, files: Mapping[str, str | bytes], *words: str, days: float = 0) -> CompletedProcess[str]:
    """Collect a download that was made some days after the first."""
    download = write_zip(course.parent / f"CS101-Week 3-{days:g}.zip", files, MADE + timedelta(days=days))
    return foldem_here("collect", download, course, *words)


def counts(course: Path, student: str = "s1", assignment: str = "dominoes") -> str:
    """Return the student's notebook that counts, or "" if there is none."""
    path = course / "submitted" / student / assignment / f"{STEMS[assignment]}.ipynb"
    return path.read_text() if path.exists() else ""


def late(course: Path, student: str = "s1", assignment: str = "dominoes") -> timedelta:
    """Return how late a submission is."""
    folder = course_in(course)
    return Deadlines(folder.root, folder.settings.deadlines).late(student, assignment)


def given_times(course: Path, text: str) -> tuple[str, str]:
    """Return the words that make `foldem collect` read this table of times."""
    return "--times", str(write_file(course.parent / "times.csv", text))


def moodle_times(course: Path, *rows: tuple[int, str, str, str], head: Iterable[str] = ()) -> tuple[str, str]:
    """Return the words that make `foldem collect` read a worksheet: number, name, address and time of each student."""
    return given_times(course, worksheet(rows, head))


def moodle_files(*folders: str) -> dict[str, str]:
    """Return a download with the same notebook from each student."""
    return {f"{folder}/1_dominoes.ipynb": work("dominoes") for folder in folders or (ANN,)}


# ------------------------------------------------------------------------------------------------ when


@pytest.mark.parametrize(
    "name", [f"{ANN}/1_dominoes.ipynb", f"{ANN}_1_dominoes.ipynb", "leeann_77_991_1_dominoes.ipynb", "s1/mine.ipynb"]
)
def test_the_time_of_a_download_is_no_hand_in_time(course: Path, name: str) -> None:
    done = collect(course, {name: work("dominoes")})
    assert counts(course) and late(course) == timedelta()
    assert done.stdout.count("dominoes: submission times are unknown, so no points are deducted.") == 1
    assert "--times" in done.stdout and "is late" not in done.stdout


TIMES = {
    "English": "Wednesday, 4 March 2026, 12:30 AM",
    "American": "Wednesday, March 4, 2026, 12:30 AM",
    "German": "Mittwoch, 4. März 2026, 00:30",
    "French": "mercredi 4 mars 2026, 00:30",
    "Spanish": "miércoles, 4 de marzo de 2026, 00:30",
    "Portuguese": "quarta-feira, 4 mar. 2026, 00:30",
    "Polish": "środa, 4 marca 2026, 00:30",
    "Czech": "Středa, 4. března 2026, 00.30",
    "Russian": "среда, 4 марта 2026, 00:30",
    "Turkish": "4 Mart 2026, Çarşamba, 00:30",
    "Arabic": "الأربعاء، ٤ مارس ٢٠٢٦، ١٢:٣٠ ص",
    "Hungarian": "2026. március 4., szerda, 00:30",
    "Japanese": "2026年 03月 4日(水曜日) 00:30",
    "Korean": "2026년 3월 4일, 수요일, 오전 12:30",
    "Chinese": "2026年03月4日 星期三 00:30",
    "Vietnamese": "Thứ Tư, 4 tháng 3 2026, 12:30 SA",
    "ISO": "2026-03-04 00:30",
}


HEADS = {
    "German": (
        *("ID", "Vollständiger Name", "E-Mail-Adresse", "Status", "Bewertung", "Bestwertung", "Bewertung änderbar"),
        *("Zuletzt geändert (Abgabe)", "Zuletzt geändert (Bewertung)", "Feedback als Kommentar"),
    )
}


@pytest.mark.parametrize("language", TIMES)
def test_a_grading_worksheet_shows_late_students(course: Path, language: str) -> None:
    rows = [(101, "Ann Lee", "ann@x.org", TIMES[language]), (102, "Bob Ray", "bob@x.org", "2026-03-02 23:58")]
    done = collect(course, moodle_files(ANN, BOB), *moodle_times(course, *rows, head=HEADS.get(language, ())))
    assert done.returncode == 0, done.stdout
    assert late(course) == timedelta(days=1, minutes=31) and late(course, "s2") == timedelta()
    assert "s1: dominoes is late by 1 day 31 min" in done.stdout.splitlines()


@pytest.mark.parametrize(
    "head", [("Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Submitted At"), ("user_id", "submitted_at")]
)
def test_a_canvas_table_shows_late_students(course: Path, head: tuple[str, ...]) -> None:
    cells = {"Student": "Lee, Ann", "ID": "77", "user_id": "77", "SIS User ID": "88", "SIS Login ID": "alee"}
    row = [({"Section": "A"} | cells).get(title, "2026-03-04T00:30:00Z") for title in head]
    files = {canvas_name("Lee, Ann", 77, 991, "1_dominoes-1.ipynb", late=True): work("dominoes")}
    collect(course, files, *given_times(course, as_csv(head, row)))
    assert late(course) == timedelta(days=1, minutes=31)


def test_a_name_that_two_students_have_makes_neither_late(course: Path) -> None:
    (course / "roster.csv").write_text(ROSTER + "s4,Lee Ann,lee@x.org,\n")
    files = {f"{student}/1_dominoes.ipynb": work("dominoes") for student in ("s1", "s4")}
    done = collect(course, files, *given_times(course, "Name,Submitted At\nAnn Lee,2026-03-05T12:00:00Z\n"))
    assert (
        late(course) == late(course, "s4") == timedelta() and "s1, s4: times.csv has no submission time" in done.stdout
    )


@pytest.mark.parametrize(("name", "text"), [("Ann Lee", "bob@x.org"), ("bob@x.org", "")])
def test_an_address_that_a_student_writes_hands_in_for_nobody(course: Path, name: str, text: str) -> None:
    head = ("Identifier", "Full name", "Email address", "Last modified (submission)", "Online text")
    row = ("Participant 101", name, "ann@elsewhere.org", TIMES["English"], text)
    collect(course, moodle_files(moodle_folder(name, 101)), *given_times(course, as_csv(head, row)))
    assert not counts(course, "s2") and bool(counts(course)) == (name == "Ann Lee")


@pytest.mark.promise("others")
def test_a_group_with_a_students_number_hands_in_only_for_its_members(course: Path) -> None:
    (course / "roster.csv").write_text(f"{ROSTER}s3,Cid Foe,cid@x.org,\n")
    files = {f"{moodle_folder('Group A', 103)}/1_dominoes.ipynb": work("dominoes", "of A")}
    times = moodle_times(course, (103, "Cid Foe", "cid@x.org", TIMES["English"]))
    done = collect(course, files, *times)
    assert "Group A_103: not matched" in done.stdout and not (course / "submitted").exists()
    (course / "moodle.csv").write_text("assignment,student,name\ndominoes,s1,Group A_103\ndominoes,s2,Group A_103\n")
    done = collect(course, files, *times)
    assert whose_is_whose(course) == {"s1": "of A", "s2": "of A"} and late(course) == timedelta()
    assert "s1, s2: times.csv has no submission time, so no points are deducted" in done.stdout


@pytest.mark.promise("others")
def test_each_member_of_a_group_hands_in_by_number_and_name(course: Path) -> None:
    files = {f"{moodle_folder('Group A-Ann Lee', 101)}/1_dominoes.ipynb": work("dominoes", "of A")}
    times = moodle_times(course, (101, "Ann Lee", "ann@uni.edu", "1 March 2026, 9:00 PM"))
    (course / "roster.csv").write_text("id,name,email\ns1,A. Lee,ann@uni.edu\n")
    assert (
        "not matched: nobody in roster.csv has this name or id. Add --times with Moodle's grading worksheet"
        in collect(course, files).stdout
    )
    assert collect(course, files, *times).returncode == 0 and counts(course) == work("dominoes", "of A")


GROUPED = (
    "id,name,email,canvas_id,group\ns1,Ann Lee,ann@x.org,77,A\ns2,Bob Ray,bob@x.org,88,A\ns3,Cid Foe,cid@x.org,99,\n"
)
BY_ONE = {
    "Moodle": (f"{ANN}/1_dominoes.ipynb", f"{BOB}/1_dominoes.ipynb"),
    "Canvas": ("leeann_77_991_1_dominoes.ipynb", "raybob_88_992_1_dominoes.ipynb"),
    "folders": ("s1/mine.ipynb", "s2/mine.ipynb"),
}


@pytest.mark.parametrize(("first", "second"), BY_ONE.values(), ids=BY_ONE)
def test_a_file_for_a_group_assignment_counts_for_the_group(course: Path, first: str, second: str) -> None:
    (course / "roster.csv").write_text(GROUPED)
    done = collect(course, {first: work("dominoes")})
    assert "no file for dominoes from s2, s3\n" in done.stdout and not counts(course, "s2")
    (course / "foldem.toml").write_text(f'{DEADLINES}group_assignments = ["dominoes"]\n')
    assert "no file for dominoes from s3\n" in collect(course, {first: work("dominoes", "ours")}, days=1).stdout
    assert counts(course) == counts(course, "s2") == work("dominoes", "ours")
    collect(course, {second: work("dominoes", "ours, too")}, days=2)
    assert counts(course) == counts(course, "s2") == work("dominoes", "ours, too") and not counts(course, "s3")


def test_only_the_listed_assignments_are_handed_in_by_groups(course: Path) -> None:
    (course / "roster.csv").write_text(GROUPED)
    (course / "foldem.toml").write_text(f'{DEADLINES}group_assignments = ["uno"]\n')
    collect(course, {"s1/mine.ipynb": work("dominoes"), "s1/uno.ipynb": work("uno")})
    assert not counts(course, "s2") and counts(course, "s2", "uno") == work("uno")
    (course / "foldem.toml").write_text(f'{DEADLINES}group_assignments = ["unno"]\n')
    assert is_one_line_refusal(collect(course, {"s1/uno.ipynb": work("uno")}))


@pytest.mark.promise("others")
def test_two_people_with_one_address_hand_in_for_nobody(course: Path) -> None:
    times = moodle_times(
        course, *((number, name, "bob@uni.edu", "-") for number, name in ((102, "Bob Ray"), (9, "Eve Poe")))
    )
    (course / "roster.csv").write_text("id,name,email\ns2,Bob Ray,bob@uni.edu\n")
    done = collect(course, moodle_files(BOB, moodle_folder("Eve Poe", 9)), *times)
    assert (
        "Eve Poe_9: not matched: it may belong to s2 of roster.csv, or to somebody else" in done.stdout
        and not counts(course, "s2")
    )


@pytest.mark.parametrize(("hidden", "name"), [("Participant", "Participant"), ("Teilnehmer/in", "Teilnehmerin")])
def test_a_revealed_name_says_who_handed_in_blind(course: Path, hidden: str, name: str) -> None:
    head = ("Identifier", "Full name", "Email address", "Last modified (submission)")
    times = given_times(course, as_csv(head, (f"{hidden} 101", "Ann Lee", "ann@x.org", TIMES["English"])))
    collect(course, moodle_files(moodle_folder(name, 101)), *times)
    assert counts(course) and late(course) == timedelta(days=1, minutes=31)


NOT_ONE = "is not one valid time before this download, so no points are deducted"
OF_ANOTHER_ASSIGNMENT = "2026-03-08 00:30"
UNSURE = {
    "another number": (OF_ANOTHER_ASSIGNMENT, "times.csv has no submission time, so no points are deducted"),
    "two dates": ("03/04/2026 00:30", f"line 2: '03/04/2026 00:30' {NOT_ONE}"),
    "a date without a time": ("4 March 2026", f"line 2: '4 March 2026' {NOT_ONE}"),
    "a wrong weekday": ("Monday, 4 March 2026, 12:30 AM", NOT_ONE),
    "no time zone on earth": ("2026-03-03 00:30 +2575", f"'2026-03-03 00:30 +2575' {NOT_ONE}"),
    "another calendar": ("Wednesday, 4 March 2569, 12:30 AM", NOT_ONE),
    "none": ("-", "times.csv has no submission time, so no points are deducted"),
    "after the download": ("Sunday, 15 March 2026, 12:30 AM", NOT_ONE),
}


@pytest.mark.parametrize(("time", "line"), UNSURE.values(), ids=UNSURE)
def test_a_time_that_is_not_sure_deducts_nothing(course: Path, time: str, line: str) -> None:
    number = 201 if time == OF_ANOTHER_ASSIGNMENT else 101
    done = collect(course, moodle_files(), *moodle_times(course, (number, "Ann Lee", "ann@x.org", time)))
    assert done.returncode == 1 and counts(course) and late(course) == timedelta()
    [shown] = [each for each in done.stdout.splitlines() if line in each]
    assert shown.startswith("s1: ") and shown.count(". ") == 1, "there is a remedy"


def test_a_column_of_dates_is_read_in_the_one_order_that_fits_all(course: Path) -> None:
    rows = (101, "Ann Lee", "ann@x.org", "04/03/2026 00:30"), (102, "Bob Ray", "bob@x.org", "25/02/2026 00:30")
    assert collect(course, moodle_files(ANN, BOB), *moodle_times(course, *rows)).returncode == 0
    assert late(course) == timedelta(days=1, minutes=31) and late(course, "s2") == timedelta()


@pytest.mark.parametrize(("zone", "name"), [("+05:30", "UTC+05:30"), ("-08:00", "UTC-08:00"), ("Z", "UTC")])
def test_a_time_without_a_zone_is_read_in_that_of_the_deadline(course: Path, zone: str, name: str) -> None:
    (course / "foldem.toml").write_text(DEADLINES.replace("2026-03-02T23:59:00Z", f"2026-03-02T23:59:00{zone}"))
    times = moodle_times(course, (101, "Ann Lee", "ann@x.org", "Tuesday, 3 March 2026, 7:59 AM"))
    done = collect(course, moodle_files(), *times)
    assert late(course) == timedelta(hours=8)
    assert f"times.csv has no time zone. Its times are read as {name}." in done.stdout.splitlines()


def test_a_table_without_times_is_refused_in_one_line(course: Path) -> None:
    times = given_times(course, as_csv(["Student", "ID", "Homework 1"], ["Ann Lee", "77", "5"]))
    assert is_one_line_refusal(collect(course, moodle_files(), *times)) and not counts(course)


def test_times_may_come_after_the_download_and_go_no_more(course: Path) -> None:
    times, lateness = moodle_times(course, (101, "Ann Lee", "ann@x.org", "2026-03-04 00:30")), []
    for words, days in (((), 0), (times, 0), ((), 0), ((), 1)):
        collect(course, moodle_files(), *words, days=days)
        lateness.append(late(course))
    assert lateness == [timedelta(), *[timedelta(days=1, minutes=31)] * 3]


def test_the_time_of_nbgraders_exchange_is_kept(course: Path) -> None:
    notebook = write_file(course / "submitted/s1/dominoes/1_dominoes.ipynb", work("dominoes", "by nbgrader"))
    notebook.with_name("timestamp.txt").write_text("2026-03-04 00:30:00.123456 UTC")
    done = collect(course, {f"{ANN}/1_dominoes.ipynb": work("dominoes", answered=False)})
    assert counts(course) == work("dominoes", "by nbgrader") and late(course) > timedelta(days=1, minutes=31)
    assert "or has no answers, so an earlier one still counts" in done.stdout


# ------------------------------------------------------------------------------------------------ which of several


@pytest.mark.parametrize("folder", ["", ".ipynb_checkpoints/"])
def test_a_checkpoint_of_jupyter_is_ignored(course: Path, folder: str) -> None:
    files = {
        f"{ANN}/1_dominoes.ipynb": work("dominoes", "mine"),
        f"{ANN}/{folder}1_dominoes-checkpoint.ipynb": work("dominoes", "old"),
    }
    done = collect(course, files)
    assert counts(course) == work("dominoes", "mine") and "checkpoint" not in done.stdout


def test_a_checkpoint_counts_if_it_is_the_only_notebook(course: Path) -> None:
    collect(course, {f"{ANN}/1_dominoes-checkpoint.ipynb": work("dominoes", "old")})
    assert counts(course) == work("dominoes", "old")


@pytest.mark.parametrize("name", ["1_dominoes.ipynb.txt", "1_dominoes.json", "1_dominoes.IPYNB", "work.zip"])
def test_a_notebook_under_another_ending_is_taken(course: Path, name: str) -> None:
    text = packed({"deep/1_dominoes.ipynb": work("dominoes")}) if name == "work.zip" else work("dominoes")
    assert collect(course, {f"{ANN}/{name}": text}).stdout.startswith("no file for dominoes from s2")
    assert counts(course) == work("dominoes")


@pytest.mark.parametrize("name", ["notes.txt", "data.json", "helpers.py", "photo.png"])
def test_a_file_that_holds_no_notebook_is_no_hand_in(course: Path, name: str) -> None:
    done = collect(course, {f"{ANN}/{name}": "{}", f"{BOB}/1_dominoes.ipynb": work("dominoes")})
    assert not counts(course) and all_collected(course) == {work("dominoes")}
    assert f"{ANN}/{name}: not a notebook. Ask the student for the .ipynb file" in done.stdout.splitlines()


def test_moodles_online_text_beside_a_notebook_is_normal(course: Path) -> None:
    text = f"{ANN.removesuffix('file')}onlinetext/onlinetext.html"
    done = collect(course, {text: "<p>Here it is</p>", f"{ANN}/1_dominoes.ipynb": work("dominoes")})
    assert counts(course) and "onlinetext" not in done.stdout
    assert "onlinetext" in collect(course, {text: "<p>Here it is</p>"}, "--assignment", "dominoes").stdout


# ------------------------------------------------------------------------------------------------ again and again


def all_collected(course: Path) -> set[str]:
    return {path.read_text() for path in (course / "collected").rglob("*.ipynb")}


def test_a_file_from_another_assignment_takes_no_place(course: Path) -> None:
    collect(course, {f"{ANN}/1_dominoes.ipynb": work("dominoes", "mine")})
    slot = {
        f"{moodle_folder('Ann Lee', 201)}/1_dominoes.ipynb": work("dominoes", "by mistake"),
        f"{moodle_folder('Bob Ray', 202)}/4_uno.ipynb": work("uno"),
        f"{moodle_folder('Cid Foe', 203)}/4_uno.ipynb": work("uno"),
    }
    assert is_one_line_refusal(collect(course, slot, days=10)) and counts(course) == work("dominoes", "mine")
    done = collect(course, slot, "--assignment", "uno", days=10)
    assert counts(course) == work("dominoes", "mine") and counts(course, "s2", "uno")
    assert "a notebook of dominoes, but this download is for uno. Ask the student for the right file" in done.stdout
    assert "This download is for uno." in done.stdout.splitlines()


def test_a_download_that_may_be_for_two_assignments_asks_for_one(course: Path) -> None:
    files = {f"{ANN}/a.ipynb": work("dominoes"), f"{BOB}/b.ipynb": work("uno")}
    done = collect(course, files)
    assert is_one_line_refusal(done) and "can be for dominoes or uno. Add --assignment" in done.stderr
    assert not counts(course) and collect(course, files, "--assignment", "dominoes").returncode == 1
    assert counts(course) and not counts(course, "s2", "uno")


def test_broken_notebook_belongs_to_the_assignment_of_the_others(course: Path) -> None:
    done = collect(course, {f"{ANN}/a.ipynb": work("dominoes"), f"{BOB}/b.ipynb": "{"})
    assert "This download is for dominoes." in done.stdout and counts(course) and counts(course, "s2") == "{"


def test_parts_of_a_unit_are_distinguished_by_their_exercises(course: Path) -> None:
    names = [*read_unit("dominoes").by_name]
    for assignment, part in (("dominoes", names[:4]), ("more", names[4:])):
        text = part_of(work("dominoes", answered=False), part)
        write_file(course / "source" / assignment / "1_dominoes.ipynb", text)
    files = {f"{ANN}/a.ipynb": part_of(work("dominoes"), names[4:]), f"{BOB}/b.ipynb": work("dominoes")}
    assert "This download is for more." in collect(course, files).stdout
    assert (course / "submitted/s2/more/1_dominoes.ipynb").exists() and not counts(course)


def test_a_group_has_one_number_in_all_assignments_of_moodle(course: Path) -> None:
    names = [*read_unit("dominoes").by_name]
    parts = {"dominoes": part_of(work("dominoes"), names[:4]), "more": part_of(work("dominoes", "later"), names[4:])}
    for assignment, text in parts.items():
        write_file(course / "source" / assignment / "1_dominoes.ipynb", text)
    rows = (f"{assignment},{student},Group A_7\n" for assignment in parts for student in ("s1", "s2"))
    (course / "moodle.csv").write_text("assignment,student,name\n" + "".join(rows))
    for days, text in enumerate(parts.values()):
        done = collect(course, {f"{moodle_folder('Group A', 7)}/1_dominoes.ipynb": text}, days=days)
    assert "This download is for more." in done.stdout and counts(course) == parts["dominoes"]
    assert (course / "submitted/s2/more/1_dominoes.ipynb").read_text() == parts["more"]


def part_of(text: str, exercises: list[str]) -> str:
    """Return a notebook with the cells of some exercises only."""
    notebook = nbformat.reads(text, as_version=4)
    own = {name for exercise in exercises for name in (exercise, f"{exercise}-check")}
    given = [cell.metadata.get("nbgrader", {}).get("grade_id", "") for cell in notebook.cells]
    notebook.cells = [cell for cell, name in zip(notebook.cells, given, strict=True) if not name or name in own]
    return nbformat.writes(notebook)


WORSE = {
    "late": (work("dominoes", "new"), "2026-03-04 00:30", "is late by 1 day 31 min"),
    "empty": (work("dominoes", answered=False), "2026-03-02 12:00", "or cannot be read, or has no answers"),
    "unreadable": ("{", "2026-03-02 12:00", "or cannot be read, or has no answers"),
}


@pytest.mark.parametrize(("new", "time", "why"), WORSE.values(), ids=WORSE)
def test_a_worse_file_replaces_no_good_one(course: Path, new: str, time: str, why: str) -> None:
    good = work("dominoes", "good")
    for text, when, days in ((good, "2026-03-01 12:00", 0), (new, time, 1)):
        words = moodle_times(course, (101, "Ann Lee", "ann@x.org", when))
        words = *words, "--assignment", "dominoes"
        done = collect(course, {f"{ANN}/1_dominoes.ipynb": text}, *words, days=days)
    assert done.returncode == 1 and f"{why}, so an earlier one still counts" in done.stdout
    assert counts(course) == good and late(course) == timedelta() and all_collected(course) == {good, new}
    assert ("[[extension]]" in done.stdout) == ("late" in why)


def test_the_latest_download_counts_and_earlier_files_are_kept(course: Path) -> None:
    for days in (0, 2, 1):
        done = collect(course, {f"{ANN}/1_dominoes.ipynb": work("dominoes", f"day {days}")}, days=days)
    assert (counts(course), all_collected(course)) == (
        work("dominoes", "day 2"),
        {work("dominoes", f"day {days}") for days in range(3)},
    )
    assert done.returncode == 1 and "no file for dominoes from s2" in done.stdout
    log = [json.loads(line) for line in (course / "collected/log.jsonl").read_text().splitlines()]
    assert [(each["source"], each["downloaded"][:10]) for each in log] == [
        ("CS101-Week 3-0.zip", "2026-03-09"),
        ("CS101-Week 3-2.zip", "2026-03-11"),
        ("CS101-Week 3-1.zip", "2026-03-10"),
    ]


def test_another_file_in_a_download_of_the_same_time_is_named(course: Path) -> None:
    for note in ("b", "a", "b"):
        done = collect(course, {f"{ANN}/1_dominoes.ipynb": work("dominoes", note)})
    counting = "b" if counts(course) == work("dominoes", "b") else "a"
    assert all_collected(course) == {work("dominoes", "a"), work("dominoes", "b")}
    assert ("is not newer, or cannot be read, or has no answers, so an earlier one still counts" in done.stdout) == (
        counting == "a"
    )


@pytest.mark.parametrize("name", ["1_dominoes.ipynb", "timestamp.txt"])
def test_a_folder_in_the_way_of_a_file_stops_nobody_and_is_kept(course: Path, name: str) -> None:
    """nbgrader's exchange copies whatever a student hands in, also a folder that has the name of a file."""
    (course / "submitted/s1/dominoes" / name / "own").mkdir(parents=True)
    rows = [(number, who, "", "2026-03-01 12:00") for number, who in ((101, "Ann Lee"), (102, "Bob Ray"))]
    times, files = moodle_times(course, *rows), moodle_files(ANN, BOB)
    done = collect(course, files, *times)
    assert counts(course, "s1") == counts(course, "s2") == work("dominoes"), done.stderr
    assert (course / "submitted/s1/dominoes" / f"{name}.folder" / "own").is_dir()
    assert collect(course, files, *times).stdout.splitlines()[-1].startswith("0 notebooks")


def test_nbgrader_regrades_files_that_a_download_replaces(course: Path) -> None:
    collect(course, {f"{ANN}/1_dominoes.ipynb": work("dominoes", "first")})
    for student in ("s1", "s2"):
        (course / "autograded" / student / "dominoes").mkdir(parents=True)
    assert drop_unfinished(course) == []
    collect(course, {f"{ANN}/1_dominoes.ipynb": work("dominoes", "last")}, days=1)
    assert drop_unfinished(course) == [course / "autograded/s1/dominoes"]
    collect(course, {f"{ANN}/1_dominoes.ipynb": work("dominoes", "last")}, days=1)
    assert drop_unfinished(course) == []


NOTES = st.sampled_from(["", "{", "none", "a", "b", "c"])
FILES = st.dictionaries(st.sampled_from(["1_dominoes.ipynb", "1_dominoes (1).ipynb", "x-checkpoint.ipynb"]), NOTES)
Day = tuple[dict[str, str], str]  # the files of a download, as notes by name, and their time or ""
DAYS = st.lists(st.tuples(FILES, st.sampled_from(["", "2026-03-01 12:00", "2026-03-04 12:00"])), min_size=1, max_size=4)
IN_ORDERS = DAYS.flatmap(lambda days: st.tuples(st.just(days), st.permutations([*range(len(days))] * 2)))
LATE_FIRST: list[tuple[list[Day], list[int]]] = [  # grading decides about a late file, not its early download
    ([({"1_dominoes.ipynb": "a"}, "2026-03-01 12:00"), ({"1_dominoes.ipynb": "b"}, "2026-03-04 12:00")], [1, 0, 0, 1]),
    (
        [
            ({"1_dominoes.ipynb": "", "1_dominoes (1).ipynb": "a"}, ""),
            ({}, ""),
            ({"1_dominoes.ipynb": "b"}, "2026-03-04 12:00"),
            ({}, ""),
        ],
        [2, 0, 1, 2, 0, 3, 1, 3],
    ),
    (
        [
            ({"1_dominoes.ipynb": ""}, ""),
            ({"1_dominoes.ipynb": "a"}, "2026-03-01 12:00"),
            ({"1_dominoes (1).ipynb": "a"}, "2026-03-04 12:00"),
        ],
        [0, 1, 2, 2, 1, 0],
    ),
]


@pytest.mark.proof
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(LATE_FIRST[1])
@given(IN_ORDERS)
def test_downloads_come_in_any_order_and_again_and_nothing_is_lost(
    tmp_path_factory: pytest.TempPathFactory, days_and_order: tuple[list[Day], list[int]]
) -> None:
    days, order = days_and_order
    outcomes = [outcome_of(tmp_path_factory.mktemp("term"), days, each) for each in (range(len(days)), order)]
    assert outcomes[0] == outcomes[1]
    assert outcomes[0][2] == {text_of(note) for files, _ in days for note in files.values()}


def test_download_with_only_a_checkpoint_replaces_nothing(course: Path) -> None:
    collect(course, {f"{ANN}/1_dominoes.ipynb": work("dominoes", "mine")})
    done = collect(course, {f"{ANN}/x-checkpoint.ipynb": work("dominoes", "old")}, days=1)
    assert counts(course) == work("dominoes", "mine") and "0 notebooks collected" in done.stdout, done.stderr


@pytest.mark.parametrize("days, order", LATE_FIRST)
def test_late_file_that_is_collected_first_waits_for_grading(tmp_path: Path, days: list[Day], order: list[int]) -> None:
    assert outcome_of(tmp_path, days, order)[:2] == (work("dominoes", "a"), timedelta())


def outcome_of(folder: Path, days: list[Day], order: Iterable[int]) -> tuple[str, timedelta, set[str]]:
    """Return which file counts, how late it is, and all files, after collecting the days in an order."""
    course = make_course(folder)
    for day in order:
        collect_a_day(course, *days[day], day)
    return counts(course), late(course), all_collected(course)


def collect_a_day(course: Path, files: dict[str, str], time: str, day: int) -> None:
    times = moodle_times(course, (101, "Ann Lee", "ann@x.org", time)) if time else ()
    texts = {f"{ANN}/{name}": text_of(note) for name, note in files.items()}
    collect(course, texts, "--assignment", "dominoes", *times, days=day)


def text_of(note: str) -> str:
    return note if note in ("", "{") else work("dominoes", note, answered=note != "none")


@pytest.mark.parametrize("name", ["a\u2028b.ipynb", "a\x85b.ipynb", 'a"b.ipynb', "…" * 60 + ".ipynb"])
def test_a_file_with_a_strange_name_is_collected_again_and_again(course: Path, name: str) -> None:
    for note in ("first", "last"):
        collect(course, {f"{ANN}/{name}": work("dominoes", note)}, days=len(note))
    assert counts(course) == work("dominoes", "first") and len(all_collected(course)) == 2


def test_a_name_that_is_no_text_is_ignored(course: Path) -> None:
    try:
        write_file(course.parent / "folder" / "s1" / os.fsdecode(b"J\xfcrgen.ipynb"), work("dominoes"))
    except OSError:
        pytest.skip("this file system has no such names")
    for _ in range(2):
        assert foldem_here("collect", course.parent / "folder", course).returncode == 1
    assert whose_is_whose(course) == {"s1": ""}


# ------------------------------------------------------------------------------------------------ who


def collect_people(course: Path, names: dict[str, int], roster: str = "", **notes: str) -> CompletedProcess[str]:
    """Collect a download from Moodle with a notebook for each person, which contains the person's name."""
    path = course / "roster.csv"
    path.write_text(roster) if roster else path.unlink(missing_ok=True)
    files = {
        f"{moodle_folder(name, number)}/1_dominoes.ipynb": work("dominoes", name) for name, number in names.items()
    }
    return collect(course, files)


def whose_is_whose(course: Path) -> dict[str, str]:
    """Return for each student the name in the notebook that counts."""
    title = nbformat.reads(work("dominoes"), 4).cells[0].source
    paths = sorted((course / "submitted").glob("*/dominoes/1_dominoes.ipynb"))
    return {path.parts[-3]: nbformat.read(path, 4).cells[0].source.removeprefix(title) for path in paths}


ALIKE = [
    ("Ann Lee", "Nan Eel"),
    ("राम", "रीम"),
    ("กิตติ", "กุตตุ"),
    ("Jörg Muß", "Jorg Muss"),
    ("علي", "علىّ"),
    ("김철수", "김철스"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE, ids=[one for one, _ in ALIKE])
def test_people_with_similar_names_are_two(course: Path, one: str, other: str) -> None:
    done = collect_people(course, {one: 101, other: 102}, f"id,name\ns1,{one}\ns2,{other}\n")
    assert done.returncode == 0, done.stdout
    assert whose_is_whose(course) == {"s1": one, "s2": other}


SAME = [
    ("O'Brien, Seán", "Seán O'Brien"),
    ("Anne-Marie Lee", "Anne-Marie LEE"),
    ("José García", "Jose\u0301 Garci\u0301a"),
    ("García Márquez Gabriel", "Gabriel García Márquez"),
    ("d’Artagnan Charles", "Charles d'Artagnan"),
]


@pytest.mark.parametrize(("there", "here"), SAME, ids=[one for one, _ in SAME])
def test_one_name_is_written_in_several_ways(course: Path, there: str, here: str) -> None:
    (course / "roster.csv").write_text(f'id,name\ns1,"{here}"\n')
    assert collect(course, {f"{moodle_folder(there, 101)}/x.ipynb": work("dominoes")}).returncode == 0
    (course / "roster.csv").write_text(f'id,name\ns2,"{here}"\n')
    last, _, first = there.partition(", ") if ", " in there else (there, "", "")
    collect(course, {canvas_name(f"{last}{first}", 77, 991, "x.ipynb"): work("dominoes")})
    assert counts(course) and counts(course, "s2")


NAMESAKES = "id,name,email\ns1,Ann Lee,ann@x.org\ns2,Ann Lee,lee@x.org\n"
OF_NAMESAKES = {f"{moodle_folder('Ann Lee', n)}/x.ipynb": work("dominoes", str(n)) for n in (101, 102)}


def test_a_class_renumbered_by_moodle_is_known_by_the_worksheet(course: Path) -> None:
    collect(course, moodle_files(ANN, BOB))
    again = moodle_files(moodle_folder("Ann Lee", 201), moodle_folder("Bob Ray", 202))
    done = collect(course, again, days=1)
    assert (
        "Ann Lee_201: not matched: it may belong to s1 of roster.csv, or to somebody else. Add --times" in done.stdout
    )
    rows = (201, "Ann Lee", "ann@x.org", TIMES["English"]), (202, "Bob Ray", "bob@x.org", TIMES["English"])
    assert "2 notebooks collected" not in collect(course, again, *moodle_times(course, *rows), days=1).stdout
    assert late(course) and late(course, "s2")


def test_a_course_without_a_roster_is_refused_in_one_line(course: Path) -> None:
    (course / "roster.csv").unlink()
    done = collect(course, moodle_files(ANN))
    assert is_one_line_refusal(done) and "roster.csv has no students. Write it" in done.stderr
    assert not (course / "submitted").exists()


def test_a_hand_in_without_a_student_on_the_roster_is_listed(course: Path) -> None:
    write_file(course / "submitted/s9/dominoes/1_dominoes.ipynb", work("dominoes"))
    done = collect_people(course, {"Ann Lee": 101}, "id,name\ns1,Ann Lee\n")
    assert whose_is_whose(course).keys() == {"s1", "s9"}
    message = "s9: in submitted/, but not in roster.csv. Add the student, or remove the folder"
    assert message in done.stdout.splitlines()


def test_namesakes_are_listed_with_how_to_settle_them(course: Path) -> None:
    (course / "roster.csv").write_text(NAMESAKES)
    done = collect(course, OF_NAMESAKES)
    assert done.returncode == 1 and not (course / "submitted").exists()
    assert (
        "Ann Lee_101: not matched: it may belong to s1 or s2 of roster.csv. Add --times with Moodle's grading "
        "worksheet, or the line dominoes,ID,Ann Lee_101 to moodle.csv" in done.stdout.splitlines()
    )
    rows = (101, "Ann Lee", "lee@x.org", "2026-03-01 12:00"), (102, "Ann Lee", "ann@x.org", "2026-03-01 12:00")
    assert (collect(course, OF_NAMESAKES, *moodle_times(course, *rows)).returncode, whose_is_whose(course)) == (
        0,
        {"s1": "102", "s2": "101"},
    )
    assert collect(course, OF_NAMESAKES, days=1).returncode == 0, "it is known from now on"


def test_a_file_counts_once_its_student_is_known(course: Path) -> None:
    (course / "roster.csv").write_text(NAMESAKES)
    folders = [moodle_folder("Ann Lee", number) for number in (101, 102)]
    collect(course, {f"{folder}/x.ipynb": work("dominoes", f"early {folder}") for folder in folders})
    assert not (course / "submitted").exists() and len(all_collected(course)) == 2
    rows = (101, "Ann Lee", "ann@x.org", "2026-03-04 12:00"), (102, "Ann Lee", "lee@x.org", "2026-03-01 12:00")
    collect(course, {f"{folders[0]}/x.ipynb": work("dominoes", "late")}, *moodle_times(course, *rows), days=1)
    assert [counts(course, student) for student in ("s1", "s2")] == [
        work("dominoes", f"early {name}") for name in folders
    ]
    assert late(course) == timedelta(), "what came before the deadline is known"


@pytest.mark.promise("others")
def test_a_number_that_was_another_students_is_listed(course: Path) -> None:
    (course / "roster.csv").write_text("id,name\ns2,Ann Lee\ns1,Bob Ray\n")
    assert collect(course, moodle_files(ANN, BOB)).returncode == 0
    (course / "roster.csv").write_text("id,name\ns1,Ann Lee\ns2,Bob Ray\n")
    done = collect(course, moodle_files(ANN, BOB))
    assert (
        "Ann Lee_101, Bob Ray_102: not matched: another student had this number before. If roster.csv was wrong"
        in done.stdout
    )
    for name in ("collected", "submitted", "moodle.csv"):
        (course / name).rename(course.parent / name)
    assert collect(course, moodle_files(ANN, BOB)).returncode == 0


def test_a_line_in_moodle_csv_identifies_the_student(course: Path) -> None:
    (course / "roster.csv").write_text(NAMESAKES)
    (course / "moodle.csv").write_text("assignment,student,name\ndominoes,s2,Ann Lee_101\ndominoes,s1,Ann Lee_102\n")
    assert (collect(course, OF_NAMESAKES).returncode, whose_is_whose(course)) == (0, {"s1": "102", "s2": "101"})


@pytest.mark.parametrize(
    "spoilt", ["assignment,student,name\ndominoes,s1,Zo\udceb_9\n", "a,b\n1,2\n", "assignment,student\n"]
)
def test_a_moodle_csv_that_cannot_be_read_keeps_what_a_teacher_wrote(course: Path, spoilt: str) -> None:
    (course / "moodle.csv").write_bytes(content := spoilt.encode(errors="surrogateescape"))
    assert is_one_line_refusal(collect(course, moodle_files(ANN))) and (course / "moodle.csv").read_bytes() == content
    (course / "moodle.csv").write_text("assignment,student,name\nuno,s2,Group A_7\n  \n,,\n")
    assert (
        collect(course, moodle_files(ANN)).returncode == 1 and "uno,s2,Group A_7" in (course / "moodle.csv").read_text()
    )


def test_a_student_off_the_roster_does_not_replace_a_namesake(course: Path) -> None:
    folders = [moodle_folder("Ann Lee", number) for number in (101, 102)]
    collect(course, {f"{folders[0]}/x.ipynb": work("dominoes", "the one")})
    done = collect(course, {f"{folder}/x.ipynb": work("dominoes", folder) for folder in folders}, days=1)
    assert counts(course) == work("dominoes", folders[0])
    assert "Ann Lee_102: not matched: it may belong to s1 of roster.csv, or to somebody else" in done.stdout


@pytest.mark.parametrize(
    ("folder", "student"),
    [
        ("s1", "s1"),
        ("S1", "s1"),
        ("s1_late.ipynb", "s1"),
        ("ann@x.org", "s1"),
        ("ann", "s1"),
        ("Lee, Ann", "s1"),
        ("Ann Smith", ""),
        ("ann_smith", ""),
        ("s10", ""),
        ("Bob", ""),
    ],
)
def test_a_folder_is_matched_by_id_address_or_whole_name(course: Path, folder: str, student: str) -> None:
    file = folder if folder.endswith(".ipynb") else f"{folder}/x.ipynb"
    done = collect(course, {file: work("dominoes")})
    assert bool(counts(course)) == bool(student) and not counts(course, "s2")
    assert student or ": not matched" in done.stdout


@pytest.mark.parametrize("name", ["1_dominoes.ipynb", "1_dominoes (2).ipynb", "1_dominoes_lee/x.ipynb"])
def test_a_number_of_a_notebook_is_nobodys_id(course: Path, name: str) -> None:
    (course / "roster.csv").write_text("id,name\n1,Ann Lee\n2,Bob Ray\n")
    done = collect(
        course, {name: work("dominoes"), "1_mine.ipynb": work("dominoes", "mine"), "2/x.ipynb": work("dominoes")}
    )
    assert counts(course, "1") == work("dominoes", "mine") and ": not matched" in done.stdout


def test_canvas_ids_tell_namesakes_apart(course: Path) -> None:
    (course / "roster.csv").write_text("id,name,canvas_id\ns1,Ann Lee,77\ns2,Ann Lee,88\ns3,李 明,99\n")
    people = {"s1": ("Lee, Ann", 77), "s2": ("Lee, Ann", 88), "s3": ("李 明", 99)}
    files = {canvas_name(*who, 900 + who[1], "x.ipynb"): work("dominoes", student) for student, who in people.items()}
    assert (collect(course, files).returncode, whose_is_whose(course)) == (0, {student: student for student in people})
    stranger = {canvas_name("Lee, Ann", 66, 999, "x.ipynb"): work("dominoes", "a third")}
    assert "Write 66 into the column canvas_id of roster.csv" in collect(course, stranger, days=1).stdout


def test_gradescope_ids_distinguish_namesakes(course: Path) -> None:
    (course / "roster.csv").write_text(NAMESAKES)
    people = {
        11: ("Ann Lee", "s2", "a@y.org", "2026-03-01 10:00:00.123456789 Z"),
        12: ("Ann Lee", "", "ann@x.org", "2026-03-04 00:30:00.5 Z"),
    }
    files = {f"assignment_9_export/submission_{number}/x.ipynb": work("dominoes", str(number)) for number in people}
    assert (
        collect(course, {"assignment_9_export/submission_metadata.yml": metadata(people)} | files).returncode,
        whose_is_whose(course),
    ) == (0, {"s1": "12", "s2": "11"})
    assert (late(course), late(course, "s2")) == (timedelta(days=1, minutes=31), timedelta())


@pytest.mark.promise("others")
def test_an_id_that_somebody_else_writes_into_gradescope_takes_no_slot(course: Path) -> None:
    people = {
        number: (name, "s1", f"{name[:3].lower()}@x.org", "") for number, name in ((11, "Ann Lee"), (12, "Bob Ray"))
    }
    files = {f"assignment_9_export/submission_{number}/x.ipynb": work("dominoes", str(number)) for number in people}
    for roster, whose in (
        (ROSTER, {"s1": "11", "s2": "12"}),
        ("id,name,email\ns1,Ann Lee,ann@x.org\n", {"s1": "11"}),
        ("id,name\ns1,Ann Lee\n", {}),
    ):
        (course / "roster.csv").write_text(roster)
        shutil.rmtree(course / "submitted", ignore_errors=True)
        shutil.rmtree(course / "collected", ignore_errors=True)
        done = collect(course, {"assignment_9_export/submission_metadata.yml": metadata(people)} | files)
        assert whose_is_whose(course) == whose, roster
    assert (
        "Ann Lee_ann@x.org: not matched: it may belong to s1 of roster.csv, or to somebody else. Write ann@x.org into"
        in done.stdout
    )


@pytest.mark.promise("others")
@pytest.mark.parametrize("name", ["leeann_77_999999999__88_991001_x", "xx_77_999999999_LATE_88_991001_x"])
def test_a_name_with_somebody_elses_number_of_canvas_replaces_no_file(course: Path, name: str) -> None:
    """Canvas takes numbers between `_` out of a student's name, but only once."""
    own = canvas_name("Lee, Ann", 77, 991000, "hw_2026_03_04_x.ipynb")
    done = collect(course, {own: work("dominoes", "mine"), f"{name}.ipynb": work("dominoes", "forged")}, days=1)
    assert f"{name}.ipynb: not matched" in done.stdout
    assert counts(course) == work("dominoes", "mine") and not counts(course, "s2")


@pytest.mark.parametrize("ids", ["s1\nS1", "a:b", "con", "lpt1.x", "ann.", "é\ne\u0301"])
def test_an_id_that_is_no_folder_on_every_system_is_refused_in_one_line(course: Path, ids: str) -> None:
    (course / "roster.csv").write_text(f"id\n{ids}\n")
    assert is_one_line_refusal(collect(course, {f"{ANN}/x.ipynb": work("dominoes")}))


def test_names_in_a_zip_are_read_as_utf_8_even_if_it_does_not_say_so(course: Path) -> None:
    (course / "roster.csv").write_text("id,name\ns1,Jürgen Groß\ns2,李 明\n")
    names = canvas_name("Groß, Jürgen", 77, 991, "x.ipynb"), canvas_name("李 明", 88, 992, "x.ipynb")
    path = write_zip(course.parent / "canvas.zip", dict.fromkeys(names, work("dominoes")))
    content = bytearray(path.read_bytes())
    for mark, flags in ((b"PK\3\4", 7), (b"PK\1\2", 9)):
        for match in re.finditer(re.escape(mark), content):
            content[match.start() + flags] &= 0xF7  # the bit that says that the name is UTF-8
    path.write_bytes(content)
    assert foldem_here("collect", path, course).returncode == 0 and counts(course) and counts(course, "s2")
