"""Has patterns of 45,000 alternatives, and calls of a number by the thousand, for a report to explain."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat

ANSWERS = {
    "flip": f"def flip(domino):\n    match domino:\n        case {'|'.join('1' * 45_000)}: return domino",
    "append": f"def append(*args):\n    return ({'1(2), ' * 15_000})",
    "is_sound": f"def is_sound(domino):\n    return ({'domino(2), ' * 9_000})",
}


def hand_in(path: Path, notebook: Any) -> None:
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        cell.source = ANSWERS.get(name, cell.source)
    nbformat.write(notebook, path)
