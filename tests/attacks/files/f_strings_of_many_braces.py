"""Has f-strings of thirty thousand parts in its cells, each read again for each of its parts by Python 3.11."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell


def hand_in(path: Path, notebook: Any) -> None:
    notebook.cells += [new_code_cell(f"text_{number} = f'" + "{1}" * 30_000 + "'") for number in range(9)]
    nbformat.write(notebook, path)
