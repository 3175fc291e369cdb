"""The running notebook and its folder at one moment. Each cell and file is read at most once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from course.exam.calls import Names
from course.kernel.history import UNKNOWN_END, Run, log
from course.kernel.notebook import NotRight, cell_now, cells_run, cells_typed, units_imported
from course.kernel.saved import (
    FOLDER_VARIABLE,
    IN_A_COURSE,
    SavedNotebook,
    book_at,
    course_settings,
    running_notebook,
    saved_path,
)
from course.syntax import binds_in, bound_names, lines_of, names_in


@dataclass(frozen=True)
class Workspace:
    """The names of the running notebook, and the folder of its notebooks.

    A workspace is made for one check, hint or picture, because cells and files may change afterwards. It caches what it
    reads: in a browser, each access to the folder takes 10 ms.
    """

    names: Names
    folder: Path

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """Return all cells run so far in order, including the current one; () if there is no history."""
        pairs, ends = zip(cells_run(self.names) or [], cells_typed(self.names), strict=False), log()
        cells = [
            Run(number, source, typed, *ends.get(number, UNKNOWN_END)) for number, (source, typed) in enumerate(pairs)
        ]
        return tuple(cells[1:])

    @cached_property
    def units(self) -> tuple[str, ...]:
        """Return the units that the cells run so far import from, last first."""
        return tuple(units_imported(self.names))

    @cached_property
    def books(self) -> tuple[SavedNotebook, ...]:
        """Return the notebooks of units that are saved in the folder; other files are skipped."""
        return tuple(filter(None, map(book_at, sorted(self.folder.glob("*.ipynb")))))

    @cached_property
    def certain(self) -> SavedNotebook | None:
        """Return the running notebook if the front end names a file for it, and this file contains the running cell.

        No other notebook of the folder needs to be read then.
        """
        path = saved_path(self.names)
        if path is None or path.parent.resolve() != self.folder.resolve():
            return None
        book = book_at(path)
        return book if book and cell_now() in book.ids else None

    @cached_property
    def running(self) -> dict[str, SavedNotebook]:
        """Return the running notebook of each unit, if it is known."""
        if self.certain:
            return {self.certain.unit: self.certain}
        units = dict.fromkeys(book.unit for book in self.books)
        several = {unit: tuple(book for book in self.books if book.unit == unit) for unit in units}
        best = {unit: running_notebook(self.names, those) for unit, those in several.items()}
        return {unit: book for unit, book in best.items() if book}

    def books_of(self, unit: str) -> tuple[SavedNotebook, ...]:
        """Return the running notebook of a unit, or all its notebooks in the folder if the running one is unknown."""
        if unit in self.running:
            return (self.running[unit],)
        return tuple(book for book in self.books if book.unit == unit)

    @property
    def has_unknown_folder(self) -> bool:
        """Return whether it is unknown where the running notebook is saved, as on Google Colab."""
        return not (FOLDER_VARIABLE in self.names or saved_path(self.names) or self.books)

    @cached_property
    def settings(self) -> tuple[dict[str, object], ...]:
        """Return the settings of the course of the running notebook, or () if it belongs to no course.

        If the running notebook is not certain, the settings of all notebooks in the folder count.
        """
        return course_settings(self.folder, (self.certain,) if self.certain else self.books)

    def is_allowed(self, what: str) -> bool:
        """Return whether "hints", "borrowing" or "puzzles" are allowed. Outside a course, everything is allowed."""
        return all(settings.get(what, IN_A_COURSE[what]) for settings in self.settings)

    @cached_property
    def mentions(self) -> dict[str, frozenset[str]]:
        """For each name that the cells bind, return the names that the binding statement mentions."""
        results: dict[str, frozenset[str]] = {}
        for run in self.runs:
            for statement in run.statements:
                text = "\n".join(lines_of(run.source)[statement.lineno - 1 : statement.end_lineno])
                results |= dict.fromkeys(bound_names(statement), names_mentioned(text))
        return results


def workspace_of(names: Names) -> Workspace:
    """Return the workspace of a namespace. Its folder is the one in FOLDEM_FOLDER, or else that of the notebook.

    Raises NotRight if the folder does not exist.
    """
    if chosen := names.get(FOLDER_VARIABLE):
        if isinstance(chosen, str | Path) and Path(chosen).is_dir():
            return Workspace(names, Path(chosen))
        raise NotRight(
            f"`{FOLDER_VARIABLE}` is {chosen!r}, and there is no such folder: create it first, or mount your drive"
        )
    path = saved_path(names)
    try:
        return Workspace(names, path.parent if path else Path.cwd())
    except FileNotFoundError:
        raise NotRight("the folder of this notebook does not exist any more: restart the kernel") from None


def names_used(text: str) -> frozenset[str]:
    """Return the names that a text uses and does not bind."""
    return names_in(text) - binds_in(text)


def names_mentioned(text: str) -> frozenset[str]:
    """Return the names that a text mentions, or an empty set if it does not parse."""
    try:
        return names_in(text)
    except SyntaxError:
        return frozenset()
