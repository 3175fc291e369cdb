"""`foldem forget` and `foldem takeout`: delete or copy everything that is stored about a student."""

from __future__ import annotations

import sys
from collections.abc import Container, Sequence
from contextlib import nullcontext
from itertools import chain, count
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import typer

from autograder.config import ConfigError
from autograder.term.archive import ZIP
from autograder.term.collected import alone_with
from autograder.term.course import Course
from autograder.term.files import as_folder_name, atomic_bytes
from autograder.term.identity import Identity
from autograder.term.personal import Holding, holdings_of, identity_of, traces
from autograder.text import shown_name

ALL_DELETED, TRACES_LEFT, NOTHING_DELETED = 0, 1, 2


def run_forget(course: Course, student: str, store: str | None, outs: Sequence[Path], is_sure: bool) -> int:
    """List what is stored about a student, ask, delete it, and name the files that still mention the student."""
    identity = _identity(course, student)
    with alone_with(course.root) if course.root else nullcontext():
        holdings = _demand_holdings(course, identity, store, outs)
        print(f"Stored about {_name_of(identity)}:")
        for holding in holdings:
            print(f"  {shown_name(holding.label)}")
        if not is_sure and not _is_confirmed():
            print("Nothing was deleted.")
            return NOTHING_DELETED
        for holding in holdings:
            holding.delete()
    print(f"Deleted. {_advice(course)}")
    return _remaining(course, identity, outs)


def _remaining(course: Course, identity: Identity, outs: Sequence[Path]) -> int:
    left = list(traces(course, identity, outs))
    for path in left:
        print(
            f"foldem: {shown_name(str(path))} still mentions {_name_of(identity)}: check this file yourself",
            file=sys.stderr,
        )
    return TRACES_LEFT if left else ALL_DELETED


def _is_confirmed() -> bool:
    if not sys.stdin.isatty():
        raise ConfigError("there is no terminal to ask you in: to delete all of this, add --yes")
    return typer.confirm("Delete all of this?")


def _advice(course: Course) -> str:
    where = course.root or "the hand-ins"
    return f"To write the reports of the others again: foldem grade {shown_name(str(where))} --out reports"


def take_out(course: Course, student: str, store: str | None, outs: Sequence[Path], path: Path | None) -> str:
    """Write a zip with everything that is stored about a student. Raises ConfigError if it exists."""
    target = path or Path(f"{student}-takeout{ZIP}")
    identity = _identity(course, student)
    if target.exists():
        raise ConfigError(f"{target} exists already: name a new file")
    holdings = _demand_holdings(course, identity, store, outs)
    contents = dict[str, bytes]()
    for name, content in (copy for holding in holdings for copy in holding.copies()):
        contents[_name_in_zip(name, contents)] = content
    with atomic_bytes(target) as file, ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)
    return f"wrote  {target}"


def _name_in_zip(name: str, taken: Container[str]) -> str:
    """Return a free name that leads to no other folder on any system."""
    safe = name.replace("\\", "_")
    names = chain([safe], (f"{number}/{safe}" for number in count(2)))
    return next(each for each in names if each not in taken)


def _identity(course: Course, student: str) -> Identity:
    """Return who a student is. Raises ConfigError if the id cannot be one."""
    if not student or as_folder_name(student) != student:
        raise ConfigError(f"{student!r} cannot be a student's id")
    return identity_of(course, student)


def _demand_holdings(course: Course, identity: Identity, store: str | None, outs: Sequence[Path]) -> list[Holding]:
    """Return what is stored about a student. Raises ConfigError if nothing is stored."""
    if missing := [out for out in outs if not out.is_dir()]:
        raise ConfigError(f"there is no folder {missing[0]}")
    if not (holdings := list(holdings_of(course, identity, store, outs))):
        known = f": {course.root} does not know this id" if course.root else ", and this is not a course folder"
        raise ConfigError(f"nothing is stored about {identity.student.id}{known}")
    return holdings


def _name_of(identity: Identity) -> str:
    student = identity.student
    return shown_name(f"{student.id} ({student.name})" if student.name else student.id)
