"""A notebook's kernel inside this process: a real IPython shell that works in a folder, and its output."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from nbformat.v4 import new_code_cell
from traitlets.config import Config

from course.kernel import history
from tests.classroom import blank_notebook, write_file

COLORS = re.compile(r"\x1b\[[0-9;]*m")
IMPORTS = "from course.dominoes import *\nfrom course.check import *"
RIGHT = "def flip(domino):\n    return Domino(domino.right, domino.left)"
QUIET = Config({"HistoryManager": {"enabled": False}, "InteractiveShell": {"colors": "nocolor"}})


class Kernel:
    """A kernel for the dominoes notebook. A new kernel does not have the values of earlier ones."""

    def __init__(self, has_imports: bool = True) -> None:
        InteractiveShell.clear_instance()
        self.shell = InteractiveShell.instance(config=QUIET)
        if has_imports:
            self.run(IMPORTS)
            history.recorded_run_ends()  # as on import, of which there is one only in this process

    def run(self, source: str) -> str:
        """Run a cell, and return what it shows: output, displays, errors."""
        with capture_output(display=False) as captured:
            self.shell.run_cell(source, store_history=True)
        return COLORS.sub("", captured.stdout + captured.stderr)

    def after(self, *cells: str, check: str = 'check("flip")') -> str:
        """Run cells, and return what a check shows after them."""
        for cell in cells:
            self.run(cell)
        return self.run(check)


@contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """Work in a folder while the block runs, and remove the shell afterwards."""
    try:
        with chdir(folder):
            yield
    finally:
        InteractiveShell.clear_instance()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Work in a fresh folder, as a kernel does that does not know its notebook."""
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    with working_in(tmp_path):
        yield tmp_path


@pytest.fixture
def kernel(folder: Path) -> Kernel:
    return Kernel()


def save(
    folder: Path,
    answers: dict[str, str],
    seconds_later: float = 0.0,
    name: str = "1_dominoes.ipynb",
    cells: dict[str, str] | None = None,
    metadata: dict[str, Any] | None = None,
) -> Path:
    """Save the dominoes notebook with answers and the learner's own `cells`; its time is now or some seconds later."""
    notebook = blank_notebook("dominoes")
    for cell in notebook.cells:
        cell.source = answers.get(cell.metadata.get("nbgrader", {}).get("grade_id", ""), cell.source)
    notebook.cells += [new_code_cell(source, id=cell) for cell, source in (cells or {}).items()]
    notebook.metadata["foldem"] |= metadata or {}
    path = write_file(folder / name, json.dumps(notebook))
    when = path.stat().st_mtime + seconds_later
    os.utime(path, (when, when))
    return path
