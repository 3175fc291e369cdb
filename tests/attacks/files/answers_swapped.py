"""Name the cell of one exercise after another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat

from autograder.submission.reading import grade_id


def hand_in(path: Path, notebook: Any) -> None:
    for cell in notebook.cells:
        if grade_id(cell) in ("flip", "append"):
            cell.metadata["nbgrader"]["grade_id"] = {"flip": "append", "append": "flip"}[grade_id(cell)]
    nbformat.write(notebook, path)
