"""Has cells that do not parse, in each of which what is wrong would be looked for at every place anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat

ODD = "def {name}(*args): x = " + "a" * 90_000 + " $", "def {name}(*args):\n    return f'" + "{{1}}" * 30_000 + "'"
LONG = ("append", "is_sound", "legal_adds", "possible_dominoes", "suppress", "move", "make_dominoes", "play")


def hand_in(path: Path, notebook: Any) -> None:
    cells = {cell.metadata.get("nbgrader", {}).get("grade_id"): cell for cell in notebook.cells}
    for place, name in enumerate(LONG):
        cells[name].source = ODD[place % 2].format(name=name)
    nbformat.write(notebook, path)
