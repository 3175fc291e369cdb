"""Has its check cells twice, the copies with more points."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nbformat

from autograder.submission.reading import grade_id


def hand_in(path: Path, notebook: Any) -> None:
    for cell in [cell for cell in notebook.cells if grade_id(cell).endswith("-check")]:
        metadata = json.loads(json.dumps(cell.metadata))
        metadata["nbgrader"]["points"] = 1000
        notebook.cells.append(nbformat.v4.new_code_cell("1000", metadata=metadata))
    nbformat.write(notebook, path)
