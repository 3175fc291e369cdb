"""Other graders on the same notebook: otter with empty tests, and pytest, once per submission."""

from __future__ import annotations

import json
import os
import sys
import zipfile
from pathlib import Path
from typing import Any

import nbformat
from _class import UNIT, without_trials
from _cpu import cpu_seconds

from autograder.exam.model import Exam, Facet
from autograder.exam.store import exam_for
from autograder.submission.reading import CHECK, grade_id
from tests.classroom import solved_notebook
from tests.units import read_unit

ROOT = Path(__file__).parent.parent
EMPTY = (
    'OK_FORMAT = True\ntest = {{"name": "{name}", "points": 1, "suites": [{{"cases": [{{"code": ">>> 1\\n1", '
    '"hidden": False, "locked": False}}], "scored": True, "setup": "", "teardown": "", "type": "doctest"}}]}}\n'
)
BARE_TESTS = """
import pytest, answers
@pytest.mark.parametrize("name", {names})
def test_is_there(name):
    assert getattr(answers, name, None) is not None
"""
TESTS = """
import io, json, pathlib, pytest
import answers, course.{unit} as unit
from course import effects
from course.exam.wire import Wire
WIRE, EXAM = Wire(unit), json.loads(pathlib.Path(__file__).with_name("exam.json").read_text())
@pytest.mark.parametrize("name", EXAM)
def test_gives_what_the_reference_gives(name):
    for groups, typed, chance, wanted in EXAM[name]:
        gave = getattr(answers, name)
        with effects.scripted(typed, tuple(chance) if isinstance(chance, list) else chance or 0, io.StringIO()):
            for group in groups:
                gave = gave(*(WIRE.decode(arg, lambda called: getattr(answers, called)) for arg in group))
        assert WIRE.encode(gave, lambda function: getattr(function, "__name__", None)) == wanted
"""


def otter_seconds(otter: Path, folder: Path) -> float:
    """Return the CPU seconds of `otter run` on a solved notebook, with an empty test for each exercise."""
    folder.mkdir()
    notebook, names = without_trials(solved_notebook(UNIT)), list[str]()
    for cell in notebook.cells:
        if (name := grade_id(cell)).endswith(CHECK):
            names.append(name.removesuffix(CHECK))
            cell.source = f'grader.check("{names[-1]}")'
    notebook.cells.insert(0, nbformat.v4.new_code_cell("import otter\ngrader = otter.Notebook()"))
    nbformat.write(notebook, folder / "submission.ipynb")
    with zipfile.ZipFile(folder / "tests.zip", "w") as file:
        file.writestr("otter_config.json", "{}")
        for name in names:
            file.writestr(f"tests/{name}.py", EMPTY.format(name=name))
    command = [otter, "run", "submission.ipynb", "-a", "tests.zip", "--no-logo"]
    return cpu_seconds(command, cwd=folder, env=_environment(), capture_output=True)


def pytest_seconds(folder: Path) -> tuple[float, float, int]:
    """Return the CPU seconds of pytest on a solved submission: bare, with the exam's calls, and their number."""
    exam, names = exam_for(read_unit(UNIT)), list(read_unit(UNIT).by_name)
    calls = {name: list(_calls(exam, name)) for name in names}
    texts = BARE_TESTS.format(names=names), TESTS.format(unit=UNIT)
    bare, full = (_run(folder / kind, tests, calls) for kind, tests in zip(("bare", "full"), texts, strict=True))
    return bare, full, sum(map(len, calls.values()))


def _calls(exam: Exam, name: str) -> Any:
    """Yield the calls that pytest can compare: those that return a value, and have only one right answer."""
    paper = exam.by_name[name]
    compared: list[Facet] = [] if exam.checks[name].accepts else [each for each in paper.facets if not each.joint]
    for facet in compared:
        for call, expected in zip(facet.calls, map(json.loads, facet.expected), strict=True):
            if call.kind == "args" and expected[0] == "ok" and '"f"' not in json.dumps([call.what, expected]):
                yield call.what, call.typed, call.chance, expected[1]


def _run(folder: Path, tests: str, calls: dict[str, Any]) -> float:
    folder.mkdir(parents=True)
    notebook = without_trials(solved_notebook(UNIT))
    cells = (cell.source for cell in notebook.cells if cell.cell_type == "code" and not grade_id(cell).endswith(CHECK))
    (folder / "answers.py").write_text("\n\n".join(cells).replace("from course.check import *", ""))
    (folder / "exam.json").write_text(json.dumps(calls))
    (folder / "test_answers.py").write_text(tests)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_answers.py"]
    environment = _environment() | {
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"
    }  # a teacher's machine has none of our plugins
    return cpu_seconds(command, cwd=folder, env=environment, capture_output=True)


def _environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT)}
