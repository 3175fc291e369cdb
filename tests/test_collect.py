"""`foldem collect`: when a file was handed in, and which of a student's files counts."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import nbformat
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from autograder.hosts.exchange import drop_unfinished_output
from tests.classroom import write_file
from tests.command import is_one_line_refusal
from tests.downloads import (
    ANN,
    BOB,
    DEADLINES,
    MOODLE_TIME,
    ROSTER,
    all_collected,
    as_csv,
    canvas_name,
    collect,
    counts,
    given_times,
    late,
    make_course,
    metadata,
    moodle_files,
    moodle_folder,
    packed,
    work,
    worksheet,
)
from tests.units import read_unit


@pytest.fixture
def course(tmp_path: Path) -> Path:
    return make_course(tmp_path)


# ------------------------------------------------------------------------------------------------ when

TIMES = {
    "English": MOODLE_TIME,
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
GERMAN_HEAD = (
    *("ID", "Vollständiger Name", "E-Mail-Adresse", "Status", "Bewertung", "Bestwertung", "Bewertung änderbar"),
    *("Zuletzt geändert (Abgabe)", "Zuletzt geändert (Bewertung)", "Feedback als Kommentar"),
)
BLIND_HEAD = "Identifier", "Full name", "Email address", "Last modified (submission)"
CANVAS_HEAD = "Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Submitted At"
CANVAS_ROW = "Lee, Ann", "77", "88", "alee", "A", "2026-03-04T00:30:00Z"
CANVAS_FILE = canvas_name("Lee, Ann", 77, 991, "1_dominoes-1.ipynb", late=True)
A_DAY, ON_TIME = timedelta(days=1, minutes=31), timedelta()
NO_TIME = "times.csv has no submission time, so no points are deducted"
NOT_ONE = "is not a clear time before this download, so no points are deducted"


def table(time: str, number: int = 101, head: Iterable[str] = ()) -> str:
    """Return a worksheet of Moodle with a time for Ann Lee, and a time before the deadline for Bob Ray."""
    rows = (number, "Ann Lee", "ann@x.org", time), (102, "Bob Ray", "bob@x.org", "2026-03-02 23:58")
    return worksheet(rows, head)


class Handed(NamedTuple):
    """Files that Ann hands in, a table of times, how late she is, and a text in the output."""

    times: str
    late: timedelta = A_DAY
    line: str = ""
    file: str = f"{ANN}/1_dominoes.ipynb"
    zone: str = "Z"


HANDED = {
    **{
        language: Handed(table(time), line="s1: dominoes is late by 1 day 31 min\n") for language, time in TIMES.items()
    },
    "a German table": Handed(table(TIMES["German"], head=GERMAN_HEAD)),
    "a table of Canvas": Handed(as_csv(CANVAS_HEAD, CANVAS_ROW), file=CANVAS_FILE),
    "a table of Canvas's interface": Handed(
        as_csv(("user_id", "submitted_at"), ("77", "2026-03-04T00:30:00Z")), file=CANVAS_FILE
    ),
    "a blind table": Handed(
        as_csv(BLIND_HEAD, ("Participant 101", "Ann Lee", "ann@x.org", MOODLE_TIME)),
        file=f"{moodle_folder('Participant', 101)}/1_dominoes.ipynb",
    ),
    "a blind German table": Handed(
        as_csv(BLIND_HEAD, ("Teilnehmer/in 101", "Ann Lee", "ann@x.org", MOODLE_TIME)),
        file=f"{moodle_folder('Teilnehmerin', 101)}/1_dominoes.ipynb",
    ),
    "an address that a student has written": Handed(
        as_csv(
            (*BLIND_HEAD, "Online text"), ("Participant 101", "Ann Lee", "ann@elsewhere.org", MOODLE_TIME, "bob@x.org")
        )
    ),
    "dates whose order another one shows": Handed(
        worksheet(
            [(101, "Ann Lee", "ann@x.org", "04/03/2026 00:30"), (102, "Bob Ray", "bob@x.org", "25/02/2026 00:30")]
        )
    ),
    **{
        f"the zone {zone}": Handed(
            table("Tuesday, 3 March 2026, 7:59 AM"),
            timedelta(hours=8),
            f"times.csv has no time zone. Its times are read as {name}.\n",
            zone=zone,
        )
        for zone, name in {"+05:30": "UTC+05:30", "-08:00": "UTC-08:00", "Z": "UTC"}.items()
    },
    **{
        f"no table for {file}": Handed(
            "",
            ON_TIME,
            "dominoes: submission times are unknown, so no points are deducted. To deduct points, add --times",
            file,
        )
        for file in (f"{ANN}/x.ipynb", f"{ANN}_x.ipynb", "leeann_77_991_1_dominoes.ipynb", "s1/mine.ipynb")
    },
    "two orders": Handed(table("03/04/2026 00:30"), ON_TIME, f"s1: times.csv, line 2: '03/04/2026 00:30' {NOT_ONE}"),
    "no time of day": Handed(table("4 March 2026"), ON_TIME, f"line 2: '4 March 2026' {NOT_ONE}"),
    "a wrong weekday": Handed(table("Monday, 4 March 2026, 12:30 AM"), ON_TIME, NOT_ONE),
    "no zone on earth": Handed(table("2026-03-03 00:30 +2575"), ON_TIME, f"'2026-03-03 00:30 +2575' {NOT_ONE}"),
    "another calendar": Handed(table("Wednesday, 4 March 2569, 12:30 AM"), ON_TIME, NOT_ONE),
    "no time": Handed(table("-"), ON_TIME, f"s1: {NO_TIME}"),
    "a time after the download": Handed(table("Sunday, 15 March 2026, 12:30 AM"), ON_TIME, NOT_ONE),
    "another assignment's number": Handed(table("2026-03-08 00:30", number=201), ON_TIME, f"s1: {NO_TIME}"),
}


@pytest.mark.parametrize("handed", HANDED.values(), ids=HANDED)
def test_only_a_time_that_is_sure_makes_a_student_late(course: Path, handed: Handed) -> None:
    write_file(course / "foldem.toml", DEADLINES.replace("2026-03-02T23:59:00Z", f"2026-03-02T23:59:00{handed.zone}"))
    files = {handed.file: work("dominoes")} | moodle_files(BOB)
    done = collect(course, files, "--assignment", "dominoes", *given_times(course, handed.times))
    assert counts(course) and (late(course), late(course, "s2")) == (handed.late, ON_TIME)
    assert handed.line in done.stdout and ("is late by" in done.stdout) == (handed.late > ON_TIME)


def test_a_name_that_two_students_have_makes_neither_late(course: Path) -> None:
    write_file(course / "roster.csv", f"{ROSTER}s4,Lee Ann,lee@x.org,\n")
    files = {f"{student}/1_dominoes.ipynb": work("dominoes") for student in ("s1", "s4")}
    done = collect(course, files, *given_times(course, "Name,Submitted At\nAnn Lee,2026-03-05T12:00:00Z\n"))
    assert late(course) == late(course, "s4") == ON_TIME and f"s1, s4: {NO_TIME}" in done.stdout


def test_gradescope_has_the_times_in_its_own_list(course: Path) -> None:
    listed = metadata({11: ("Ann Lee", "", "ann@x.org", "2026-03-04 00:30:00.5 Z")})
    listed = listed.replace("  :created_at", "  - :name: Bob Ray\n    :email: bob@x.org\n  :created_at")  # a group
    folder = "assignment_9_export"
    collect(course, {f"{folder}/submission_metadata.yml": listed, f"{folder}/submission_11/x.ipynb": work("dominoes")})
    assert late(course) == late(course, "s2") == A_DAY


@pytest.mark.parametrize("content", ["- a", ": :", "submission_1: 3", "x: {:submitters: [1]}"])
def test_a_list_of_gradescope_that_cannot_be_read_is_one_line(course: Path, content: str) -> None:
    done = collect(course, {"submission_metadata.yml": content})
    assert is_one_line_refusal(done) and "submission_metadata.yml" in done.stderr


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("times.csv", "Student,ID,Homework 1\nAnn Lee,77,5\n", "found no column with submission times"),
        ("roster.csv", "id\n", "roster.csv"),
        ("foldem.toml", f'{DEADLINES}group_assignments = ["unno"]\n', "unknown assignment 'unno'"),
        *(  # not every system has such folders
            ("roster.csv", f"id\n{ids}\n", "roster.csv")
            for ids in ("s1\nS1", "a:b", "con", "lpt1.x", "ann.", "é\ne\u0301")
        ),
    ],
)
def test_a_file_that_collect_cannot_use_is_refused(course: Path, name: str, text: str, line: str) -> None:
    path = write_file(course / name, text)
    done = collect(course, moodle_files(), *(["--times", str(path)] if name == "times.csv" else []))
    assert is_one_line_refusal(done) and line in done.stderr and not (course / "submitted").exists()


def test_a_course_without_a_roster_is_refused_in_one_line(course: Path) -> None:
    (course / "roster.csv").unlink()
    assert "roster.csv has no students. Write it" in collect(course, moodle_files()).stderr


def test_times_may_come_after_the_download_and_go_no_more(course: Path) -> None:
    times, lateness = given_times(course, table("2026-03-04 00:30")), []
    for words, days in (((), 0), (times, 0), ((), 0), ((), 1)):
        collect(course, moodle_files(), *words, days=days)
        lateness.append(late(course))
    assert lateness == [ON_TIME, A_DAY, A_DAY, A_DAY]


def test_the_time_of_nbgraders_exchange_is_kept(course: Path) -> None:
    notebook = write_file(course / "submitted/s1/dominoes/1_dominoes.ipynb", work("dominoes", "by nbgrader"))
    notebook.with_name("timestamp.txt").write_text("2026-03-04 00:30:00.123456 UTC")
    done = collect(course, {f"{ANN}/1_dominoes.ipynb": work("dominoes", answered=False)})
    assert counts(course) == work("dominoes", "by nbgrader") and late(course) > A_DAY
    assert "s1: an earlier file for 1_dominoes counts, not the one in this download: " in done.stdout


# ------------------------------------------------------------------------------------------------ groups, assignments

GROUPED = (
    "id,name,email,canvas_id,group\ns1,Ann Lee,ann@x.org,77,A\ns2,Bob Ray,bob@x.org,88,A\ns3,Cid Foe,cid@x.org,99,\n"
)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (f"{ANN}/1_dominoes.ipynb", f"{BOB}/1_dominoes.ipynb"),
        ("leeann_77_991_1_dominoes.ipynb", "raybob_88_992_1_dominoes.ipynb"),
        ("s1/mine.ipynb", "s2/mine.ipynb"),
    ],
)
def test_a_file_for_a_group_assignment_counts_for_the_group(course: Path, first: str, second: str) -> None:
    write_file(course / "roster.csv", GROUPED)
    assert "no file for dominoes from s2, s3\n" in collect(course, {first: work("dominoes")}).stdout
    write_file(course / "foldem.toml", f'{DEADLINES}group_assignments = ["dominoes"]\n')
    for days, file in enumerate((first, second), 1):
        done = collect(course, {file: work("dominoes", file)}, days=days)
        assert counts(course) == counts(course, "s2") == work("dominoes", file) and not counts(course, "s3")
    assert "no file for dominoes from s3\n" in done.stdout
    collect(course, {"s1/uno.ipynb": work("uno")}, "--assignment", "uno", days=3)
    assert counts(course, "s1", "uno") and not counts(course, "s2", "uno"), "only the listed assignments"


def test_a_file_from_another_assignment_takes_no_place(course: Path) -> None:
    collect(course, {f"{ANN}/1_dominoes.ipynb": work("dominoes", "mine")})
    slot = {
        f"{moodle_folder('Ann Lee', 201)}/1_dominoes.ipynb": work("dominoes", "by mistake"),
        f"{moodle_folder('Bob Ray', 202)}/4_uno.ipynb": work("uno"),
    }
    refused = collect(course, slot, days=10)
    assert is_one_line_refusal(refused) and "may belong to dominoes or uno: name the assignment" in refused.stderr
    done = collect(course, slot, "--assignment", "uno", days=10)
    assert counts(course) == work("dominoes", "mine") and counts(course, "s2", "uno")
    assert "a notebook of dominoes, but this download is for uno. Ask the student for the right file" in done.stdout
    assert "This download is for uno." in done.stdout.splitlines()


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


def part_of(text: str, exercises: list[str]) -> str:
    """Return a notebook with the cells of some exercises only."""
    notebook = nbformat.reads(text, as_version=4)
    own = {"", *exercises, *(f"{exercise}-check" for exercise in exercises)}
    notebook.cells = [each for each in notebook.cells if each.metadata.get("nbgrader", {}).get("grade_id", "") in own]
    return nbformat.writes(notebook)


# ------------------------------------------------------------------------------------------------ which of several


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


@pytest.mark.parametrize("name", ["a\u2028b.ipynb", "a\x85b.ipynb", 'a"b.ipynb', "…" * 60 + ".ipynb"])
def test_a_file_with_a_strange_name_is_collected_again_and_again(course: Path, name: str) -> None:
    for note in ("first", "last"):
        collect(course, {f"{ANN}/{name}": work("dominoes", note)}, days=len(note))
    assert counts(course) == work("dominoes", "first") and len(all_collected(course)) == 2


EARLY, TOO_LATE = "2026-03-01 12:00", "2026-03-04 12:00"
FILE, OTHER, CHECKPOINT = "1_dominoes.ipynb", "1_dominoes (1).ipynb", "x-checkpoint.ipynb"
Day = tuple[dict[str, str], str]  # the files of a download, as notes by name, and their time or ""
A, B = {FILE: "a"}, {FILE: "b"}
# Downloads, the order in which they are collected, and the note that counts.
SEVERAL: dict[str, tuple[list[Day], list[int], str]] = {
    "the newest": ([(A, ""), (B, "")], [0, 1], "b"),
    "the newest, though it came first": ([(A, ""), (B, "")], [1, 0, 1, 0], "b"),
    "the last in time": ([(A, EARLY), (B, TOO_LATE)], [0, 1], "a"),
    "the last in time, until grading": ([(A, EARLY), (B, TOO_LATE)], [1, 0, 0, 1], "a"),
    "one with answers": ([(A, EARLY), ({FILE: "none"}, "2026-03-02 12:00")], [0, 1], "a"),
    "a readable one": ([(A, EARLY), ({FILE: "{"}, "2026-03-02 12:00")], [0, 1], "a"),
    "no checkpoint": ([(A | {CHECKPOINT: "b"}, "")], [0], "a"),
    "a checkpoint that is alone": ([({CHECKPOINT: "a"}, "")], [0], "a"),
    "no later checkpoint": ([(A, ""), ({CHECKPOINT: "b"}, "")], [0, 1], "a"),
    "the last in time of many": (
        [({FILE: "", OTHER: "a"}, ""), ({}, ""), (B, TOO_LATE), ({}, "")],
        [2, 0, 1, 2, 0, 3, 1, 3],
        "a",
    ),
    "a file that was on time before": (
        [({FILE: ""}, ""), (A, EARLY), ({OTHER: "a"}, TOO_LATE)],
        [0, 1, 2, 2, 1, 0],
        "a",
    ),
}


@pytest.mark.parametrize(("days", "order", "note"), SEVERAL.values(), ids=SEVERAL)
def test_of_several_files_the_best_counts_and_all_are_kept(
    tmp_path: Path, days: list[Day], order: list[int], note: str
) -> None:
    texts = {text_of(each) for files, _ in days for each in files.values()}
    assert outcome_of(tmp_path, days, order) == (work("dominoes", note), ON_TIME, texts)


NOTES = st.sampled_from(["", "{", "none", "a", "b", "c"])
FILES = st.dictionaries(st.sampled_from([FILE, OTHER, CHECKPOINT]), NOTES)
DAYS = st.lists(st.tuples(FILES, st.sampled_from(["", EARLY, TOO_LATE])), min_size=1, max_size=4)
IN_ORDERS = DAYS.flatmap(lambda days: st.tuples(st.just(days), st.permutations([*range(len(days))] * 2)))


@pytest.mark.proof
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(SEVERAL["the last in time of many"][:2])
@given(IN_ORDERS)
def test_downloads_come_in_any_order_and_again_and_nothing_is_lost(
    tmp_path_factory: pytest.TempPathFactory, days_and_order: tuple[list[Day], list[int]]
) -> None:
    days, order = days_and_order
    outcomes = [outcome_of(tmp_path_factory.mktemp("term"), days, each) for each in (range(len(days)), order)]
    assert outcomes[0] == outcomes[1]
    assert outcomes[0][2] == {text_of(note) for files, _ in days for note in files.values()}


def outcome_of(folder: Path, days: list[Day], order: Iterable[int]) -> tuple[str, timedelta, set[str]]:
    """Return which file counts, how late it is, and all files, after collecting the days in an order."""
    course = make_course(folder)
    for day in order:
        files, time = days[day]
        words = given_times(course, worksheet([(101, "Ann Lee", "ann@x.org", time)]) if time else "")
        texts = {f"{ANN}/{name}": text_of(note) for name, note in files.items()}
        collect(course, texts, "--assignment", "dominoes", *words, days=day)
    return counts(course), late(course), all_collected(course)


def text_of(note: str) -> str:
    return note if note in ("", "{") else work("dominoes", note, answered=note != "none")


def test_an_earlier_file_that_counts_is_named_with_the_rule_and_a_remedy(course: Path) -> None:
    for days, (note, time) in enumerate((("good", EARLY), ("new", TOO_LATE))):
        files = {f"{ANN}/{FILE}": work("dominoes", note)}
        done = collect(course, files, *given_times(course, table(time)), days=days)
    assert done.returncode == 1 and "an earlier file for 1_dominoes counts, not the one in this " in done.stdout
    assert "then files in time, then the newest file. If the new file is late" in done.stdout
    assert "[[extension]]" in done.stdout
    log = [json.loads(line) for line in (course / "collected/log.jsonl").read_text().splitlines()]
    assert [(each["source"], each["downloaded"][:10]) for each in log] == [
        ("CS101-Week 3-0.zip", "2026-03-09"),
        ("CS101-Week 3-1.zip", "2026-03-10"),
    ]


def test_the_file_that_counts_of_several_in_a_download_is_named(course: Path) -> None:
    done = collect(course, {"s1/old.ipynb": work("dominoes", "old"), "s1/newer.ipynb": work("dominoes", "newer")})
    assert counts(course) == work("dominoes", "newer")
    line = "s1: 2 files for 1_dominoes. s1/newer.ipynb counts: Foldem prefers readable files with answers, then files "
    assert line in done.stdout


@pytest.mark.parametrize("name", ["1_dominoes.ipynb", "timestamp.txt"])
def test_a_folder_in_the_way_of_a_file_stops_nobody_and_is_kept(course: Path, name: str) -> None:
    """nbgrader's exchange copies whatever a student hands in, also a folder that has the name of a file."""
    (course / "submitted/s1/dominoes" / name / "own").mkdir(parents=True)
    times, files = given_times(course, table(EARLY)), moodle_files(ANN, BOB)
    done = collect(course, files, *times)
    assert counts(course, "s1") == counts(course, "s2") == work("dominoes"), done.stderr
    assert (course / "submitted/s1/dominoes" / f"{name}.folder" / "own").is_dir()
    assert collect(course, files, *times).stdout.splitlines()[-1].startswith("0 notebooks")


def test_nbgrader_regrades_files_that_a_download_replaces(course: Path) -> None:
    for student in ("s1", "s2"):
        (course / "autograded" / student / "dominoes").mkdir(parents=True)
    dropped = []
    for days, note in enumerate(("first", "last", "last")):
        collect(course, {f"{ANN}/{FILE}": work("dominoes", note)}, days=days)
        dropped.append(drop_unfinished_output(course))
        (course / "autograded/s1/dominoes").mkdir(parents=True, exist_ok=True)
    assert dropped[1:] == [[course / "autograded/s1/dominoes"], []]
