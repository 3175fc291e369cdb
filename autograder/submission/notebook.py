"""A notebook as plain frozen data, as far as it is graded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from autograder.unusable import Unusable

LARGEST_CODE = 1_000_000
CHECK, WRITTEN_REPORT = "-check", "written-report"
TOO_MUCH_CODE = "the notebook's cells hold more than 1 MB of text"


class NotebookError(Unusable, ValueError):
    """A file that is no notebook, or of no unit; the message is one clear line."""


@dataclass(frozen=True)
class Cell:
    """A cell, as far as it is graded."""

    cell_type: str
    source: str
    metadata: dict[str, Any]


@dataclass(frozen=True)
class Notebook:
    """A notebook, as far as it is graded. nbformat's notebooks have the same attributes and work, too.

    `is_module`: it was a Python file, and its cells are that file's statements.
    """

    cells: tuple[Cell, ...]
    metadata: dict[str, Any]
    is_module: bool = False


def own_metadata(notebook: Any) -> dict[str, Any]:
    """Return our part of a notebook's metadata."""
    metadata = notebook.metadata.get("foldem") if isinstance(notebook.metadata, dict) else None
    return metadata if isinstance(metadata, dict) else {}


def grade_id(cell: Any) -> str:
    """Return a cell's grade id, or ""."""
    metadata = cell.metadata.get("nbgrader", {}) if isinstance(cell.metadata, dict) else {}
    name = metadata.get("grade_id", "") if isinstance(metadata, dict) else ""
    return name if isinstance(name, str) else ""
