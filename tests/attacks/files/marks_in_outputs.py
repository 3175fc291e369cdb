"""Has marks in the outputs of its check cells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat

from autograder.submission.reading import grade_id


def hand_in(path: Path, notebook: Any) -> None:
    for cell in notebook.cells:
        if grade_id(cell).endswith("-check"):
            data = {"text/plain": "1000.0"}
            cell.outputs = [nbformat.v4.new_output("execute_result", data=data, execution_count=1)]
    nbformat.write(notebook, path)
