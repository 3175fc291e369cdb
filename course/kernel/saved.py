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
from course.kernel.catalogue import StatedUnit
from course.kernel.files import text_here
from course.kernel.notebook import VS_CODE_CELL, NotRight, cell_now, cells_typed

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
    paths = _path_in(cell_now()), names.get("__vsc_ipynb_file__"), os.environ.get("JPY_SESSION_NAME")
    return next((Path(path) for path in paths if path and Path(path).is_file()), None)


def _path_in(cell: str) -> str:
    if not cell.startswith(VS_CODE_CELL):
        return ""
    from urllib.parse import urlsplit  # imported here, because it loads much of the standard library
    from urllib.request import url2pathname

    return url2pathname(urlsplit(cell).path)


def folder_of(names: Names) -> Path:
    """Return the folder that the variable FOLDEM_FOLDER names, or else that of the running notebook.

    Raises NotRight if there is no such folder.
    """
    if chosen := names.get(FOLDER_VARIABLE):
        return _chosen_folder(chosen)
    path = saved_path(names)
    try:
        return path.parent if path else Path.cwd()
    except FileNotFoundError:
        raise NotRight("the folder of this notebook does not exist any more: restart the kernel") from None


def _chosen_folder(chosen: object) -> Path:
    if isinstance(chosen, str | Path) and Path(chosen).is_dir():
        return Path(chosen)
    raise NotRight(
        f"`{FOLDER_VARIABLE}` is {chosen!r}, and there is no such folder: create it first, or mount your drive"
    )


def books(folder: Path) -> tuple[SavedNotebook, ...]:
    """Return the notebooks of units that are saved in a folder; other files are skipped."""
    return tuple(filter(None, map(_book_at, sorted(folder.glob("*.ipynb")))))


def confirmed_notebook(names: Names, folder: Path) -> SavedNotebook | None:
    """Return the notebook of a folder that its front end names as the running one, if it contains the running cell.

    No other notebook of the folder needs to be read then.
    """
    path = saved_path(names)
    if path is None or path.parent.resolve() != folder.resolve():
        return None
    book = _book_at(path)
    return book if book and cell_now() in book.ids else None


def _book_at(path: Path) -> SavedNotebook | None:
    """Return a notebook of a unit, or None if the file is none. A file that has not changed is read once."""
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


def assigned_exercises(saved: tuple[SavedNotebook, ...], stated: StatedUnit) -> tuple[str, ...]:
    """Return the exercises of a unit that its notebooks assign: the listed ones, or all if none are listed."""
    every = [*stated.by_name]
    lists = [names for book in saved if isinstance(names := book.metadata.get("exercises"), list)]
    return tuple(name for name in every if not lists or any(name in names for names in lists))


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
