"""Convert a submitted Python file to a notebook, for nbgrader."""

from __future__ import annotations

import json
from pathlib import Path

from autograder.submission.module import module_notebook
from autograder.submission.notebook import Cell
from autograder.submission.sort import superseded, unit_of
from autograder.units.pack import Catalogue


def as_notebook_text(name: str, content: bytes, catalogue: Catalogue) -> str:
    """Return a unit's Python file as a notebook's text, each answer in its own cell.

    nbgrader reads notebooks only. Raises NotebookError if the file belongs to no unit.
    """
    text = content.decode("utf-8-sig")
    notebook = module_notebook(Path(name), text)
    unit = unit_of(notebook, catalogue)
    cells = [_as_data(number, cell) for number, cell in enumerate(superseded(unit, [c.source for c in notebook.cells]))]
    about = {"foldem": {"unit": unit.name}, "kernelspec": {"name": "python3", "display_name": "Python 3"}}
    return json.dumps({"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"


def _as_data(number: int, cell: Cell) -> dict[str, object]:
    name = cell.metadata.get("nbgrader", {}).get("grade_id", "")
    about = {"grade": False, "grade_id": name, "locked": False, "schema_version": 3, "solution": True, "task": False}
    metadata = {"nbgrader": about} if name else {}
    rest: dict[str, object] = {"execution_count": None, "outputs": [], "id": f"cell-{number}"}
    return {"cell_type": "code", "source": cell.source, "metadata": metadata} | rest
