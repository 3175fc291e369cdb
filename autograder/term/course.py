"""A course as a value, which commands and hosts read once and pass on; and the units that options select."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as with_fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.config import SETTINGS_FILE, ConfigError, is_among_submissions, settings_for, with_course_packs
from autograder.submission.model import AssignmentPoints
from autograder.term.adjust import Adjustments, adjustments_in
from autograder.term.assignments import assignments_in
from autograder.term.files import CourseFolder, course_root_of
from autograder.units.pack import Catalogue, catalogue_here, read_pack
from autograder.units.unit import Unit, read_unit

if TYPE_CHECKING:
    from autograder.term.gradebook import AllAdjustments
    from autograder.term.roster import Student
    from autograder.term.store import Store


@dataclass(frozen=True)
class Course(CourseFolder):
    """A course folder with its teacher's files. Each file is read when it is first needed, and only once."""

    @cached_property
    def adjustments(self) -> Adjustments:
        """Return the adjustments in `adjust.toml`. Raises TermError if the adjustments are invalid."""
        return adjustments_in(self)

    @cached_property
    def all_adjustments(self) -> AllAdjustments:
        """Return the adjustments in `adjust.toml` and in nbgrader's gradebook.

        Raises TermError if `adjust.toml` or the gradebook cannot be read.
        """
        from autograder.term.gradebook import with_gradebook  # here, since a notebook's kernel needs no database

        return with_gradebook(self.adjustments)

    @cached_property
    def assignments(self) -> Mapping[str, AssignmentPoints]:
        """Return the points of the exercises in each assignment, by the assignment's name."""
        return assignments_in(self)

    @cached_property
    def roster(self) -> Mapping[str, Student]:
        """Return the students in `roster.csv`, by id. Without a `roster.csv`, return {}."""
        from autograder.term.roster import ROSTER_FILE, read_roster  # here, since a notebook's kernel needs none

        path = self.root / ROSTER_FILE if self.root else None
        return read_roster(path) if path and path.is_file() else {}

    def store(self, address: str | None = None, out: Path | None = None) -> Store:
        """Return the store at an address.

        Without an address, return the store of the course, or else the store in the output folder `out`, or else a
        store in the cache.
        """
        from autograder.term.store import open_store  # here, since a notebook's kernel needs no database

        return open_store(self, address, out)

    @property
    def with_installed_units(self) -> Course:
        """Return the course with its units in the installed version instead of the released one."""
        return with_fields(self, catalogue=self.catalogue.with_pins(None))


def read_course(folder: Path, catalogue: Catalogue, graded: Iterable[Path] = ()) -> Course:
    """Return the course that a folder is in.

    Outside of courses, return a course with default settings. `graded` are the files to grade.
    """
    root = course_root_of(folder)
    is_graded = root is not None and is_among_submissions(root / SETTINGS_FILE, graded)
    return Course(catalogue.with_pins(root, is_graded), folder, root, settings_for(folder), is_graded)


# ------------------------------------------------------------------------------------------------ for commands

PackPaths = Sequence[Path] | None


def chosen_catalogue(packs: PackPaths = None, folder: Path | None = None) -> Catalogue:
    """Return a catalogue of the installed packs, of these `packs`, and of the packs of the course around `folder`."""
    catalogue = catalogue_here().with_packs(packs or ())
    return with_course_packs(catalogue, folder) if folder else catalogue


def chosen_course(packs: PackPaths, folder: Path | None) -> Course:
    """Return the course that a folder is in, with these packs added.

    Without a folder, the course has only default settings. Raises ConfigError if the folder is not in a course.
    """
    catalogue = chosen_catalogue(packs, folder)
    course = read_course(folder, catalogue) if folder else Course(catalogue)
    if folder and course.root is None:
        raise ConfigError(
            f"{folder} is not a course folder: it has no foldem.toml. To make a course folder, run `foldem course`"
        )
    return course


def chosen_units(catalogue: Catalogue, packs: PackPaths, names: Sequence[str] | None = None) -> tuple[Unit, ...]:
    """Return the units with these names, or else all units of the packs that `--pack` names."""
    names = names or [name for pack in packs or () for name in read_pack(pack).units]
    return tuple(read_unit(catalogue, name) for name in names)


def units_to_make(packs: PackPaths, names: Sequence[str] | None) -> tuple[Unit, ...]:
    """Return the units with these names, or else all units that `--pack` adds, or else Foldem's own units."""
    catalogue = chosen_catalogue(packs)
    return chosen_units(catalogue, packs, names) or chosen_units(catalogue, None, catalogue.packs[0].units)
