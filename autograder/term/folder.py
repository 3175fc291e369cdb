"""A course folder with its settings and units, which are needed to read everything else in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from autograder.config import ConfigError, Policy, Settings
from autograder.units.pack import Catalogue


@dataclass(frozen=True)
class CourseFolder:
    """The folder of a course, its settings, and its units in the released version. Without a folder, it has defaults.

    The course was read from the folder `start`. If the course is inside the folder to grade, it may be a student's, and
    no code that it names is run.
    """

    catalogue: Catalogue
    start: Path = Path()
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
