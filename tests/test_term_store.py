"""The store: nothing is lost, and nothing graded twice, whenever and however a run ends."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from autograder.commands import grade
from autograder.report.model import Ungradable
from autograder.report.stops import Outdated
from autograder.term.files import SubmittedFile
from autograder.term.results import decoded_report
from autograder.term.store import (
    CODES_TABLE,
    DATABASE_FILE,
    MATCHES_TABLE,
    STORE_FORMAT,
    Store,
    StoredResult,
    StoreError,
)
from tests.classroom import blank_notebook, write_file
from tests.command import foldem_here, one_line_with, printed_by
from tests.conftest import SERVERS
from tests.killing import graded, quick_run, together
from tests.sample import as_proof

Patch = pytest.MonkeyPatch
STUDENTS = [f"s{number}" for number in range(4)]


def hand_in(folder: Path, *students: str, note: str = "") -> Path:
    """Make a folder of submissions, all different."""
    for student in students:
        notebook = blank_notebook("warmup")
        notebook.cells[0].source += f"{student} {note}"
        write_file(folder / "submitted" / student / "warmup" / "0_warmup.ipynb", notebook)
    return folder / "submitted"


def files(out: Path) -> dict[str, bytes]:
    """Return the contents of an output folder, except the store."""
    found = (path for path in out.rglob("*") if path.is_file() and path.name != "foldem.db")
    return {str(path.relative_to(out)): path.read_bytes() for path in found}


def names_of(students: list[str]) -> set[str]:
    """Return the names of the files in the output."""
    return {"report.json", "report.csv", *[f"pages/{student}/warmup_0_warmup.html" for student in students]}


def log(out: Path) -> list[str]:
    """Return the students whose files were graded, in order."""
    path = out.with_suffix(".log")
    return path.read_text().split() if path.exists() else []


@pytest.mark.parametrize("instants", [6, as_proof(20)])
def test_killed_at_any_instant_a_second_run_ends_with_the_same_bytes(tmp_path: Path, instants: int) -> None:
    folder, count = hand_in(tmp_path, *STUDENTS), tmp_path / "count"
    graded(folder, tmp_path / "first")  # compiles modules that have changed, which takes more events
    assert graded(folder, tmp_path / "whole", count=count) == 0
    whole = files(tmp_path / "whole")
    assert set(whole) == names_of(STUDENTS)
    for instant in random.Random(19).sample(range(1, int(count.read_text())), instants):
        out = tmp_path / f"out{instant}"
        assert (graded(folder, out, instant), graded(folder, out), files(out)) == (-signal.SIGKILL, 0, whole)
        assert len(log(out)) <= len(STUDENTS) + 1, "only what was in hand is graded twice"


def rows_by_name(out: Path) -> dict[str, Any]:
    return {report["submission"]: report for report in json.loads((out / "report.json").read_text())}


def rows(out: Path) -> dict[str, str]:
    """Return the reports in report.json, by student."""
    return {name.partition("/")[0]: json.dumps(report) for name, report in rows_by_name(out).items()}


def test_handing_in_again_changes_one_row(tmp_path: Path) -> None:
    folder, out = hand_in(tmp_path, *STUDENTS), tmp_path / "out"
    quick_run(folder, out)
    before, pages = rows(out), files(out)
    hand_in(tmp_path, "s2", note="again")
    assert quick_run(folder / "s2", out) == 0
    after = rows(out)
    assert list(after) == STUDENTS and {name for name in after if after[name] != before[name]} == {"s2"}
    assert {name for name, text in files(out).items() if text != pages[name]} == {
        "report.json",
        "report.csv",
        "pages/s2/warmup_0_warmup.html",
    }
    assert log(out) == [*STUDENTS, "s2"]


def test_a_temporarily_missing_file_keeps_its_mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, out, real = hand_in(tmp_path, *STUDENTS), tmp_path / "out", grade.locate_files
    quick_run(folder, out)
    before, gone = files(out), folder / "s1/warmup/0_warmup.ipynb"

    def meanwhile(*asked: Any) -> list[SubmittedFile]:
        located = list(real(*asked))
        gone.rename(tmp_path / "gone")
        return located

    with monkeypatch.context() as patch:
        patch.setattr(grade, "locate_files", meanwhile)
        assert quick_run(folder, out) == grade.SOME_NOT
    (tmp_path / "gone").rename(gone)
    assert quick_run(folder, out) == 0 and files(out) == before


def test_a_changed_output_folder_is_written_again(tmp_path: Path) -> None:
    folder, out = hand_in(tmp_path, *STUDENTS), tmp_path / "out"
    quick_run(folder, out)
    before = files(out)
    (out / "pages/s2/warmup_0_warmup.html").unlink()
    (out / "report.csv").write_text("changed")
    quick_run(folder, out)
    assert files(out) == before and log(out) == STUDENTS


@pytest.mark.parametrize("change", [{"fresh": True}, {"seed": "another"}, {"sandbox": "off"}], ids=str)
def test_fresh_or_another_policy_grades_everything_again(
    tmp_path: Path, change: dict[str, Any], monkeypatch: Patch
) -> None:
    monkeypatch.setattr("autograder.commands.grade.exam_for", lambda *_: None)
    folder, out = hand_in(tmp_path, *STUDENTS), tmp_path / "out"
    quick_run(folder, out)
    quick_run(folder, out, **change)
    assert log(out) == STUDENTS * 2


def grade_at_once(tmp_path: Path, students: list[str], **asked: Any) -> list[dict[str, bytes]]:
    """Let two processes grade the same submissions at the same time, and return both outputs."""
    tmp_path.mkdir(exist_ok=True)
    folder = hand_in(tmp_path, *students)
    outs = tmp_path / "one", tmp_path / "other"
    assert together(*(partial(quick_run, folder, out, **asked) for out in outs)) == [0, 0]
    assert sorted(log(outs[0]) + log(outs[1])) == sorted(students), "each was graded once"
    return [files(out) for out in outs]


def test_two_processes_at_once_lose_nothing_and_grade_nothing_twice(tmp_path: Path) -> None:
    one, other = grade_at_once(tmp_path, STUDENTS, store=str(tmp_path / "class.db"))
    assert one == other and set(one) == names_of(STUDENTS)


@pytest.mark.parametrize("out", ["file/reports", "file"])
def test_an_unwritable_output_is_refused_before_grading(tmp_path: Path, out: str) -> None:
    folder = hand_in(tmp_path, "ann")
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError):
        quick_run(folder, tmp_path / out)
    assert not list(tmp_path.glob("**/*.log"))


def test_a_store_of_another_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    Store(tmp_path / "new.db")
    with sqlite3.connect(tmp_path / "new.db") as database:
        database.execute("UPDATE foldem_format SET key = ?", (STORE_FORMAT + 1,))
    before = (tmp_path / "new.db").read_bytes()
    with pytest.raises(StoreError, match=one_line_with("another version")):
        Store(tmp_path / "new.db")
    assert (tmp_path / "new.db").read_bytes() == before


def damaged(path: Path) -> None:
    """Make a store with some results, and damage it after its header."""
    for number in range(5):
        Store(path).save_result(StoredResult("", str(number), "", "", "", "", "", "", True, "x" * 9000, "{}"))
    path.write_bytes(path.read_bytes()[: 4096 * 7].ljust(path.stat().st_size, b"\xff"))


@pytest.mark.parametrize("spoil", [damaged, lambda path: path.write_text("no database"), Path.mkdir])
def test_a_store_that_is_none_is_one_line(tmp_path: Path, spoil: Callable[[Path], object]) -> None:
    spoil(tmp_path / "bad.db")
    with pytest.raises(StoreError, match=one_line_with("bad.db")):
        list(Store(tmp_path / "bad.db").results(""))


@pytest.mark.parametrize(
    "address", ["oracle://x", "mysql://u:secret@h/x", "nonsense://", "sqlite:////no/such/place.db"]
)
def test_an_address_that_leads_nowhere_is_one_line_without_the_password(tmp_path: Path, address: str) -> None:
    with pytest.raises(StoreError, match=r"\A(?!.*secret).*\Z"):
        Store(address)


@pytest.mark.parametrize("address", ["sqlite://", "sqlite:///:memory:", "sqlite:///{}/store.db"])
def test_results_of_one_thread_are_stored_while_others_read(tmp_path: Path, address: str) -> None:
    store = Store(address.format(tmp_path))
    entry = StoredResult("", "", "ann", "ann", "", "warmup", "", "", True, "{}", "{}")

    def keep_and_read(number: int) -> None:
        store.save_result(replace(entry, place=f"{number:03}"), {f"{number}": "right"})
        assert not store.texts(CODES_TABLE, [f"{number}x"])

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(keep_and_read, range(60)))
    assert [outline.place for outline in store.results_without_reports("")] == [f"{number:03}" for number in range(60)]


def test_entries_come_page_by_page_each_once_and_in_order(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("autograder.term.store.ROWS_AT_ONCE", 5)
    store = Store(tmp_path / "class.db")
    places = [f"{number:03}{letter}" for number in range(4) for letter in "Aaä"]
    for place in reversed(places):
        store.save_result(StoredResult("c", place, "", "", "", "", "", "", True, "{}", "{}"))
    assert [entry.place for entry in store.results_without_reports("c")] == places


def test_a_students_second_file_is_reported(tmp_path: Path) -> None:
    folder = hand_in(tmp_path, "ann", "bob")
    write_file(folder / "ann" / "warmup" / "my.ipynb", blank_notebook("warmup"))
    quick_run(folder, tmp_path / "out")
    reports = rows_by_name(tmp_path / "out")
    assert reports["ann/warmup/my"]["notes"] == ["ann has a second file for warmup; only ann/warmup/0_warmup is graded"]
    assert not reports["ann/warmup/0_warmup"]["remarks"] and not reports["bob/warmup/0_warmup"]["remarks"]


@pytest.mark.parametrize("meanwhile", ["graded again", "forgotten"])
def test_saving_marks_does_not_undo_another_process(tmp_path: Path, meanwhile: str) -> None:
    """Two runs have one store: one saves the marks that it has read, after the other changed the result."""
    store, other = Store(tmp_path / DATABASE_FILE), Store(tmp_path / DATABASE_FILE)
    old = StoredResult("c", "p", "n", "ada", "a", "u", "old", "y", True, "{}", "{}")
    store.save_result(old)
    [read] = store.results("c")
    other.save_result(replace(old, content="new")) if meanwhile == "graded again" else other.delete_students(
        "c", ["ada"]
    )
    store.change_result(read, marks="[]")
    assert [entry.content for entry in store.results("c")] == (["new"] if meanwhile == "graded again" else [])
    store.save_result(old)
    store.change_result(old, marks="[]")
    assert [entry.marks for entry in store.results("c")] == ["[]"]


@pytest.mark.parametrize(
    "text", ['"problem": ""', *(f'"kind": "graded", "unit": {it}' for it in ('"\\ud800"', "NaN", "{"))]
)
def test_stored_report_that_is_old_or_no_valid_json_is_outdated(text: str) -> None:
    assert decoded_report(f'{{{text}, "exercises": []}}') == Ungradable(Outdated())


@pytest.mark.parametrize("settings", ["", 'store = "sqlite:///marks.db"', 'store = "marks.db"'])
def test_a_renamed_course_has_its_results(tmp_path: Path, settings: str, monkeypatch: pytest.MonkeyPatch) -> None:
    course, out = write_file(tmp_path / "cs101" / "foldem.toml", settings).parent, tmp_path / "out"
    hand_in(course, "ann", "bob")
    assert quick_run(course, out) == 0
    before, begun = rows(out), log(out)
    assert sorted(begun) == ["ann", "bob"]
    renamed = course.rename(tmp_path / "cs102")  # as a backup that is restored elsewhere
    monkeypatch.chdir(renamed)
    printed_by(foldem_here("export", "."))
    table = (renamed / "marks-csv.csv").read_text().splitlines()
    assert [row.split(",")[0] for row in table] == ["id", "ann", "bob"] and not table[1].endswith(",")
    assert (quick_run(renamed, out), log(out), rows(out)) == (0, begun, before), "nothing is graded again"
    assert "Marks change for 0 of 2" in foldem_here("grade", renamed, "--diff").stdout


# ------------------------------------------------------------------------------------------------ a database server


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Provide the address of a new server's database; the server listens in a folder of its own only."""
    user = "postgres" if os.geteuid() == 0 else None  # it refuses to run as root
    with tempfile.TemporaryDirectory(prefix="foldem-pg-") as folder:
        if user:
            shutil.chown(folder, user)
        data, control = f"{folder}/data", f"{SERVERS[0]}/pg_ctl"
        quiet = {"user": user, "check": True, "stdout": subprocess.DEVNULL, "cwd": folder}
        subprocess.run([f"{SERVERS[0]}/initdb", "-D", data, "-U", "foldem", "-A", "trust", "--no-sync"], **quiet)  # type: ignore[call-overload]
        options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
        subprocess.run([control, "-D", data, "-w", "-l", f"{folder}/log", "-o", options, "start"], **quiet)  # type: ignore[call-overload]
        try:
            yield f"postgresql+psycopg://foldem@/postgres?host={folder}"
        finally:
            subprocess.run([control, "-D", data, "-w", "-m", "immediate", "stop"], **quiet)  # type: ignore[call-overload]


@pytest.mark.postgresql
def test_twenty_students_graded_by_two_processes_at_once(tmp_path: Path, address: str) -> None:
    students = [f"s{number:02}" for number in range(20)]
    one, other = grade_at_once(tmp_path / "shared", students, store=address)
    assert one == other and set(one) == names_of(students)
    (alone, _) = grade_at_once(tmp_path / "own", students, store=str(tmp_path / "own.db"))
    assert alone.keys() == one.keys()
    assert files(tmp_path / "shared" / "one").keys() == one.keys()


@pytest.mark.postgresql
def test_entries_come_in_the_order_that_they_have_in_any_store(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.term.store.ROWS_AT_ONCE", 3)
    store, places = Store(address), ["B", "a", "a-b", "a/b", "ä", "\x01", "z" * 3000]
    for place in places:
        store.save_result(StoredResult("order", place, "", "", "", "", "", "", True, "{}", "{}"), {place[:60]: "known"})
        store.save_texts(MATCHES_TABLE, {place[:60]: "known"})
    assert [entry.place for entry in store.results_without_reports("order")] == sorted(places)
    assert store.texts(MATCHES_TABLE, ["ä", "b"]) == {"ä": "known"}
