"""Where a submission lies, and whose it is: the same wherever a run begins to look."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from autograder.config import ConfigError, course_file
from autograder.submission.find import without_suffix
from autograder.text import shown_name

SUBMITTED = "submitted"


@dataclass(frozen=True)
class Located:
    """A submission's file: its course (or none), its place in it, its name in tables, its student and assignment.

    Under nbgrader's `submitted/` the folders tell student and assignment; elsewhere the name begins with the student.
    These two are what the folders are called, for others know them by that; names are as they are shown.
    """

    path: Path
    course: str
    place: str
    name: str
    student: str
    assignment: str


@dataclass(frozen=True)
class Home:
    """What places are counted from: a course's folder with the name that its store has for it, or any other folder."""

    root: Path | None = None
    course: str = ""
    folder: Path | None = None

    def place_of(self, path: Path) -> str:
        """Return where a file lies, from here; a path of the file system where there is nothing to count from."""
        return path_from(folder, path) if (folder := self.root or self.folder) else readable(path)


NO_HOME = Home()


def path_from(folder: Path, path: Path | str) -> str:
    """Return a path from a folder; as it is, where the two lie on different drives."""
    with suppress(ValueError):
        path = Path(os.path.relpath(path, folder))
    return readable(Path(path))


def placed(found: Iterable[tuple[str, Path]], known: dict[str, str], home: Home = NO_HOME) -> Iterator[Located]:
    """Yield the places of files that were found under names; of those whose names are `known` (by place), with these.

    They belong to the course that is graded, or to none: settings that lie among them may be a student's.
    """
    roots = sorted({root for place, name in known.items() if (root := _root(place, name))}, key=len)
    for name, path in found:
        yield _placed(name, path, known, roots, home)


def _placed(name: str, path: Path, known: dict[str, str], roots: list[str], home: Home) -> Located:
    whole = path.parent.resolve() / path.name
    home = home if home.root is None or whole.is_relative_to(home.root) else Home()
    place, root = home.place_of(whole), home.root
    if handed_in := _under_submitted(whole, *filter(None, [root, _given(whole, name)])):
        student, *rest = handed_in.parts
        name = shown_name(readable(handed_in.with_suffix("")))
        whose = readable(PurePosixPath(student)), readable(PurePosixPath(rest[0])) if rest[1:] else ""
        return Located(path, home.course, place, name, *whose)
    name = _widest(name, place, known.get(place), roots)
    return Located(path, home.course, place, name, without_suffix(PurePosixPath(name).parts[0]), "")


def course_at(folder: Path) -> Path:
    """Return the root of the course that a folder belongs to; ConfigError if it belongs to none."""
    root = root_of(folder)
    if root is None:
        raise ConfigError(f"{folder} is not a course folder: it has no foldem.toml")
    return root


def root_of(folder: Path) -> Path | None:
    """Return the course folder that a folder belongs to, None if it belongs to none."""
    file = course_file(folder)
    return file.parent if file else None


def course_of(root: Path | None) -> str:
    """Return the name of a course: that of its folder, as nbgrader has it."""
    return shown_name(root.name) if root else ""


def readable(path: Path | PurePosixPath) -> str:
    """Return a path as a text that can be stored, whatever bytes it is made of."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _given(whole: Path, name: str) -> Path:
    """Return from where on a file was found under a name; from its `submitted/` on, where that is in one."""
    given = Path(whole.anchor, *whole.parts[: -len(PurePosixPath(name).parts)])
    return next((place.parent for place in (given, *given.parents) if place.name == SUBMITTED), given)


def _under_submitted(path: Path, *roots: Path) -> PurePosixPath | None:
    """Return where a hand-in lies in `submitted/`: the course's, or what was named; others may be a student's own."""
    folders = (root / SUBMITTED for root in roots)
    below = next((path.relative_to(folder) for folder in folders if path.is_relative_to(folder)), None)
    return PurePosixPath(below) if below and len(below.parts) > 1 else None


def _root(place: str, name: str) -> str:
    """Return the folder that a name was found under, "" if it cannot be told."""
    stem = without_suffix(place)
    return stem.removesuffix(name) if stem.endswith(f"/{name}") else ""


def _widest(name: str, place: str, known: str | None, roots: list[str]) -> str:
    """Return the longest of the names that a file has: as it was found, as it is known, as its neighbours are named."""
    beside = [without_suffix(place).removeprefix(root) for root in roots if place.startswith(root)]
    return max([name, *beside[:1], *filter(None, [known])], key=lambda each: (each.count("/"), each == known))
