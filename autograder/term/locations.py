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
            raise ConfigError(f"{Path.cwd()} is not in a course folder: go to one, or name one")
        return self.root


@dataclass(frozen=True)
class SubmittedFile:
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


NO_HOME = Home()


def locate_files(
    notebooks: Iterable[tuple[str, Path]], known: dict[str, str], home: Home = NO_HOME
) -> Iterator[SubmittedFile]:
    """Yield the locations of files. Files that are `known` by location keep their names.

    All files belong to the graded course, or to none. Settings next to the files do not count: they may be a student's.
    """
    stems = {(without_suffix(location), name) for location, name in known.items()}
    roots = sorted({stem.removesuffix(name) for stem, name in stems if stem.endswith(f"/{name}")}, key=len)
    for name, path in notebooks:
        resolved = path.parent.resolve() / path.name
        own = home if home.root is None or resolved.is_relative_to(home.root) else Home()
        there = resolved
        if folder := own.root or own.folder:
            with suppress(ValueError):  # on another drive
                there = Path(os.path.relpath(resolved, folder))
        location = path_text(there)
        # A `submitted/` of the course or of the command counts, and none that a student has made.
        given = Path(resolved.anchor, *resolved.parts[: -len(PurePosixPath(name).parts)])
        given = next((each.parent for each in (given, *given.parents) if each.name == SUBMITTED), given)
        folders = [folder / SUBMITTED for folder in (own.root, given) if folder]
        below = next((resolved.relative_to(folder) for folder in folders if resolved.is_relative_to(folder)), Path())
        if len(below.parts) > 1:
            handed_in = PurePosixPath(below)
            student, *rest = handed_in.parts
            name = shown_name(path_text(handed_in.with_suffix("")))
            whose = path_text(PurePosixPath(student)), path_text(PurePosixPath(rest[0])) if rest[1:] else ""
            yield SubmittedFile(path, own.course, location, name, *whose)
            continue
        stem = without_suffix(location)
        style = [stem.removeprefix(root) for root in roots if location.startswith(root)]  # that of its neighbors
        earlier = known.get(location)
        names = [name, *style[:1], *filter(None, [earlier])]
        name = max(names, key=lambda each: (each.count("/"), each == earlier))
        yield SubmittedFile(path, own.course, location, name, without_suffix(PurePosixPath(name).parts[0]), "")


def root_of(folder: Path) -> Path | None:
    """Return the course folder around a folder, or None."""
    file = course_file(folder)
    return file.parent if file else None


def path_text(path: Path | PurePosixPath) -> str:
    """Return a path as text that can be stored, whatever bytes it contains."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")
