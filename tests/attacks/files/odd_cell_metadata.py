"""Has metadata of every wrong kind in its cells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from autograder.submission.reading import grade_id


def hand_in(path: Path, notebook: Any) -> None:
    odd = (
        [],
        "x",
        {"grade_id": []},
        {"grade_id": "flip", "points": "many", "schema_version": -1},
        None,
    )
    for cell, nbgrader in zip(notebook.cells, odd * 20, strict=False):
        if not grade_id(cell):
            cell.metadata["nbgrader"] = nbgrader
            cell.metadata["tags"] = "x"
    path.write_text(json.dumps(notebook))
