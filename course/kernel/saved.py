"""The saved notebooks in the folder of the running one, and the settings of its course."""

from __future__ import annotations

import json
import os
import tomllib
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from course.exam.calls import Names
from course.kernel.files import text_here
from course.kernel.notebook import VS_CODE_CELL, cell_now, cells_typed

# The defaults in a course, that is, in a folder with a `foldem.toml` at its top. Outside a course, everything is
# allowed. `sharing` may also be a time, before which it is off.
IN_A_COURSE: dict[str, bool | str] = {
    "hints": True,
    "borrowing": False,
    "puzzles": False,
    "sharing": False,
    "site": "",
}
FOLDER_VARIABLE = "FOLDEM_FOLDER"  # a learner's variable, for front ends that do not say where the notebook is


@dataclass(frozen=True)
class SavedNotebook:
    """A saved notebook of a unit: when it was saved, its metadata, its code cells by grade id, and all cell ids."""

    path: Path
    when: float
    metadata: dict[str, Any]
    cells: tuple[tuple[str, str], ...]
    ids: frozenset[str]

    @property
    def unit(self) -> str:
        return str(self.metadata.get("unit", ""))

    @property
    def home(self) -> str:
        """Return the package that the notebook imports its unit from."""
        return str(self.metadata.get("course", "course"))


def saved_path(names: Names) -> Path | None:
    """Return the path of the running notebook, or None if it is unknown. In VS Code, the cell ids contain the path."""
    paths = [names.get("__vsc_ipynb_file__"), os.environ.get("JPY_SESSION_NAME")]
    if (cell := cell_now()).startswith(VS_CODE_CELL):
        from urllib.parse import urlsplit  # imported here, because it loads much of the standard library
        from urllib.request import url2pathname

        paths.insert(0, url2pathname(urlsplit(cell).path))
    return next((Path(path) for path in paths if path and Path(path).is_file()), None)


def book_at(path: Path) -> SavedNotebook | None:
    """Return a notebook of a unit, or None if the file is not one. An unchanged file is read only once."""
    with suppress(OSError):
        return _book(path, path.stat().st_mtime)
    return None


@lru_cache(maxsize=64)
def _book(path: Path, when: float) -> SavedNotebook | None:
    try:
        notebook = json.loads(text_here(path))
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        data = notebook["metadata"]["foldem"]
        ids = frozenset(cell["id"] for cell in notebook["cells"] if "id" in cell)
        return SavedNotebook(
            path, when, dict(data), tuple((_grade_id(cell), "".join(cell["source"])) for cell in cells), ids
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _grade_id(cell: dict[str, Any]) -> str:
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))


def running_notebook(names: Names, books: tuple[SavedNotebook, ...]) -> SavedNotebook | None:
    """Return the saved notebook of a unit that is running, or None if it cannot be determined.

    The best evidence is the id of the running cell, then the file name at the start of the kernel. Without either, the
    notebook that has most of the run cells counts.
    """
    path, cell, run = saved_path(names), cell_now(), {cell.strip() for cell in cells_typed(names)}

    def signs(book: SavedNotebook) -> tuple[bool, bool, int]:
        alike = 0 if path else sum(source.strip() in run for _, source in book.cells)
        return cell in book.ids, book.path == path, alike

    best = max(books, key=lambda book: (*signs(book), book.when), default=None)
    is_alone = path is None and len(books) == 1
    return best if best and (is_alone or any(signs(best))) else None


def course_settings(folder: Path, books: tuple[SavedNotebook, ...]) -> tuple[dict[str, object], ...]:
    """Return the course settings of a folder, from a `foldem.toml` or from notebooks; () if there are none."""
    stated = (book.metadata["help"] for book in books if isinstance(book.metadata.get("help"), dict))
    files = [each / "foldem.toml" for each in (folder.resolve(), *folder.resolve().parents)]
    above = [_settings(file) for file in files if file.is_file()][-1:]
    return (*above, *stated)


def _settings(file: Path) -> dict[str, object]:
    try:
        return tomllib.loads(text_here(file))
    except (OSError, ValueError, RecursionError):
        return {}
