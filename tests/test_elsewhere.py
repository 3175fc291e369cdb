"""Commands on macOS, on Windows, and on machines that lack something, as far as this machine can simulate them."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from autograder.commands import doctor
from autograder.commands.doctor import findings_summary
from course.show.results import BAD, GOOD, OPEN
from tests.classroom import notebook_with, write_file, write_files
from tests.command import FOLDEM, PATIENCE, PLAIN, foldem, is_one_line_refusal, printed_by
from tests.sample import as_proof
from tests.units import ROOT, known, read_unit

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


# ---------------------------------------------------------------------------- foldem doctor, where something is missing


def test_without_a_sandbox_a_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "has_bubblewrap_or_landlock", lambda: True)
    monkeypatch.setattr(doctor, "sandbox_problems", lambda level, secrets: (f"{level} is broken",))
    finding = doctor._check_sandbox(known())
    assert finding.state == BAD and "apt-get install bubblewrap" in finding.remedy
    assert "bubblewrap is broken" in finding.result and "landlock is broken" in finding.result
    assert "Grading other people's notebooks needs a sandbox" in findings_summary([finding])


def test_settings_of_a_course_are_looked_at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert doctor._check_settings().state == GOOD
    for text, state in (('seed = "ours"', GOOD), ("hints = true", OPEN), ("hint = true", BAD), ("hints = ", BAD)):
        (tmp_path / "foldem.toml").write_text(text)
        assert doctor._check_settings().state == state, text


# ----------------------------------------------------------------------------------------- Machines that lack something


SOURCES = ("warmup", "dominoes", "sedma", "basra", "uno", "bots")


def without(abilities: str, *command: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a command as on a machine that lacks something, by default not in CI."""
    poorer = [sys.executable, "-m", "tests.without", abilities, *command]
    names = {name: value for name, value in PLAIN.items() if name != "CI"} | settings
    return subprocess.run(poorer, cwd=ROOT, env=names, capture_output=True, text=True, timeout=PATIENCE)


def test_without_a_sandbox_nothing_is_graded_and_one_line_says_why() -> None:
    done = without("bubblewrap,landlock", FOLDEM, "grade", "notebooks/2_sedma.ipynb")
    assert is_one_line_refusal(done), done.stderr
    assert "apt-get install bubblewrap" in done.stderr and "--sandbox=off" in done.stderr


# What learners use where only the visible examples are checked: the notebooks' helpers, and the sources' own examples.
LEARNERS = ("check", *(f"{unit}_source_examples" for unit in SOURCES))


@pytest.mark.proof
def test_learners_need_nothing_that_only_unix_has() -> None:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "--without", "unix"]
    command += [f"tests/test_{name}.py" for name in LEARNERS]
    names = {name: value for name, value in PLAIN.items() if name != "CI"}
    printed_by(subprocess.run(command, cwd=ROOT, env=names, capture_output=True, text=True, timeout=PATIENCE))


CHECKS = """
import sys
from pathlib import Path
from tests.without import do_without
do_without(["unix"])
import autograder.hosts.kernel, autograder.cli
from autograder.commands import check, lab, student_kit, tournament
from tests.kernel import Kernel, working_in
with working_in(Path(sys.argv[1])):
    kernel = Kernel()
    kernel.run("def flip(domino):\\n    return Domino(domino.right, domino.left) if domino.left < 6 else domino")
    print(kernel.run('check("flip")'), kernel.run('progress("dominoes")'))
    kernel.run("def flip(domino):\\n    return Domino(domino.right, domino.left)")
    print(kernel.run('check("flip")'))
"""


def test_windows_with_all_of_foldem_checks_with_the_sealed_exam(tmp_path: Path) -> None:
    command = [sys.executable, "-c", CHECKS, str(tmp_path)]
    shown = printed_by(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE))
    wrong, right = shown.split("✗ flip", 1)[1].split("✓ flip", 1)
    assert "checks pass" in wrong and "checked with the practice exam" in wrong and "pip install" not in shown
    (calls,) = re.findall(r"right in all (\d+) calls", right)
    assert int(calls) > 20
