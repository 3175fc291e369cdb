"""Reasons why a file, an exercise or a call has no result that can be judged; their sentences are in `words.py`."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from autograder.sandbox.cage import SandboxDied
from autograder.sandbox.inside.tickers import IGNORED_THE_LIMIT
from autograder.sandbox.outcomes import Broken, ChildError, ChildExit, CodeLine, Exited, Unloaded
from course.diagnoses.failure import OTHER, SLOW, Failure, FailureKind
from course.diagnoses.obstacle import (
    NAMES_ROOM,
    Flaw,
    Missing,
    Obstacle,
    Undefined,
    Unparsed,
    Unwritten,
)
from course.exam.readable import from_inside, printable


class BadFile(Struct, frozen=True, tag=True):
    """A file that cannot be graded, with the message of the error."""

    message: str


class NoNotebook(Struct, frozen=True, tag=True):
    """A folder without a notebook that has the check of an exercise."""

    name: str
    folder: str


class NotInUnit(Struct, frozen=True, tag=True):
    """An exercise that is not part of the graded unit."""


class LeftToNbgrader(Struct, frozen=True, tag=True):
    """A cell that nbgrader grades, and for which it has no mark yet."""


class Outdated(Struct, frozen=True, tag=True):
    """A stored report of an older version of Foldem, which cannot be read any more."""


class SandboxFault(Struct, frozen=True, tag=True):
    """A fault of the sandbox."""

    text: str


class GraderFault(Struct, frozen=True, tag=True):
    """An exception of the grader: its class and its message."""

    error: str
    text: str


def fault_of(error: Exception) -> GraderFault | SandboxFault:
    """Return why something could not be graded, from an exception of the grader."""
    if isinstance(error, SandboxDied):
        return SandboxFault(printable(str(error)))
    return GraderFault(type(error).__name__, from_inside(error))


class NoAnswer(Struct, frozen=True, tag=True):
    """An exercise's cell that cannot be run: it is missing, not written, has a flaw, or defines only other names."""

    name: str
    is_missing: bool = False
    flaw: Flaw | None = None
    defines: tuple[str, ...] | None = None

    @property
    def obstacle(self) -> Obstacle:
        """Return the obstacle that this value describes."""
        if self.flaw:
            return Unparsed(self.flaw)
        if self.defines is not None:
            return Undefined(self.defines)
        return Missing() if self.is_missing else Unwritten()


def unanswered(name: str, obstacle: Obstacle) -> NoAnswer:
    """Return an obstacle as part of a report, which shows neither the cell's source nor more than a few names."""
    match obstacle:
        case Unparsed(flaw):
            return NoAnswer(name, flaw=flaw)
        case Undefined(defines):
            return NoAnswer(name, defines=tuple(each[:NAMES_ROOM] for each in defines[:NAMES_ROOM]))
    return NoAnswer(name, is_missing=isinstance(obstacle, Missing))


class NotLoaded(Struct, frozen=True, tag=True):
    """An answer whose cell could not be run: an exception, or the end of its process."""

    trouble: ChildError | ChildExit


class NotRun(Struct, frozen=True, tag=True):
    """A call that was not run, because the process had already ended.

    `name` identifies the call, if nothing else does.
    """

    name: str = ""


class OverBudget(Struct, frozen=True, tag=True):
    """A reason to stop: the submission has used up its time."""


class Died(Struct, frozen=True, tag=True):
    """A reason to stop: an answer's process ended. It is unknown during which call."""

    name: str
    child_exit: ChildExit


class NotAllowed(Struct, frozen=True, tag=True):
    """An answer that was not run: this line could read the reference of an exercise that the student has not solved."""

    code: str
    place: CodeLine
    reference: str


class Forbidden(Struct, frozen=True, tag=True):
    """An answer that was not run, because it breaks a rule of form that decides: the reason."""

    why: str


class WithheldValue(Struct, frozen=True, tag=True):
    """A facet fails with the reference of an exercise that the student has not solved, so details are not shown yet."""

    reference: str


class HiddenCalls(Struct, frozen=True, tag=True):
    """A facet in which all published calls are right, but some secret calls are wrong."""


class NoObservation(Struct, frozen=True, tag=True):
    """The process sent an invalid observation."""


class AllRaised(Struct, frozen=True, tag=True):
    """Calls that are judged together returned no value: the first call's exception, or the limit that it exceeded."""

    name: str
    error: str = ""
    limit: str = ""


class Refused(Struct, frozen=True, tag=True):
    """A result that a unit's own judging function refuses, with its message."""

    reason: str
    name: str = ""


class Unjudged(Struct, frozen=True, tag=True):
    """A fault: a unit's own judge raised this exception. `name` is the exercise if all calls were judged together."""

    error: str
    name: str = ""


class ContestLost(Struct, frozen=True, tag=True):
    """A lost contest: the numbers of pairs of sets won and lost, and of all pairs, and the share of the sets won."""

    name: str
    goal: str
    won: int
    lost: int
    deals: int
    share: float


class TooLate(Struct, frozen=True, tag=True):
    """A bot's answer that took longer than these seconds."""

    seconds: float


class InvalidAnswer(Struct, frozen=True, tag=True):
    """A message that is no answer to a question."""


BotFault: TypeAlias = ChildExit | Unloaded | ChildError | TooLate | InvalidAnswer


class BotFoul(Struct, frozen=True, tag=True):
    """A bot broke a rule of the game, or gave no answer: the call of its function, as code, and the reason."""

    code: str
    reason: BotFault | str


class BotLost(Struct, frozen=True, tag=True):
    """A reason to stop: a bot's process ended, or used up the time of its submission (None)."""

    name: str
    loss: ChildExit | Unloaded | None


class Oversized(Struct, frozen=True, tag=True):
    """A result that is too large to inspect."""


class NoValue(Struct, frozen=True, tag=True):
    """A result of a type that the course does not use."""


class NotReturned(Struct, frozen=True, tag=True):
    """A call without a value: what happened instead."""

    effect: ChildExit | Broken | Oversized | NoValue


Stop: TypeAlias = (
    BadFile
    | NoNotebook
    | NotInUnit
    | LeftToNbgrader
    | Outdated
    | SandboxFault
    | GraderFault
    | NoAnswer
    | NotLoaded
    | NotReturned
    | NotRun
    | OverBudget
    | Died
    | NotAllowed
    | Forbidden
    | WithheldValue
    | HiddenCalls
    | NoObservation
    | AllRaised
    | Refused
    | Unjudged
    | ContestLost
    | BotFoul
    | BotLost
)


SLOW_ENDS: tuple[ChildError | ChildExit, ...] = (Broken("time"), Exited(IGNORED_THE_LIMIT))


class FailedCall(Struct, frozen=True):
    """A call that failed: its data, and if it has no value that can be judged, the reason."""

    failure: Failure
    stop: Stop | None = None


def stopped(stop: Stop) -> FailedCall:
    """Return a failed call for a stop. It is unknown which call failed."""
    return FailedCall(Failure(did=did_of(stop)), stop)


def did_of(stop: Stop) -> FailureKind:
    """Return the kind of failure for a stop: the call took too long, or anything else."""
    match stop:
        case Died(child_exit=effect) | NotReturned(effect) if effect in SLOW_ENDS:
            return SLOW
        case AllRaised(limit="time"):
            return SLOW
    return OTHER
