"""What a child did, as values: how it ended, and the exception that it reports (not trusted)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from course.exam.observing import FAULTS

LAST_LINE = 1_000_000
BY_FORCE, OVER_TIME = 9, 24  # SIGKILL and SIGXCPU, which Windows has no names for


@dataclass(frozen=True)
class Exited:
    """It ended by itself, with an exit status."""

    status: int


@dataclass(frozen=True)
class Killed:
    """A signal ended it."""

    signal: int


@dataclass(frozen=True)
class OutOfTime:
    """It used up its CPU time, in seconds."""

    seconds: int


@dataclass(frozen=True)
class TooSlow:
    """It used up its wall-clock time."""

    seconds: float


@dataclass(frozen=True)
class TooLoud:
    """It sent more than it may."""

    megabytes: int


Ending: TypeAlias = Exited | Killed | OutOfTime | TooSlow | TooLoud


def ending_of(died_of: int | None, status: int | None, used: float, allowed: int) -> Ending:
    """Return how a child ended, from its signal or status, if it used so many of the `allowed` CPU seconds.

    >>> ending_of(None, 3, 0.1, 10), ending_of(9, None, 0.1, 10), ending_of(9, None, 9.9, 10)
    (Exited(status=3), Killed(signal=9), OutOfTime(seconds=10))
    """
    if died_of is None:
        return Exited(status or 0)
    outlived = died_of == BY_FORCE and used > 0.8 * allowed
    return OutOfTime(allowed) if outlived or died_of == OVER_TIME else Killed(died_of)


@dataclass(frozen=True)
class CodeLine:
    """A line of a submission: the label of its cell (an exercise's name, or `cell_3`), and the number."""

    label: str
    line: int


@dataclass(frozen=True)
class Raised:
    """An exception: the name of its class, its message, and the learner's innermost line."""

    name: str
    text: str = ""
    place: CodeLine | None = None


@dataclass(frozen=True)
class Broken:
    """A call that reached a limit."""

    limit: str


Story: TypeAlias = Raised | Broken


@dataclass(frozen=True)
class Unloaded:
    """A definition that a child could not load: its label ("" for none), and the error (None if unreadable)."""

    label: str
    story: Story | None


def story_of(data: Any) -> Story | None:
    """Return an exception as a child reports it; None if no honest child reports that."""
    match data:
        case {"limit": str(limit)} if limit in FAULTS.values():
            return Broken(limit)
        case {"raised": str(name), "text": str(text), "place": None}:
            return Raised(name, text)
        case {"raised": str(name), "text": str(text), "place": [str(label), int(line)]} if 0 < line < LAST_LINE:
            return Raised(name, text, CodeLine(label, line))
    return None
