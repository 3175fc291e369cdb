"""`pytest --submission`: the plugin, in a process of its own, away from the checkout."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from autograder.units.unit import read_unit
from tests.classroom import notebook_with, references
from tests.command import PATIENCE
from tests.sample import one_in

pytestmark = pytest.mark.sandbox
PYTEST = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rA", "--color=no")
ANSWERS = references(read_unit("dominoes")) | {
    "flip": "def flip(domino):\n    return domino",
    "append": "def append(domino, chain, end):\nreturn",
    "take": "take = 1 / 0",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exam")
    notebook = notebook_with("dominoes", ANSWERS)
    notebook.cells = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") != "move"]
    nbformat.write(notebook, folder / "my.ipynb")
    (folder / "bad.ipynb").write_text("{")
    (folder / "test_other.py").write_text("def test_other():\n    pass\n")
    return folder


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PYTEST, *words], cwd=folder, capture_output=True, text=True, timeout=PATIENCE)


@pytest.fixture(scope="module")
def exam(folder: Path) -> subprocess.CompletedProcess[str]:
    return run(folder, "--submission", "my.ipynb", "--submission", "bad.ipynb")


def test_there_is_a_test_for_each_exercise_and_facet_and_none_besides(exam: subprocess.CompletedProcess[str]) -> None:
    assert "PASSED my.ipynb::suppress::a double\n" in exam.stdout
    assert "PASSED my.ipynb::get_hand_size::every input\n" in exam.stdout
    assert "test_other" not in exam.stdout
    assert exam.returncode == 1


def test_a_failure_is_what_check_shows_without_a_traceback(exam: subprocess.CompletedProcess[str]) -> None:
    lines = ("  call      flip(Domino(2, 3))", "  gave      Domino(2, 3)", "  expected  Domino(3, 2)")
    assert all(f"\n{line}" in exam.stdout for line in lines)
    assert "Traceback" not in exam.stdout
    assert "pytest_plugin.py" not in exam.stdout


def test_what_is_wrong_with_a_whole_exercise_is_told_once(exam: subprocess.CompletedProcess[str]) -> None:
    assert "append: the cell does not parse: expected an indented block" in exam.stdout
    assert "must stand further right" in exam.stdout
    assert "move: the cell of move is missing" in exam.stdout
    assert exam.stdout.count("\n✗ take: its cell fails when run: ZeroDivisionError") == 1
    failed = [line for line in exam.stdout.splitlines() if line.startswith("FAILED")]
    assert len([line for line in failed if "::take::" in line]) == 1
    assert len([line for line in failed if "::append::" in line]) == 1


def test_a_file_that_cannot_be_graded_is_an_error_and_stops_no_other(exam: subprocess.CompletedProcess[str]) -> None:
    assert "ERROR bad.ipynb::the notebook - " in exam.stdout
    assert "\nthe file is no Jupyter notebook" in exam.stdout


def test_a_sandbox_that_is_not_there_makes_errors_not_failures(folder: Path) -> None:
    done = run(folder, "--submission", "my.ipynb", "--submission-sandbox", "moat", "-k", "flip")
    assert "2 errors" in done.stdout
    assert "there is no sandbox level 'moat'" in done.stdout


def test_a_single_facet_can_be_named_and_other_tests_beside_it(folder: Path) -> None:
    done = run(folder, "--submission", "my.ipynb", "my.ipynb::flip::every input", "test_other.py")
    assert "1 failed, 1 passed" in done.stdout


def test_a_submission_that_is_not_there_is_told_of(folder: Path) -> None:
    done = run(folder, "--submission", "none.ipynb")
    assert "file or directory not found" in done.stderr
    assert done.returncode == pytest.ExitCode.USAGE_ERROR


def test_the_right_answers_pass(folder: Path) -> None:
    nbformat.write(notebook_with("warmup", references(read_unit("warmup"))), folder / "right.ipynb")
    done = run(folder, "--submission", str(folder / "right.ipynb"))
    assert done.returncode == 0
    assert " failed" not in done.stdout


def test_without_the_option_nothing_is_imported_and_nothing_is_collected(folder: Path) -> None:
    (folder / "test_light.py").write_text(
        "import sys\ndef test_light():\n"
        "    ours = [name for name in sys.modules if name.startswith('autograder.')]\n"
        "    assert ours == ['autograder.hosts', 'autograder.hosts.pytest']\n"
        "    assert not {'nbformat', 'nbgrader', 'solutions', 'course'} & set(sys.modules)\n"
    )
    done = run(folder)
    assert done.returncode == 0
    assert "my.ipynb" not in done.stdout


@pytest.mark.proof
def test_a_contest_is_a_test_too(tmp_path: Path) -> None:
    answers = {"champion": "def champion():\n    return smart_player"}
    nbformat.write(notebook_with("bots", answers), tmp_path / "bots.ipynb")
    told = run(tmp_path, "--submission", "bots.ipynb", "-k", "champion").stdout
    assert "FAILED bots.ipynb::champion::wins more deals than SmartPlayer" in told
    assert "it is not sure to be better than SmartPlayer (0 deals won, 0 lost, 1000 shared" in told


@pytest.mark.parametrize("inside", one_in(2, [True, False]))
def test_nothing_that_lies_beside_a_submission_is_run_or_read(tmp_path: Path, inside: bool) -> None:
    nbformat.write(
        notebook_with("warmup", {"swap_ends": "def swap_ends(hand):\n    return hand"}), tmp_path / "my.ipynb"
    )
    hostile = "import pathlib\npathlib.Path('was-here').touch()\n"
    hook = "import pytest\n@pytest.hookimpl(tryfirst=True)\ndef pytest_pyfunc_call(): return True\n"
    for name in ("conftest.py", "__init__.py", "test_other.py", "course.py", "autograder.py"):
        (tmp_path / name).write_text(hostile + hook)
    (tmp_path / "foldem.toml").write_text('seed = "hers"\nform_share = 1.0')
    # Not `python -m pytest`, which imports what lies in the folder that one stands in.
    command = [str(Path(sys.executable).with_name("pytest")), "-p", "no:cacheprovider", "-k", "swap_ends"]
    folder, word = (tmp_path, "my.ipynb") if inside else (tmp_path.parent, f"{tmp_path.name}/my.ipynb")
    told = subprocess.run([*command, "--submission", word], cwd=folder, capture_output=True, text=True, timeout=100)
    assert "8 failed" in told.stdout, told.stdout + told.stderr
    assert not list(tmp_path.rglob("was-here")) and not (tmp_path.parent / "was-here").exists()


@pytest.mark.parametrize(
    ("name", "section"), one_in(2, [("pytest.ini", "pytest"), ("pyproject.toml", "tool.pytest.ini_options")])
)
def test_settings_of_pytest_that_lie_beside_a_submission_are_refused(tmp_path: Path, name: str, section: str) -> None:
    nbformat.write(notebook_with("warmup", {}), tmp_path / "my.ipynb")
    (tmp_path / name).write_text(f"[{section}]\naddopts = '--debug=written'")
    done = run(tmp_path, "--submission", "my.ipynb")
    assert not (tmp_path / "written").exists()
    assert (done.returncode, "lies beside a submission" in done.stderr) == (pytest.ExitCode.USAGE_ERROR, True)
