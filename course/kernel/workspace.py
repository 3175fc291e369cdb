"""The running notebook and its folder at one moment: its cells, the saved notebooks, and the settings of the course.

Each cell and file is read at most once.
"""

from __future__ import annotations

import json
import os
import tomllib
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from course.exam.calls import Names
from course.kernel.history import UNKNOWN_END, Run, recorded_run_ends
from course.kernel.notebook import NotRight, executed_cells, imported_units, read_safely, running_cell_id, shell
from course.syntax import bound_names, bound_names_in, global_names_in, lines_of

# The defaults in a course, that is, in a folder with a `foldem.toml` at its top. Outside a course, everything is
# allowed. `sharing` may also be a time, before which it is off.
COURSE_DEFAULTS: dict[str, bool | str] = {
    "hints": True,
    "borrowing": False,
    "puzzles": False,
    "sharing": False,
    "site": "",
}
FOLDER_VARIABLE = "FOLDEM_FOLDER"  # a learner's variable, for front ends that do not say where the notebook is


@dataclass(frozen=True)
class SavedNotebook:
    """A saved notebook of a unit: when it was saved, metadata, code cells with their grade ids, and all cell ids."""

    path: Path
    when: float
    metadata: dict[str, Any]
    cells: tuple[tuple[str, str], ...]
    ids: frozenset[str]

    @property
    def unit(self) -> str:
        return str(self.metadata.get("unit", ""))

    @property
    def package(self) -> str:
        """Return the package from which the notebook imports its unit."""
        return str(self.metadata.get("course", "course"))


def running_notebook_path(names: Names) -> Path | None:
    """Return the path of the running notebook, or None if it is unknown. Only VS Code and Jupyter report the path."""
    paths = [names.get("__vsc_ipynb_file__"), os.environ.get("JPY_SESSION_NAME")]
    return next((Path(path) for path in paths if path and Path(path).is_file()), None)


def saved_notebook_at(path: Path) -> SavedNotebook | None:
    """Return the notebook in a file, or None if the file is not the notebook of a unit.

    The file is read again only if it has changed.
    """
    with suppress(OSError):
        return _read_notebook(path, path.stat().st_mtime)
    return None


@lru_cache(maxsize=64)
def _read_notebook(path: Path, when: float) -> SavedNotebook | None:
    try:
        notebook = json.loads(read_safely(path))
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        data = notebook["metadata"]["foldem"]
        ids = frozenset(cell["id"] for cell in notebook["cells"] if "id" in cell)
        grade_ids = [str(cell["metadata"].get("nbgrader", {}).get("grade_id", "")) for cell in cells]
        sources = ["".join(cell["source"]) for cell in cells]
        return SavedNotebook(path, when, dict(data), tuple(zip(grade_ids, sources, strict=True)), ids)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


@dataclass(frozen=True)
class Workspace:
    """The namespace of the running notebook, and the folder that contains this notebook.

    A workspace is used for only one check, hint or picture, because cells and files may change afterwards. A workspace
    caches what it reads, because in a browser each access to the folder takes about 10 ms.
    """

    names: Names
    folder: Path

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """Return all cells that were run, in order, with the running cell last; () if there is no history."""
        sources, running, ends = executed_cells(self.names) or [], shell(), recorded_run_ends()
        typed = [str(cell) for cell in running.history_manager.input_hist_raw] if running else []
        # The typed cells are as before IPython translated its own commands to Python.
        pairs = zip(sources, typed if len(typed) == len(sources) else sources, strict=True)
        cells = [Run(number, source, raw, *ends.get(number, UNKNOWN_END)) for number, (source, raw) in enumerate(pairs)]
        return tuple(cells[1:])

    @cached_property
    def units(self) -> tuple[str, ...]:
        """Return the units that were imported by cells, the latest import first."""
        return tuple(imported_units(self.names))

    @cached_property
    def saved_notebooks(self) -> tuple[SavedNotebook, ...]:
        """Return the notebooks of units in the folder, as they were saved. Other files are skipped."""
        return tuple(filter(None, map(saved_notebook_at, sorted(self.folder.glob("*.ipynb")))))

    @cached_property
    def certain_notebook(self) -> SavedNotebook | None:
        """Return the running notebook, or None if it is uncertain which notebook is running.

        The running notebook is known for certain if the front end reports its file, and the file contains the running
        cell. Only the reported file is read.
        """
        path = running_notebook_path(self.names)
        if path is None or path.parent.resolve() != self.folder.resolve():
            return None
        book = saved_notebook_at(path)
        return book if book and running_cell_id() in book.ids else None

    @cached_property
    def running_notebooks(self) -> dict[str, SavedNotebook]:
        """Return a dict that maps units to their running notebooks.

        Units whose running notebook is unknown are left out. A notebook is recognized by the id of the running cell, or
        else by the file name that the front end reports. If the front end reports no file name, as in nbgrader's
        validation, the notebook in which the most cells were run is chosen.
        """
        if self.certain_notebook:
            return {self.certain_notebook.unit: self.certain_notebook}
        path, cell, running = running_notebook_path(self.names), running_cell_id(), dict[str, SavedNotebook]()
        run = {each.typed.strip() for each in self.runs}

        def match_signs(book: SavedNotebook) -> tuple[bool, bool, int]:
            alike = 0 if path else sum(source.strip() in run for _, source in book.cells)
            return cell in book.ids, book.path == path, alike

        for unit in dict.fromkeys(book.unit for book in self.saved_notebooks):
            books = [book for book in self.saved_notebooks if book.unit == unit]
            best = max(books, key=lambda book: (*match_signs(book), book.when))
            if any(match_signs(best)) or (path is None and len(books) == 1):
                running[unit] = best
        return running

    def books_of(self, unit: str) -> tuple[SavedNotebook, ...]:
        """Return the running notebook of a unit.

        If the running notebook is unknown, return all notebooks of the unit in the folder.
        """
        if unit in self.running_notebooks:
            return (self.running_notebooks[unit],)
        return tuple(book for book in self.saved_notebooks if book.unit == unit)

    @property
    def has_unknown_folder(self) -> bool:
        """Return whether the folder of the running notebook is unknown, as on Google Colab."""
        return not (FOLDER_VARIABLE in self.names or running_notebook_path(self.names) or self.saved_notebooks)

    @cached_property
    def settings(self) -> tuple[dict[str, object], ...]:
        """Return the settings of the running notebook's course, or () if the notebook belongs to no course.

        If it is uncertain which notebook is running, also return the settings in all notebooks of the folder.
        """
        folder = self.folder.resolve()
        files = [each / "foldem.toml" for each in (folder, *folder.parents)]
        above = [_read_settings(file) for file in files if file.is_file()][-1:]
        books = (self.certain_notebook,) if self.certain_notebook else self.saved_notebooks
        return (*above, *(book.metadata["help"] for book in books if isinstance(book.metadata.get("help"), dict)))

    def is_allowed(self, what: str) -> bool:
        """Return whether the course allows `what`: "hints", "borrowing" or "puzzles".

        Outside a course, everything is allowed.
        """
        return all(settings.get(what, COURSE_DEFAULTS[what]) for settings in self.settings)

    @cached_property
    def mentions(self) -> dict[str, frozenset[str]]:
        """Return a dict that maps each name defined in a cell to the names in its definition."""
        results: dict[str, frozenset[str]] = {}
        for run in self.runs:
            for statement in run.statements:
                text = "\n".join(lines_of(run.source)[statement.lineno - 1 : statement.end_lineno])
                results |= dict.fromkeys(bound_names(statement), names_mentioned(text))
        return results


def workspace_of(names: Names) -> Workspace:
    """Return the workspace of a namespace.

    The workspace's folder is the value of the name FOLDEM_FOLDER, or else the notebook's folder.

    Raises NotRight if the folder does not exist.
    """
    if chosen := names.get(FOLDER_VARIABLE):
        if isinstance(chosen, str | Path) and Path(chosen).is_dir():
            return Workspace(names, Path(chosen))
        raise NotRight(
            f"`{FOLDER_VARIABLE}` is {chosen!r}, but this folder does not exist: create it first, or mount your drive"
        )
    path = running_notebook_path(names)
    try:
        return Workspace(names, path.parent if path else Path.cwd())
    except FileNotFoundError:
        raise NotRight("the folder of this notebook does not exist any more: restart the kernel") from None


def names_used(text: str) -> frozenset[str]:
    """Return the names that some source code uses but does not define."""
    return global_names_in(text) - bound_names_in(text)


def names_mentioned(text: str) -> frozenset[str]:
    """Return the names that some source code uses or defines, or an empty set if the code does not parse."""
    try:
        return global_names_in(text)
    except SyntaxError:
        return frozenset()


def _read_settings(file: Path) -> dict[str, object]:
    try:
        return tomllib.loads(read_safely(file))
    except (OSError, ValueError, RecursionError):
        return {}
