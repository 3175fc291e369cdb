"""A course as a value, which a command or host reads once and passes on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from dataclasses import replace as with_fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.config import SETTINGS_FILE, is_among_submissions, settings_for
from autograder.submission.model import AssignmentPoints
from autograder.term.adjust import Adjustments, adjustments_in
from autograder.term.assignments import assignments_in
from autograder.term.files import CourseFolder, root_of
from autograder.units.pack import Catalogue

if TYPE_CHECKING:
    from autograder.term.gradebook import AllAdjustments
    from autograder.term.roster import Student
    from autograder.term.store import Store


@dataclass(frozen=True)
class Course(CourseFolder):
    """A course folder with the files of its teacher. Each file is read at its first use, and only once."""

    @cached_property
    def adjustments(self) -> Adjustments:
        """Return the adjustments in `adjust.toml`. Raises TermError if they are invalid."""
        return adjustments_in(self)

    @cached_property
    def all_adjustments(self) -> AllAdjustments:
        """Return the adjustments with those in nbgrader's gradebook. Raises TermError if one cannot be read."""
        from autograder.term.gradebook import with_gradebook  # here, since a notebook's kernel needs no database

        return with_gradebook(self.adjustments)

    @cached_property
    def assignments(self) -> Mapping[str, AssignmentPoints]:
        """Return the assignments, with the points of their exercises."""
        return assignments_in(self)

    @cached_property
    def roster(self) -> Mapping[str, Student]:
        """Return the students by id; empty without a roster."""
        from autograder.term.roster import ROSTER_FILE, read_roster  # here, since a notebook's kernel needs none

        path = self.root / ROSTER_FILE if self.root else None
        return read_roster(path) if path and path.is_file() else {}

    def store(self, address: str | None = None, out: Path | None = None) -> Store:
        """Return the store at an address or, without one, that of the course, the output folder or the cache."""
        from autograder.term.store import open_store  # here, since a notebook's kernel needs no database

        return open_store(self, address, out)

    @property
    def as_installed(self) -> Course:
        """Return the course with the installed version of its units."""
        return with_fields(self, catalogue=self.catalogue.pinned(None))


def read_course(folder: Path, catalogue: Catalogue, graded: Iterable[Path] = ()) -> Course:
    """Return the course around a folder, or a course without a folder; `graded` are the files to grade."""
    root = root_of(folder)
    is_graded = root is not None and is_among_submissions(root / SETTINGS_FILE, graded)
    return Course(catalogue.pinned(root, is_graded), folder, root, settings_for(folder), is_graded)
