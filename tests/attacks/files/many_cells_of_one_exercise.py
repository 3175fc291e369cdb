"""Has the cell of an exercise two hundred times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat

from autograder.submission.reading import grade_id


def hand_in(path: Path, notebook: Any) -> None:
    (cell,) = [cell for cell in notebook.cells if grade_id(cell) == "flip"]
    notebook.cells += [nbformat.v4.new_code_cell(cell.source, metadata=cell.metadata) for _ in range(200)]
    nbformat.write(notebook, path)
