"""The running notebook and its folder at one moment; whatever is read of cells and files is read once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from course.kernel.history import Run, runs
from course.kernel.notebook import Names, units_imported
from course.kernel.saved import IN_A_COURSE, Book, books, course_settings, folder_of, running_book
from course.syntax import binds_in, bound_names, lines_of, names_in


@dataclass(frozen=True)
class Workspace:
    """Where a learner is at work: the names of the notebook that is running, and the folder of notebooks.

    It is made for one check, hint or picture and not kept: what it has read may have changed by the next one. In a
    browser each question to the folder takes 10 ms.
    """

    names: Names
    folder: Path

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """All cells run so far, in order."""
        return tuple(runs(self.names))

    @cached_property
    def units(self) -> tuple[str, ...]:
        """The units that the cells run so far import from, the last first."""
        return tuple(units_imported(self.names))

    @cached_property
    def books(self) -> tuple[Book, ...]:
        """The notebooks of units that are saved in the folder."""
        return books(self.folder)

    @cached_property
    def running(self) -> dict[str, Book]:
        """The notebook of each unit that is known to be the running one."""
        found = {unit: tuple(book for book in self.books if book.unit == unit) for unit in self.book_units}
        best = {unit: running_book(self.names, several) for unit, several in found.items()}
        return {unit: book for unit, book in best.items() if book}

    @property
    def book_units(self) -> tuple[str, ...]:
        """The units that the folder has notebooks of."""
        return tuple(dict.fromkeys(book.unit for book in self.books))

    def books_of(self, unit: str) -> tuple[Book, ...]:
        """Return the running notebook of a unit, or all that the folder has of it where none is known to be running."""
        if unit in self.running:
            return (self.running[unit],)
        return tuple(book for book in self.books if book.unit == unit)

    @cached_property
    def settings(self) -> tuple[dict[str, Any], ...]:
        """What the course of the folder says; () if it belongs to none."""
        return course_settings(self.folder, self.books)

    def is_allowed(self, what: str) -> bool:
        """Return whether "hints" or "borrowing" is allowed here: always, unless a course says otherwise."""
        return all(settings.get(what, IN_A_COURSE[what]) for settings in self.settings)

    @cached_property
    def mentions(self) -> dict[str, frozenset[str]]:
        """For each name that the cells bind, the names that its statement mentions."""
        found: dict[str, frozenset[str]] = {}
        for run in self.runs:
            for statement in run.statements:
                text = "\n".join(lines_of(run.source)[statement.lineno - 1 : statement.end_lineno])
                found |= dict.fromkeys(bound_names(statement), names_mentioned(text))
        return found


def workspace_of(names: Names) -> Workspace:
    """Return where these names are at work."""
    return Workspace(names, folder_of(names))


def names_used(text: str) -> frozenset[str]:
    """Return the names that a text uses and does not bind."""
    return names_in(text) - binds_in(text)


def names_mentioned(text: str) -> frozenset[str]:
    """Return the names that a text mentions, none if it does not parse."""
    try:
        return names_in(text)
    except SyntaxError:
        return frozenset()
