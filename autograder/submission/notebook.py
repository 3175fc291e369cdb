"""A notebook as plain frozen data: only the parts that are graded."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from autograder.errors import UserError
from course.limits import MOST_NOTEBOOK_CELLS

if TYPE_CHECKING:  # importing nbformat takes time
    from nbformat import NotebookNode

Metadata: TypeAlias = dict[str, Any]  # whatever a file contains
CHECK, WRITTEN_REPORT = "-check", "written-report"
ONLY_CHECKS = re.compile(r"\s*(?:from course\.check import check\s+)?(?:check\([\"']?\w+[\"']?\)\s*)?")
TOO_MUCH_CODE = "the notebook's cells hold more than 1 MB of text. Delete cells without answers"


class NotebookError(UserError, ValueError):
    """Raised for a file that is not a notebook, or belongs to no unit. The message is one line."""


class BrokenNotebook(NotebookError):
    """Raised for a file whose content is not a notebook."""


@dataclass(frozen=True)
class Cell:
    """A cell: only the parts that are graded."""

    cell_type: str
    source: str
    metadata: Metadata


@dataclass(frozen=True)
class Notebook:
    """A notebook: only the parts that are graded.

    An nbformat notebook has the same attributes, and can be used instead.

    If `is_module` is true, it was a Python file, and each statement of the file is a cell.
    """

    cells: tuple[Cell, ...]
    metadata: Metadata
    is_module: bool = False


def ensure_few_cells(notebook: Notebook) -> Notebook:
    """Return a notebook. Raises NotebookError if it has so many cells that sorting them would take minutes."""
    if len(notebook.cells) > MOST_NOTEBOOK_CELLS:
        raise NotebookError(f"the notebook has more than {MOST_NOTEBOOK_CELLS:,} cells. Delete cells without answers")
    return notebook


AnyCell: TypeAlias = "Cell | NotebookNode"
AnyNotebook: TypeAlias = "Notebook | NotebookNode"


def own_metadata(notebook: AnyNotebook) -> dict[str, object]:
    """Return Foldem's own part of a notebook's metadata."""
    metadata = notebook.metadata.get("foldem") if isinstance(notebook.metadata, dict) else None
    return metadata if isinstance(metadata, dict) else {}


def only_checks(cell: AnyCell) -> bool:
    """Return whether a cell only checks an exercise. Colab and VS Code let students write more into a locked cell."""
    return bool(ONLY_CHECKS.fullmatch(str(cell.source)))


def grade_id(cell: AnyCell) -> str:
    """Return a cell's grade id, or ""."""
    metadata = cell.metadata.get("nbgrader", {}) if isinstance(cell.metadata, dict) else {}
    name = metadata.get("grade_id", "") if isinstance(metadata, dict) else ""
    return name if isinstance(name, str) else ""
