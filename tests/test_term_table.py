"""`foldem grade` in the terminal: its table, output for scripts, and end when interrupted; and locks of files."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from autograder.report.model import PASSED, UNGRADED, ExerciseReport, Graded, Report, Ungradable
from autograder.report.stops import BadFile
from autograder.report.table import ClassTable
from autograder.term.files import PathLock, atomic_binary_file, locked_output_folder
from autograder.term.store import DATABASE_FILE, Store
from tests.command import FOLDEM, PATIENCE, PLAIN, foldem
from tests.killing import quick_run
from tests.test_term_store import hand_in
from tests.units import known

LONG = "a-student-whose-name-is-longer-than-a-line-has-room-for-in-a-terminal/of/eighty/columns"


def table(width: int, *rows: tuple[str, Report]) -> list[str]:
    console = Console(width=width, highlight=False)
    with console.capture() as capture:
        printed = ClassTable(console, [len(name) for name, _ in rows], known())
        for name, report in rows:
            printed.print_report(name, report)
        printed.print_summary(["3 submissions, in 5.0 s"])
    return capture.get().splitlines()


def report(points: float, *remarks: str) -> Report:
    exercise = ExerciseReport("swap_ends", 1, PASSED, points, 10.0)
    return Graded("warmup", "Warm-up", "0", "secret", "off", (exercise,), remarks)


def test_the_table_fits_eighty_columns_with_the_names_whole() -> None:
    lines = table(
        80, ("s100333", report(4.5)), (LONG, report(10, "late " * 30)), ("s1", Ungradable(BadFile("x " * 99)))
    )
    assert [line for line in lines if len(line) > 80] == [LONG] and any(line.startswith("s100333 ") for line in lines)


def test_a_class_with_cells_left_to_nbgrader_has_no_complete_marks() -> None:
    cells = ExerciseReport("swap_ends", 1, PASSED, 2.0, 2.0), ExerciseReport("why", 2, UNGRADED, 0.0, 3.0)
    lines = table(80, ("ada", Graded("warmup", "Warm-up", "0", "secret", "off", cells)))
    assert [line for line in lines if ": no complete marks yet" in line]


def test_wide_names_keep_columns() -> None:
    lines = table(80, ("王小明", report(5)), ("ann-lee", report(4)))
    wide, narrow = (next(line for line in lines if line.startswith(name)) for name in ("王小明", "ann-lee"))
    assert cell_len(wide.partition("warmup")[0]) == cell_len(narrow.partition("warmup")[0])


def test_unreadable_files_are_named_below_the_table() -> None:
    lines = table(120, ("d", Ungradable(BadFile("line 1 is broken"))), ("a", report(4)))
    assert lines.index("d: line 1 is broken") == len(lines) - 3


def test_the_table_ends_with_mean_median_and_how_long_it_took() -> None:
    rows = ("a", report(4)), ("b", report(5)), ("c", report(10)), ("d", Ungradable(BadFile("broken")))
    assert table(120, *rows)[-2:] == [
        "Warm-up, 1 exercise from swap_ends to swap_ends: mean 6.3, median 5.0 of 10, 3 submissions",
        "3 submissions, in 5.0 s",
    ]


def test_scripts_take_json_or_nothing_in_place_of_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = hand_in(tmp_path, "ann", "bob")
    quick_run(folder, tmp_path / "out", quiet=True)
    assert capsys.readouterr().out == ""
    quick_run(folder / "bob", tmp_path / "out", quiet=False, json=True)
    (shown,) = json.loads(capsys.readouterr().out)
    assert shown in json.loads((tmp_path / "out" / "report.json").read_text()) and shown["submission"].startswith("bob")


def test_the_table_counts_requested_and_cached_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = hand_in(tmp_path, "ann", "bob")
    quick_run(folder / "ann", tmp_path / "out")
    quick_run(folder, tmp_path / "out", quiet=False)
    shown = capsys.readouterr().out
    assert "\nann " in shown and "\nbob " in shown and "2 submissions, 1 of them unchanged, in " in shown
    quick_run(folder / "bob", tmp_path / "out", quiet=False)
    assert "\nann " not in capsys.readouterr().out


def kept(out: Path) -> int:
    """Return the number of results in the store of an output folder."""
    return (
        sum(1 for _ in Store(out / DATABASE_FILE).results_without_reports("")) if (out / DATABASE_FILE).exists() else 0
    )


def test_an_interrupted_run_goes_on_where_it_was(tmp_path: Path) -> None:
    folder, out = hand_in(tmp_path, "ann", "bob"), tmp_path / "out"
    words = [FOLDEM, "grade", str(folder), "--out", str(out), "--sandbox", "off"]
    hold = PathLock(folder / "bob" / "warmup" / "0_warmup.ipynb")
    hold.acquire()
    with subprocess.Popen(words, env=PLAIN, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        while run.poll() is None and kept(out) < 1:
            time.sleep(0.1)
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=PATIENCE)
    hold.release()
    assert run.returncode == 130 and "1 of 2 submissions saved" in errors
    assert "2 submissions, 1 of them unchanged" in foldem(*words[1:]).stdout


# ------------------------------------------------------------------------------------------------ locks and drafts

CLAIM = """
import sys
from pathlib import Path
from autograder.term.files import PathLock
hold = PathLock(Path(sys.argv[1]))
print(hold.acquire(), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FOLDEM_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.mark.parametrize("is_course", [True, False])
def test_claim_ends_with_the_process_that_has_it(tmp_path: Path, cache: Path, is_course: bool) -> None:
    if is_course:
        (tmp_path / "foldem.toml").touch()
    (file := tmp_path / "a.ipynb").write_text("{}")
    command = [sys.executable, "-c", CLAIM, str(file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout and holder.stdout.readline() == "True\n"
        assert not PathLock(file).acquire() and PathLock(tmp_path / "b.ipynb").acquire()
        holder.kill()
    again = PathLock(file)
    assert again.acquire(patient=True)
    again.release()
    assert file.read_text() == "{}" and (tmp_path / ".foldem" / "locks").exists() == is_course == (not cache.exists())


def test_all_have_the_claim_where_no_lock_can_be_written(tmp_path: Path, cache: Path) -> None:
    cache.write_text("a file in the place of the folder")
    with locked_output_folder(tmp_path):
        assert PathLock(tmp_path).acquire()


def test_course_is_locked_under_any_name(tmp_path: Path) -> None:
    (tmp_path / "cs101").mkdir()
    (tmp_path / "cs101" / "foldem.toml").touch()
    (tmp_path / "link").symlink_to(tmp_path / "cs101")
    first = PathLock(tmp_path / "cs101" / "a.ipynb")
    assert first.acquire() and not PathLock(tmp_path / "link" / "a.ipynb").acquire()
    first.release()


def test_a_link_in_the_way_of_a_draft_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.term.files.DRAFT_NAME", "draft")
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "draft").symlink_to(tmp_path / "mine")
    with atomic_binary_file(tmp_path / "new") as file:
        file.write(b"new")
    assert (tmp_path / "mine").read_text() == "mine" and (tmp_path / "new").read_bytes() == b"new"
