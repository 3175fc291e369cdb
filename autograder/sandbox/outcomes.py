"""The results of a child, as values: how it ended, and the exception that it reported. These values are not trusted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from course.diagnoses.failure import InnerCall
from course.exam.observing import FAULTS, MOST_RECEIVED

LAST_LINE, LONGEST_KIND = 1_000_000, 100
BY_FORCE, OVER_TIME = 9, 24  # SIGKILL and SIGXCPU, which have no names on Windows


@dataclass(frozen=True)
class Exited:
    """The end of a child that exited by itself, with this exit status."""

    status: int


@dataclass(frozen=True)
class Killed:
    """The end of a child that a signal killed."""

    signal: int


@dataclass(frozen=True)
class OutOfTime:
    """The child used up its CPU time, in seconds."""

    seconds: int


@dataclass(frozen=True)
class TooSlow:
    """The child used up its wall-clock time."""

    seconds: float


@dataclass(frozen=True)
class TooLoud:
    """The end of a child that sent more than is allowed."""

    megabytes: int


ChildExit: TypeAlias = Exited | Killed | OutOfTime | TooSlow | TooLoud


def exit_of(died_of: int | None, status: int | None, used: float, allowed: int) -> ChildExit:
    """Return how a child ended, given its signal or status, and the CPU time that it used.

    >>> exit_of(None, 3, 0.1, 10), exit_of(9, None, 0.1, 10), exit_of(9, None, 9.9, 10)
    (Exited(status=3), Killed(signal=9), OutOfTime(seconds=10))
    """
    if died_of is None:
        return Exited(status or 0)
    outlived = died_of == BY_FORCE and used > 0.8 * allowed
    return OutOfTime(allowed) if outlived or died_of == OVER_TIME else Killed(died_of)


@dataclass(frozen=True)
class CodeLine:
    """A line of a submission: the label of its cell (an exercise's name, or `cell_3`), and its number."""

    label: str
    line: int


@dataclass(frozen=True)
class Raised:
    """An exception: the name of its class, its message, the learner's innermost line, and the call on that line."""

    name: str
    text: str = ""
    place: CodeLine | None = None
    inside: InnerCall | None = None


@dataclass(frozen=True)
class Broken:
    """A call that reached a limit."""

    limit: str


ChildError: TypeAlias = Raised | Broken


@dataclass(frozen=True)
class Unloaded:
    """A definition that a child could not load: its label ("" if unknown), and the error (None if unreadable)."""

    label: str
    error: ChildError | None


def child_error(data: object) -> ChildError | None:
    """Return an exception from a child's report, or None if the report is malformed."""
    match data:
        case {"limit": str(limit)} if limit in FAULTS.values():
            return Broken(limit)
        case {"raised": str(name), "text": str(text), "place": None}:
            return Raised(name, text)
        case {"raised": str(name), "text": str(text), "place": [str(label), int(line)]} if 0 < line < LAST_LINE:
            return Raised(name, text, CodeLine(label, line), _inner_call(data))
    return None


def _inner_call(data: object) -> InnerCall | None:
    """Return the call of a function with the kinds of its arguments; None if the report has none or is malformed."""
    match data:
        case {"inside": [str(name), [*kinds]]} if name.isidentifier() and len(kinds) <= MOST_RECEIVED:
            texts = [kind for kind in kinds if isinstance(kind, str) and _is_kind(kind)]
            return InnerCall(name, tuple(texts)) if len(texts) == len(kinds) else None
    return None


def _is_kind(text: str) -> bool:
    return len(text) < LONGEST_KIND and re.fullmatch(r"\w+(\[\w+\])?", text) is not None
