"""`foldem pytest`: the exam as tests, away from the checkout; and the plugin, which names the command."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import chdir
from pathlib import Path
from unittest.mock import patch
from xml.etree import ElementTree

import nbformat
import pytest

from autograder.hosts.facet_tests import PASTE_HEADING
from tests.classroom import notebook_with, reference_answers, write_files
from tests.command import FOLDEM, PATIENCE, PLAIN, foldem_here
from tests.sample import one_in
from tests.units import read_unit

pytestmark = pytest.mark.sandbox
PYTEST = str(Path(sys.executable).with_name("pytest"))
ANSWERS = reference_answers(read_unit("dominoes")) | {
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
    """Run `foldem pytest` in a folder."""
    with patch.dict(os.environ, PLAIN), chdir(folder):
        return foldem_here("pytest", *words)


def run_program(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, env=PLAIN)


PRINTED = [
    "\nmy.ipynb::suppress::a double PASSED",
    "\nmy.ipynb::get_hand_size::every input PASSED",
    "\n  call      flip(Domino(2, 3))",
    "\n  returned  Domino(2, 3)",
    "\n  expected  Domino(3, 2)",
    "append: Python cannot read the cell: expected an indented block",
    "Indent the lines that belong to",
    "move: the cell of this exercise is missing",
    "\n✗ take: the cell fails when it runs: ZeroDivisionError",
    "\nFAILED my.ipynb::take::",
    "\nFAILED my.ipynb::append::",
    "ERROR collecting bad.ipynb",
    "the file is not a valid Jupyter notebook",
]


def test_each_exercise_and_facet_has_exactly_one_test(folder: Path) -> None:
    exam = run(folder, "my.ipynb", "bad.ipynb", "-v")
    assert [text for text in PRINTED if text not in exam.stdout] == [] and exam.returncode == 1
    assert [text for text in PRINTED[-5:-2] if exam.stdout.count(text) > 1] == [], "a mistake is reported once"
    assert [text for text in ("test_other", "Traceback", "facet_tests.py") if text in exam.stdout] == []


def test_a_sandbox_that_is_not_there_makes_errors_not_failures(folder: Path) -> None:
    done = run(folder, "my.ipynb", "--sandbox", "moat", "-k", "flip")
    assert "2 errors" in done.stdout and "unknown sandbox 'moat'" in done.stdout


def test_parts_of_a_notebook_can_be_named(folder: Path) -> None:
    done = run(folder, "my.ipynb::flip::every input", "my.ipynb::get_hand_size", "-v")
    assert "my.ipynb::flip::every input FAILED" in done.stdout
    assert "my.ipynb::get_hand_size::every input PASSED" in done.stdout and "::suppress" not in done.stdout


@pytest.mark.promise("batch")
def test_notebooks_with_odd_names_stop_no_other(folder: Path) -> None:
    names = "a[1].ipynb", "x::flip.ipynb", "n\nl.ipynb"
    write_files(folder, dict.fromkeys(names, "{"))
    assert "1 failed, 3 errors" in run(folder, "my.ipynb::flip::every input", *names).stdout


@pytest.mark.promise("terminal")
def test_junit_xml_has_each_result_and_printable_names(folder: Path) -> None:
    (folder / "a\x1b[2J\n.ipynb").write_text("{")
    nbformat.write(notebook_with("warmup", reference_answers(read_unit("warmup"))), folder / "right.ipynb")
    words = "a\x1b[2J\n.ipynb", str(folder / "right.ipynb"), "my.ipynb::flip::every input"
    done = run(folder, *words, "-v", "--junitxml", "out.xml")
    failed = ElementTree.parse(folder / "out.xml").findall(".//testcase[failure]")
    assert [(case.get("classname"), case.get("name")) for case in failed] == [("my.ipynb.flip", "every input")]
    assert "\x1b" not in done.stdout and "a�[2J�.ipynb" in done.stdout and " passed" in done.stdout


def test_pytest_itself_imports_and_collects_nothing_of_ours(folder: Path) -> None:
    (folder / "test_light.py").write_text(
        "import sys\ndef test_light():\n"
        "    ours = [name for name in sys.modules if name.startswith('autograder.')]\n"
        "    assert ours == ['autograder.hosts', 'autograder.hosts.pytest']\n"
        "    assert not {'nbformat', 'nbgrader', 'solutions', 'course'} & set(sys.modules)\n"
    )
    done = run_program(folder, PYTEST, "-p", "no:cacheprovider")
    assert done.returncode == 0 and "my.ipynb" not in done.stdout and "foldem pytest" not in done.stdout


HOSTILE = """
import pathlib, pytest
pathlib.Path(__file__).with_name("was-here").touch()
@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(): return True
"""
SETTINGS = {
    "pytest.ini": "[pytest]\npythonpath = .\naddopts = -p evil --debug=written\n",
    ".pytest.ini": "[pytest]\npythonpath = .\naddopts = -p evil --debug=written\n",
    "pyproject.toml": "[tool.pytest.ini_options]\npythonpath = '.'\naddopts = '-p evil --debug=written'\n",
    "tox.ini": "[pytest]\npythonpath = .\naddopts = -p evil --debug=written\n",
    "setup.cfg": "[tool:pytest]\npythonpath = .\naddopts = -p evil --debug=written\n",
}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a notebook, and with all files that pytest would run or read next to it and above it."""
    above = tmp_path_factory.mktemp("above")
    modules = ("conftest.py", "__init__.py", "test_other.py", "course.py", "autograder.py", "evil.py")
    files = dict.fromkeys(modules, HOSTILE) | SETTINGS | {"foldem.toml": 'seed = "hers"\nform_share = 1.0'}
    write_files(above, files)
    wrong = notebook_with("warmup", {"swap_ends": "def swap_ends(hand):\n    return hand"})
    return write_files(above / "eve", files | {"my.ipynb": wrong})


@pytest.mark.promise("others")
@pytest.mark.parametrize("inside", one_in(2, [True, False]))
def test_nothing_beside_a_submission_is_run_or_read(hostile: Path, inside: bool) -> None:
    here, word = (hostile, "my.ipynb") if inside else (hostile.parent.parent, "above0/eve/my.ipynb")
    done = run_program(here, FOLDEM, "pytest", word, "-k", "swap_ends")
    assert "8 failed" in done.stdout, done.stdout + done.stderr
    assert not [path for path in hostile.parent.rglob("*") if path.name in ("was-here", "written", ".pytest_cache")]


@pytest.mark.promise("others")
def test_a_folder_of_a_hand_in_that_is_a_link_is_not_read(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {"bob/a/b/my.ipynb": notebook_with("dominoes", {"flip": read_unit("dominoes")["flip"].source}), "eve/x": ""},
    )
    (tmp_path / "eve" / "a").symlink_to("../bob/a")
    shown = run(tmp_path, "bob/a/b/my.ipynb", "eve/a/b/my.ipynb", "-k", "flip").stdout
    assert "2 passed" in shown and "ERROR collecting eve/a/b/my.ipynb" in shown and "links are not followed" in shown


def test_variables_of_pytest_add_no_plugin(hostile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "evil.py").write_text(HOSTILE)
    monkeypatch.syspath_prepend(tmp_path)
    for name, value in {"PYTEST_ADDOPTS": "-p evil", "PYTEST_PLUGINS": "evil"}.items():
        monkeypatch.setitem(PLAIN, name, value)
    assert "8 failed" in run(hostile, "my.ipynb", "-k", "swap_ends").stdout
    assert not (tmp_path / "was-here").exists()


@pytest.mark.parametrize("option", [("-p", "evil"), ("-c", "pytest.ini"), ("-o", "pythonpath=."), ("--rootdir", ".")])
def test_options_that_import_or_read_more_are_refused(hostile: Path, option: tuple[str, str]) -> None:
    done = run(hostile, "my.ipynb", *option)
    assert (done.returncode, "No such option" in done.stderr) == (2, True)


def test_pytest_itself_names_the_command_for_a_notebook(folder: Path) -> None:
    done = run_program(folder, PYTEST, "my.ipynb::flip")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "Then run: foldem pytest my.ipynb::flip" in done.stdout


@pytest.mark.proof
def test_failing_call_can_be_pasted_however_long_it_is(tmp_path: Path) -> None:
    answers = reference_answers(read_unit("uno")) | {"next_player": "def next_player(desk):\n    return desk"}
    nbformat.write(notebook_with("uno", answers), tmp_path / "uno.ipynb")
    done = run(tmp_path, "uno.ipynb::next_player::clockwise")
    code = done.stdout.partition(f"{PASTE_HEADING}\n")[2].partition("\nuno.ipynb: ")[0]
    names: dict[str, object] = {}
    exec(f"from solutions.uno import *\n{code}", names)
    assert "…" not in code and "next_player" in code
