"""A teacher's commands on macOS and Windows, as far as this machine can simulate them."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from tests.classroom import notebook_with, write_file, write_files
from tests.command import FOLDEM, PATIENCE, PLAIN, foldem, is_one_line_refusal
from tests.sample import as_proof
from tests.units import read_unit

ROOT = Path(__file__).parents[1]
ANSWERS = {"swap_ends": read_unit("warmup")["swap_ends"].source, "penalty": "def penalty(card):\n    return 1"}
CLASS = {"ann": "Ann Lee", "conny": "Connor Novák", "Bob": "Bob Aux"}
# What runs in the sandbox alone, or asks first what the system has; and nbgrader's exchange, which is for Unix only.
OF_UNIX = re.compile(
    r"autograder/(sandbox/(inside/|cage\.py|reading\.py)|hosts/(exchange|kernel_sandbox)\.py|importing/inside\.py)"
    r"|course/kernel/limits\.py"
)


def elsewhere(system: str, *words: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run foldem as on another system, which has no other programs."""
    command = [sys.executable, "-X", "warn_default_encoding", "-m", "tests.elsewhere", system, *map(str, words)]
    environment = PLAIN | {"PATH": "/nowhere", "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE)


@pytest.mark.parametrize("system", ["darwin", as_proof("win32")])
def test_without_a_sandbox_a_message_says_how_to_grade(tmp_path: Path, system: str) -> None:
    write_file(tmp_path / "ann.ipynb", notebook_with("warmup", ANSWERS))
    done = elsewhere(system, "grade", "ann.ipynb", folder=tmp_path)
    assert is_one_line_refusal(done) and "run it in Docker or Podman" in done.stderr
    assert ("--sandbox=off" in done.stderr) == (system == "darwin")


@pytest.mark.proof
@pytest.mark.sandbox
@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_a_class_is_collected_exported_and_reported(tmp_path: Path, system: str) -> None:
    def run(*words: str) -> str:
        done = elsewhere(system, *words, folder=tmp_path)
        assert (done.returncode, done.stderr.strip()) == (0, "")
        return done.stdout

    run("course", "cs101", "--unit", "warmup")
    roster = "".join(f"{student},{name}\n" for student, name in CLASS.items())
    write_files(tmp_path / "cs101", {"foldem.toml": 'seed = "only ours"\n', "roster.csv": f"id,name\n{roster}"})
    for number, name in enumerate(CLASS.values()):
        folder = tmp_path / "download" / f"{name}_{number + 10}_assignsubmission_file_"
        write_file(folder / "0_warmup.ipynb", notebook_with("warmup", ANSWERS))
    assert "3 notebooks collected" in run("collect", "download", "cs101")
    assert "3 submissions" in foldem("grade", tmp_path / "cs101").stdout  # as in Docker, on Linux
    assert "class.html" in run("report", "cs101")
    run("export", "cs101")
    with (tmp_path / "cs101" / "marks-csv.csv").open(encoding="utf-8") as marks:
        assert {row["id"]: (row["name"], row["warmup"]) for row in csv.DictReader(marks)} == {
            student: (name, "1") for student, name in CLASS.items()
        }


def test_nbgraders_parts_can_be_imported_on_windows() -> None:
    program = "from tests.elsewhere import pretend; pretend('win32'); import autograder.hosts.nbgrader"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("word", ["check", "doctor"])
def test_signs_are_printed_to_a_pipe_that_lacks_them(tmp_path: Path, word: str) -> None:
    nbformat.write(notebook_with("warmup", {}), tmp_path / "0_warmup.ipynb")
    words = [FOLDEM, word, *(["0_warmup.ipynb", "swap_ends"] if word == "check" else [])]
    environment = PLAIN | {"PYTHONIOENCODING": "cp1252"}
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, timeout=PATIENCE)
    assert done.returncode in (0, 1) and done.stdout and b"Traceback" not in done.stderr


@pytest.mark.proof
@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_nothing_is_used_that_a_system_has_not(tmp_path: Path, system: str) -> None:
    words = [sys.executable, "-m", "mypy", "--platform", system, "--cache-dir", str(tmp_path)]
    text = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE).stdout
    errors = [line for line in text.splitlines() if ": error: " in line]
    assert "checked" in text and [line for line in errors if not OF_UNIX.match(line.replace("\\", "/"))] == []
