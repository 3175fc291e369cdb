"""The first cell of a notebook installs the course where it is missing, and says nothing where it is there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from autograder.units.build import install_cell
from tests.units import read_unit, unit_names

RUN = """
import sys
from IPython.core.interactiveshell import InteractiveShell
InteractiveShell.instance().run_cell(sys.argv[1]).raise_error()
"""


def cells(unit: str) -> list[str]:
    """Return the first two code cells of a unit's notebook."""
    notebook = json.loads((read_unit(unit).pack.folder("notebooks") / f"{read_unit(unit).stem}.ipynb").read_text())
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"][:2]


def run(cell: str, folder: Path, **settings: str) -> str:
    """Run a cell in IPython in a folder, and return what it prints."""
    command = [sys.executable, "-c", RUN, cell]
    done = subprocess.run(command, cwd=folder, env=os.environ | settings, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_first_cell_is_silent_where_the_course_is_installed(tmp_path: Path) -> None:
    for unit in unit_names():
        assert cells(unit)[0] == install_cell() and cells(unit)[1].startswith(f"from course.{unit} import")
    assert run(install_cell(), tmp_path) == ""


def test_first_cell_names_another_package_of_that_name(tmp_path: Path) -> None:
    (tmp_path / "course.py").touch()
    shown = run(install_cell(), tmp_path, PYTHONPATH=str(tmp_path))
    assert "Another package `course` is in the way here" in shown
