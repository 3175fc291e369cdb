"""`foldem forget`: delete everything that is stored about a student, or copy it."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Container, Mapping
from contextlib import nullcontext
from itertools import chain, count
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import typer

from autograder.commands.chosen import chosen_catalogue
from autograder.commands.options import ForgetOptions
from autograder.config import ConfigError
from autograder.term.collected import COLLECTED
from autograder.term.course import Course, read_course
from autograder.term.files import alone_in, as_folder_name, atomic_bytes
from autograder.term.personal import Holding, holdings_of
from autograder.text import shown_name

DONE, NOTHING_DELETED = 0, 2


def run(options: ForgetOptions) -> int:
    """List what is stored about a student, ask, and delete it; or copy it."""
    course = read_course(options.course, chosen_catalogue(None, options.course))
    if options.copy:
        copy(course, options, options.copy)
        return DONE
    with alone_in(course.root / COLLECTED) if course.root else nullcontext():
        holdings = ensure_holdings(course, options)
        student = course.roster.get(options.student)
        print(f"Stored about {shown_name(f'{student.id} ({student.name})' if student else options.student)}:")
        for holding in holdings:
            print(f"  {shown_name(holding.label)}")
        if not options.yes and not _is_confirmed():
            print("Nothing was deleted.")
            return NOTHING_DELETED
        for holding in holdings:
            holding.delete()
    where = shlex.quote(shown_name(str(course.root or "the submissions")))
    print(f"Deleted. To write the reports of the others again: foldem grade {where} --out reports")
    print("Not searched: downloads, backups, your notes, and the files of other students.")
    return DONE


def _is_confirmed() -> bool:
    if not sys.stdin.isatty():
        raise ConfigError("there is no terminal to ask you in: to delete all of this, add --yes")
    return typer.confirm("Delete all of this?")


def ensure_holdings(course: Course, options: ForgetOptions) -> list[Holding]:
    """Return what is stored about a student. Raises ConfigError if there is nothing, or for an impossible id."""
    outs = options.reports or ()
    if not options.student or as_folder_name(options.student) != options.student:
        raise ConfigError(f"{options.student!r} cannot be a student's id")
    if missing := [out for out in outs if not out.is_dir()]:
        raise ConfigError(f"there is no folder {missing[0]}")
    if not (holdings := holdings_of(course, options.student, options.store, outs)):
        known = f": {course.root} does not know this id" if course.root else ", and this is not a course folder"
        raise ConfigError(f"nothing is stored about {options.student}{known}")
    return holdings


def copy(course: Course, options: ForgetOptions, target: Path) -> None:
    """Write a zip with everything that is stored about a student. Raises ConfigError if it exists."""
    if target.exists():
        raise ConfigError(f"{target} exists already: name a new file")
    contents = dict[str, bytes]()
    for holding in ensure_holdings(course, options):
        for name, content in holding.copies():
            contents[_name_in_zip(name, contents)] = content
    write_zip(target, contents)
    print(f"wrote  {target}")


def write_zip(path: Path, contents: Mapping[str, str | bytes]) -> None:
    """Write a reproducible zip; the keys are paths in it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_bytes(path) as file, ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)


def _name_in_zip(name: str, taken: Container[str]) -> str:
    """Return a free name that leads to no other folder on any system."""
    safe = name.replace("\\", "_")
    names = chain([safe], (f"{number}/{safe}" for number in count(2)))
    return next(each for each in names if each not in taken)
