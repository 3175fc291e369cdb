"""The results of a child process, as values: how it ended, and the exception that it reported.

The values are not trusted.
"""

from __future__ import annotations

import re

from msgspec import Struct

from course.diagnoses.failure import InnerCall
from course.exam.observation import is_name
from course.exam.observing import FAULTS
from course.exam.readable import from_inside
from course.limits import LARGEST_CELL, MOST_RECEIVED

KIND_NAME = re.compile(r"\w{1,50}(\[\w{1,50}\])?")
FILE = "file"  # the label of a file without cells
BY_FORCE, OVER_TIME = 9, 24  # SIGKILL and SIGXCPU, which have no names on Windows


class Exited(Struct, frozen=True, tag=True):
    """The end of a child that exited by itself, with this exit status."""

    status: int


class Killed(Struct, frozen=True, tag=True):
    """The end of a child that a signal killed."""

    signal: int


class TooSlow(Struct, frozen=True, tag=True):
    """The end of a child that used up its time, in seconds."""

    seconds: float


class TooLoud(Struct, frozen=True, tag=True):
    """The end of a child that sent more data than is allowed."""

    megabytes: int


BROKEN_OFF = Exited(1)
ChildExit = Exited | Killed | TooSlow | TooLoud


def exit_of(died_of: int | None, status: int | None, used: float, allowed: int) -> ChildExit:
    """Return how a child ended, from its signal or exit status, and from the CPU time that it used.

    When a child closes its channel, it may end by itself or be killed first. Both count as the same end.

    >>> exit_of(None, 3, 0.1, 10), exit_of(9, None, 0.1, 10), exit_of(9, None, 9.9, 10)
    (Exited(status=3), Exited(status=1), TooSlow(seconds=10))
    """
    if died_of is None:
        return Exited(status or 0)
    if died_of == OVER_TIME or (died_of == BY_FORCE and used > 0.8 * allowed):
        return TooSlow(allowed)
    return BROKEN_OFF if died_of == BY_FORCE else Killed(died_of)


class CodeLine(Struct, frozen=True, tag=True):
    """A line of a submission: the label of its cell (an exercise's name, or `cell_3`), and the line's number."""

    label: str
    line: int


class Raised(Struct, frozen=True, tag=True):
    """An exception: the name of its class, its message, the learner's line that raised it, and the call there."""

    name: str
    text: str = ""
    place: CodeLine | None = None
    inside: InnerCall | None = None


class Broken(Struct, frozen=True, tag=True):
    """The outcome of a call that reached a limit, such as its time."""

    limit: str


ChildError = Raised | Broken


class Unloaded(Struct, frozen=True, tag=True):
    """A definition that a child could not load: its label ("" if unknown), and the error (None if unreadable)."""

    label: str
    error: ChildError | None


def child_error(data: object) -> ChildError | None:
    """Return the exception that a child reports, with its message as one line, or None if the report is malformed."""
    match data:
        case {"limit": str(limit)} if limit in FAULTS.values():
            return Broken(limit)
        case {"raised": str(name), "text": str(text), "place": None}:
            return Raised(from_inside(name), from_inside(text))
        case {"raised": str(name), "text": str(text), "place": [str(label), line]} if (
            type(line) is int and 0 < line <= LARGEST_CELL  # a report with `true` could not be read again
        ):
            where = CodeLine(from_inside(label, 60), line)
            return Raised(from_inside(name), from_inside(text), where, _inner_call(data))
    return None


def _inner_call(data: object) -> InnerCall | None:
    """Return the call of a function with the kinds of its arguments; None if the report has none or is malformed."""
    match data:
        case {"inside": [str(name), [*kinds]]} if is_name(name) and len(kinds) <= MOST_RECEIVED:
            texts = [kind for kind in kinds if isinstance(kind, str) and KIND_NAME.fullmatch(kind)]
            return InnerCall(name, tuple(texts)) if name.isidentifier() and len(texts) == len(kinds) else None
    return None
