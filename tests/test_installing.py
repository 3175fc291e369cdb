"""The first cell of a notebook installs the course where it is missing, and says nothing where it is there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from autograder.commands.student_kit import build_wheel
from autograder.units.build import install_cell
from tests.command import PATIENCE
from tests.units import known, read_unit, unit_names

UNIT = read_unit("warmup")
RUN = """
import sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
for cell in sys.argv[1:]:
    shell.run_cell(cell, store_history=True).raise_error()
    print("----")
"""


def cells(unit: str) -> list[str]:
    """Return the first two code cells of a unit's notebook."""
    notebook = json.loads((read_unit(unit).pack.folder("notebooks") / f"{read_unit(unit).stem}.ipynb").read_text())
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"][:2]


def run(python: str | Path, *sources: str, **options: object) -> list[str]:
    """Run cells in IPython, and return what each prints."""
    done = subprocess.run([python, "-c", RUN, *sources], capture_output=True, text=True, timeout=PATIENCE, **options)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return [text.strip() for text in done.stdout.split("----\n")][: len(sources)]


@pytest.mark.parametrize("unit", unit_names())
def test_first_cell_is_silent_where_the_course_is_installed(unit: str, tmp_path: Path) -> None:
    install, imports = cells(unit)
    assert install.startswith("# This cell checks that") and imports.startswith(f"from course.{unit} import")
    assert run(sys.executable, install, cwd=tmp_path) == [""]


def test_first_cell_names_another_package_of_that_name(tmp_path: Path) -> None:
    (tmp_path / "course.py").touch()
    (shown,) = run(sys.executable, cells("warmup")[0], cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(tmp_path)})
    assert "Another package `course` is in the way here" in shown


@pytest.mark.proof
def test_first_cell_installs_the_course_where_it_is_missing(tmp_path: Path) -> None:
    wheel = build_wheel(tmp_path, known().packs[0], True)
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "ipython"], check=True, timeout=PATIENCE)
    solved = f'{UNIT.exercises[0].source}\nfrom course.check import check\nprint(check("{UNIT.exercises[0].name}"))'
    _, _, shown = run(python, install_cell(str(tmp_path / wheel)), cells("warmup")[1], solved, cwd=tmp_path)
    assert f"✓ {UNIT.exercises[0].name}" in shown
    assert run(python, *cells("warmup"), cwd=tmp_path) == ["", ""]
