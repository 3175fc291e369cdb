"""Notebooks as they are saved beside the one that is running, and what their course allows."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from course.kernel.catalogue import statements
from course.kernel.notebook import Names, NotRight, cell_now, cells_typed

# What holds in a course, which a `foldem.toml` makes it; who learns alone may do everything.
IN_A_COURSE = {"hints": True, "borrowing": False}


@dataclass(frozen=True)
class Book:
    """A notebook of a unit as it is saved: when, what it tells about itself, its code cells by grade id, all ids."""

    path: Path
    when: float
    told: dict[str, Any]
    cells: tuple[tuple[str, str], ...]
    ids: frozenset[str]

    @property
    def unit(self) -> str:
        return str(self.told.get("unit", ""))

    @property
    def home(self) -> str:
        """The package that it imports its unit from."""
        return str(self.told.get("course", "course"))


def saved_path(names: Names) -> Path | None:
    """Return the file of the running notebook, None if nobody tells. VS Code names it in its ids of cells, too."""
    told = _path_in(cell_now()), names.get("__vsc_ipynb_file__"), os.environ.get("JPY_SESSION_NAME")
    return next((Path(path) for path in told if path and Path(path).is_file()), None)


def _path_in(cell: str) -> str:
    if not cell.startswith("vscode-"):
        return ""
    from urllib.parse import urlsplit  # here, for they bring all of HTTP
    from urllib.request import url2pathname

    return url2pathname(urlsplit(cell).path)


def folder_of(names: Names) -> Path:
    """Return the folder of the running notebook."""
    path = saved_path(names)
    try:
        return path.parent if path else Path.cwd()
    except FileNotFoundError:
        raise NotRight("the folder that this kernel works in is gone: restart the kernel") from None


def books(folder: Path) -> tuple[Book, ...]:
    """Return the notebooks of units that are saved in a folder; what is none is passed over."""
    return tuple(_books(folder))


def _books(folder: Path) -> Iterator[Book]:
    for path in sorted(folder.glob("*.ipynb")):
        with suppress(OSError):
            if book := _book(path, path.stat().st_mtime):
                yield book


@lru_cache(maxsize=64)
def _book(path: Path, when: float) -> Book | None:
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        told = notebook["metadata"]["foldem"]
        ids = frozenset(cell["id"] for cell in notebook["cells"] if "id" in cell)
        return Book(path, when, dict(told), tuple((_grade_id(cell), "".join(cell["source"])) for cell in cells), ids)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _grade_id(cell: dict[str, Any]) -> str:
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))


def running_book(names: Names, found: tuple[Book, ...]) -> Book | None:
    """Return which of the saved notebooks of a unit is running, None if that cannot be told.

    The surest sign is the cell that is running; then the name that the kernel was started under, which a rename does
    not change; where nobody tells that, how many of the cells that were run stand in the file.
    """
    path, cell, run = saved_path(names), cell_now(), {cell.strip() for cell in cells_typed(names)}

    def signs(book: Book) -> tuple[bool, bool, int]:
        alike = 0 if path else sum(source.strip() in run for _, source in book.cells)
        return cell in book.ids, book.path == path, alike

    best = max(found, key=lambda book: (*signs(book), book.when), default=None)
    is_alone = path is None and len(found) == 1
    return best if best and (is_alone or any(signs(best))) else None


def assigned(saved: tuple[Book, ...], unit: str) -> tuple[str, ...]:
    """Return the exercises of a unit that are to be solved in these notebooks of it: all, unless they say which."""
    every = [exercise["name"] for exercise in statements(unit)["exercises"]]
    told = [names for book in saved if isinstance(names := book.told.get("exercises"), list)]
    return tuple(name for name in every if not told or any(name in names for names in told))


def course_settings(folder: Path, found: tuple[Book, ...]) -> tuple[dict[str, Any], ...]:
    """Return what the course says that a folder belongs to, in a `foldem.toml` or in notebooks; () if none does."""
    stated = (book.told["help"] for book in found if isinstance(book.told.get("help"), dict))
    return (*_settings_above(folder), *stated)


def _settings_above(folder: Path) -> list[dict[str, Any]]:
    files = [place / "foldem.toml" for place in (folder.resolve(), *folder.resolve().parents)]
    return [_settings(file) for file in files if file.is_file()][-1:]


def _settings(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
