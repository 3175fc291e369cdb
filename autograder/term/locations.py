"""A course folder with its settings and units, and the location of a submission in it.

The location does not depend on the folder in which a run starts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from autograder.config import ConfigError, Policy, Settings, course_file
from autograder.submission.find import without_suffix
from autograder.text import shown_name
from autograder.units.pack import Catalogue

SUBMITTED = "submitted"


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


@dataclass(frozen=True)
class Located:
    """The file of a submission: its course (or ""), location there, displayed name, student and assignment.

    In nbgrader's `submitted/`, folders name student and assignment. Elsewhere the name begins with the student. Both
    are unchanged folder names; `name` is safe to print.
    """

    path: Path
    course: str
    place: str
    name: str
    student: str
    assignment: str


@dataclass(frozen=True)
class Home:
    """The folder from which stored paths start: a course folder with its name in the store, or any other folder."""

    root: Path | None = None
    course: str = ""
    folder: Path | None = None

    def location_of(self, path: Path) -> str:
        """Return a file's location relative to this folder, or its absolute path."""
        if folder := self.root or self.folder:
            with suppress(ValueError):  # on another drive
                path = Path(os.path.relpath(path, folder))
        return path_text(path)


NO_HOME = Home()


def placed(notebooks: Iterable[tuple[str, Path]], known: dict[str, str], home: Home = NO_HOME) -> Iterator[Located]:
    """Yield the locations of files. Files that are `known` by location keep their names.

    All files belong to the graded course, or to none. Settings next to the files do not count: they may be a student's.
    """
    stems = {(without_suffix(location), name) for location, name in known.items()}
    roots = sorted({stem.removesuffix(name) for stem, name in stems if stem.endswith(f"/{name}")}, key=len)
    for name, path in notebooks:
        yield _placed(name, path, known, roots, home)


def _placed(name: str, path: Path, known: dict[str, str], roots: list[str], home: Home) -> Located:
    resolved = path.parent.resolve() / path.name
    home = home if home.root is None or resolved.is_relative_to(home.root) else Home()
    location, root = home.location_of(resolved), home.root
    if handed_in := _under_submitted(resolved, *filter(None, [root, _given(resolved, name)])):
        student, *rest = handed_in.parts
        name = shown_name(path_text(handed_in.with_suffix("")))
        whose = path_text(PurePosixPath(student)), path_text(PurePosixPath(rest[0])) if rest[1:] else ""
        return Located(path, home.course, location, name, *whose)
    there = without_suffix(location)
    style = [there.removeprefix(root) for root in roots if location.startswith(root)]  # that of its neighbors
    earlier = known.get(location)
    names = [name, *style[:1], *filter(None, [earlier])]
    name = max(names, key=lambda each: (each.count("/"), each == earlier))
    return Located(path, home.course, location, name, without_suffix(PurePosixPath(name).parts[0]), "")


def root_of(folder: Path) -> Path | None:
    """Return the course folder around a folder, or None."""
    file = course_file(folder)
    return file.parent if file else None


def course_of(root: Path | None) -> str:
    """Return the name of a course. The course has the name of its folder, as in nbgrader."""
    return shown_name(root.name) if root else ""


def path_text(path: Path | PurePosixPath) -> str:
    """Return a path as text that can be stored, whatever bytes it contains."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _given(path: Path, name: str) -> Path:
    """Return the folder in which a file was found; for a file in a `submitted/`, the folder around that."""
    given = Path(path.anchor, *path.parts[: -len(PurePosixPath(name).parts)])
    return next((each.parent for each in (given, *given.parents) if each.name == SUBMITTED), given)


def _under_submitted(path: Path, *roots: Path) -> PurePosixPath | None:
    """Return the part of a path below the `submitted/` of the course or of the command, not of a student."""
    folders = (root / SUBMITTED for root in roots)
    below = next((path.relative_to(folder) for folder in folders if path.is_relative_to(folder)), None)
    return PurePosixPath(below) if below and len(below.parts) > 1 else None
