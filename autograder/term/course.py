"""A course as a value, which a command or host reads once and passes on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder.config import SETTINGS_FILE, ConfigError, Policy, Settings, lies_in, settings_for
from autograder.term.places import root_of
from autograder.units.pack import Catalogue


@dataclass(frozen=True)
class Course:
    """A course: its folder, its settings, and its units in the released version. Without a folder, it has defaults.

    If the course is inside the folder to grade, it may be a student's, and no code that it names is run.
    """

    catalogue: Catalogue
    root: Path | None = None
    settings: Settings = field(default_factory=Settings)
    is_graded: bool = False

    @property
    def policy(self) -> Policy:
        return self.settings.policy

    @property
    def folder(self) -> Path:
        """Return the course folder. Raises ConfigError if there is none."""
        if self.root is None:
            raise ConfigError(f"{Path.cwd()} is not in a course folder")
        return self.root

    @property
    def as_installed(self) -> Course:
        """Return the course with the installed version of its units."""
        return replace(self, catalogue=self.catalogue.pinned(None))


def read_course(folder: Path, catalogue: Catalogue, graded: Iterable[Path] = ()) -> Course:
    """Return the course around a folder, or a course without a folder; `graded` are the files to grade."""
    root = root_of(folder)
    is_graded = root is not None and lies_in(root / SETTINGS_FILE, graded)
    return Course(catalogue.pinned(root, is_graded), root, settings_for(folder), is_graded)


def course_at(folder: Path, catalogue: Catalogue) -> Course:
    """Return the course around a folder. Raises ConfigError if there is none."""
    course = read_course(folder, catalogue)
    if course.root is None:
        raise ConfigError(f"{folder} is not a course folder: it has no foldem.toml")
    return course
