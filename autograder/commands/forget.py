"""`foldem forget`: delete everything that is stored about a student."""

from __future__ import annotations

import sys
from contextlib import nullcontext

import typer

from autograder.commands.chosen import chosen_catalogue
from autograder.commands.options import ForgetOptions, StudentOptions
from autograder.config import ConfigError
from autograder.term.collected import COLLECTED
from autograder.term.course import Course, read_course
from autograder.term.files import alone_in, as_folder_name
from autograder.term.identity import Identity
from autograder.term.personal import Holding, holdings_of, identity_of, traces
from autograder.text import shown_name

ALL_DELETED, TRACES_LEFT, NOTHING_DELETED = 0, 1, 2


def run(options: ForgetOptions) -> int:
    """List what is stored about a student, ask, delete it, and name the files that still mention the student."""
    course = read_course(options.course, chosen_catalogue(None, options.course))
    identity = demand_identity(course, options)
    with alone_in(course.root / COLLECTED) if course.root else nullcontext():
        holdings = demand_holdings(course, identity, options)
        print(f"Stored about {_name_of(identity)}:")
        for holding in holdings:
            print(f"  {shown_name(holding.label)}")
        if not options.yes and not _is_confirmed():
            print("Nothing was deleted.")
            return NOTHING_DELETED
        for holding in holdings:
            holding.delete()
    where = shown_name(str(course.root or "the hand-ins"))
    print(f"Deleted. To write the reports of the others again: foldem grade {where} --out reports")
    return _remaining(course, identity, options)


def _remaining(course: Course, identity: Identity, options: ForgetOptions) -> int:
    """Name the files that still mention a student, and return the exit status."""
    left = list(traces(course, identity, options.reports or ()))
    for path in left:
        still = f"{shown_name(str(path))} still mentions {_name_of(identity)}"
        print(f"foldem: {still}: check this file yourself", file=sys.stderr)
    return TRACES_LEFT if left else ALL_DELETED


def _is_confirmed() -> bool:
    if not sys.stdin.isatty():
        raise ConfigError("there is no terminal to ask you in: to delete all of this, add --yes")
    return typer.confirm("Delete all of this?")


def demand_identity(course: Course, options: StudentOptions) -> Identity:
    """Return who a student is. Raises ConfigError if the id cannot be one."""
    if not options.student or as_folder_name(options.student) != options.student:
        raise ConfigError(f"{options.student!r} cannot be a student's id")
    return identity_of(course, options.student, options.store, options.reports or ())


def demand_holdings(course: Course, identity: Identity, options: StudentOptions) -> list[Holding]:
    """Return what is stored about a student. Raises ConfigError if nothing is stored."""
    outs = options.reports or ()
    if missing := [out for out in outs if not out.is_dir()]:
        raise ConfigError(f"there is no folder {missing[0]}")
    if not (holdings := list(holdings_of(course, identity, options.store, outs))):
        known = f": {course.root} does not know this id" if course.root else ", and this is not a course folder"
        raise ConfigError(f"nothing is stored about {options.student}{known}")
    return holdings


def _name_of(identity: Identity) -> str:
    student = identity.student
    return shown_name(f"{student.id} ({student.name})" if student.name else student.id)
