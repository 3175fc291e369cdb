"""Reasons why a file, an exercise or a call has no result that can be judged.

`words.py` turns these reasons into sentences.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from autograder.sandbox.cage import ChildError, ChildExit, CodeLine, Exited, FailedDefinition, LimitReached, SandboxDied
from autograder.sandbox.inside.tickers import IGNORED_LIMIT_STATUS
from course.diagnoses.failure import OTHER, SLOW, Failure, FailureKind
from course.diagnoses.obstacle import (
    OTHER_NAMES_WIDTH,
    Flaw,
    MissingCell,
    Obstacle,
    UndefinedName,
    UnparsedCell,
    UnwrittenExercise,
)
from course.exam.readable import line_without_folders, printable_text


class BadFile(Struct, frozen=True, tag=True):
    """A file that cannot be graded, with an error message."""

    message: str


class NoNotebook(Struct, frozen=True, tag=True):
    """A folder in which no notebook has the check cell of an exercise."""

    name: str
    folder: str


class NotInUnit(Struct, frozen=True, tag=True):
    """An exercise that is not part of the graded unit."""


class LeftToNbgrader(Struct, frozen=True, tag=True):
    """A cell that nbgrader grades, but has not marked yet."""


class Outdated(Struct, frozen=True, tag=True):
    """A stored report of an older version of Foldem, which this version cannot read."""


class SandboxFault(Struct, frozen=True, tag=True):
    """A failure of the sandbox, which is not the fault of an answer."""

    text: str


class GraderFault(Struct, frozen=True, tag=True):
    """An exception in the grader, with its class and its message."""

    error: str
    text: str


def fault_of(error: Exception) -> GraderFault | SandboxFault:
    """Return an exception in the grader as a reason why a file or an exercise could not be graded."""
    if isinstance(error, SandboxDied):
        return SandboxFault(printable_text(str(error)))
    return GraderFault(type(error).__name__, line_without_folders(error))


class NoAnswer(Struct, frozen=True, tag=True):
    """An exercise without an answer to run.

    The exercise's cell is missing or unwritten, has a flaw, or defines only other names.
    """

    name: str
    is_missing: bool = False
    flaw: Flaw | None = None
    defines: tuple[str, ...] | None = None

    @property
    def obstacle(self) -> Obstacle:
        """Return this reason as an `Obstacle`."""
        if self.flaw:
            return UnparsedCell(self.flaw)
        if self.defines is not None:
            return UndefinedName(self.defines)
        return MissingCell() if self.is_missing else UnwrittenExercise()


def no_answer_for(name: str, obstacle: Obstacle) -> NoAnswer:
    """Return the `NoAnswer` that describes an obstacle in reports.

    The `NoAnswer` contains no source code, and only a few of the names that a cell defines.
    """
    match obstacle:
        case UnparsedCell(flaw):
            return NoAnswer(name, flaw=flaw)
        case UndefinedName(defines):
            return NoAnswer(name, defines=tuple(each[:OTHER_NAMES_WIDTH] for each in defines[:OTHER_NAMES_WIDTH]))
    return NoAnswer(name, is_missing=isinstance(obstacle, MissingCell))


class NotLoaded(Struct, frozen=True, tag=True):
    """An answer whose cell failed: it raised an exception, or its process ended."""

    trouble: ChildError | ChildExit


class NotRun(Struct, frozen=True, tag=True):
    """A call that was not run, because the process had already ended.

    `name` is the exercise, or "" if the report names the exercise anyway.
    """

    name: str = ""


class OverBudget(Struct, frozen=True, tag=True):
    """A reason to stop: the time for the submission is used up."""


class Died(Struct, frozen=True, tag=True):
    """A reason to stop: the process of an answer ended. It is unknown which call ended the process."""

    name: str
    child_exit: ChildExit


class NotAllowed(Struct, frozen=True, tag=True):
    """An answer that was not run, because one of its lines could read a reference.

    The reference belongs to an exercise that the student has not solved.
    """

    code: str
    place: CodeLine
    reference: str


class Forbidden(Struct, frozen=True, tag=True):
    """An answer that was not run, because it breaks a mandatory rule of form. `why` is the reason."""

    why: str


class WithheldValue(Struct, frozen=True, tag=True):
    """A facet that fails in a run with a reference whose exercise the student has not solved.

    The details of the failure stay secret, because they could reveal the reference.
    """

    reference: str


class HiddenCalls(Struct, frozen=True, tag=True):
    """A facet with right results for all published calls, but with wrong results for some secret calls."""


class NoObservation(Struct, frozen=True, tag=True):
    """A message that an answer's process sent, and that is not a valid observation."""


class AllRaised(Struct, frozen=True, tag=True):
    """Calls that are judged together, none of which returned a value.

    Either `error` is the exception that the first call raised, or `limit` is the limit that the first call reached.
    """

    name: str
    error: str = ""
    limit: str = ""


class Refused(Struct, frozen=True, tag=True):
    """A result that the unit's own judge refuses. `reason` is the judge's message."""

    reason: str
    name: str = ""


class Unjudged(Struct, frozen=True, tag=True):
    """A result that could not be judged, because the unit's own judge raised the exception `error`.

    If all calls were judged together, `name` is the name of the exercise.
    """

    error: str
    name: str = ""


class ContestLost(Struct, frozen=True, tag=True):
    """A contest that a bot lost.

    `won` and `lost` count pairs of sets, `deals` is the number of all pairs, and `share` is the share of sets that the
    bot won.
    """

    name: str
    goal: str
    won: int
    lost: int
    deals: int
    share: float


class TooLate(Struct, frozen=True, tag=True):
    """A bot's answer that took longer than `seconds`."""

    seconds: float


class InvalidAnswer(Struct, frozen=True, tag=True):
    """A bot's message that is not an answer to the question."""


BotFault: TypeAlias = ChildExit | FailedDefinition | ChildError | TooLate | InvalidAnswer


class BotFoul(Struct, frozen=True, tag=True):
    """A foul: a bot broke a rule of the game, or did not answer. `code` shows the call of the bot's function."""

    code: str
    reason: BotFault | str


class BotLost(Struct, frozen=True, tag=True):
    """A reason to stop: a bot's process ended.

    If `loss` is None, the reason is that the time for the bot's submission is used up.
    """

    name: str
    loss: ChildExit | FailedDefinition | None


class Oversized(Struct, frozen=True, tag=True):
    """A result that is too large to inspect."""


class NoValue(Struct, frozen=True, tag=True):
    """A result of a type that the unit does not use."""


class NotReturned(Struct, frozen=True, tag=True):
    """A call that returned no value. `effect` is what the call did instead of returning a value."""

    effect: ChildExit | LimitReached | Oversized | NoValue


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


SLOW_OUTCOMES: tuple[ChildError | ChildExit, ...] = (LimitReached("time"), Exited(IGNORED_LIMIT_STATUS))


class FailedCall(Struct, frozen=True):
    """A call that failed. If the call has no value that can be judged, `stop` says why."""

    failure: Failure
    stop: Stop | None = None


def failed_call_for(stop: Stop) -> FailedCall:
    """Wrap a reason to stop in a `FailedCall`. The call itself is unknown."""
    return FailedCall(Failure(did=failure_kind_for(stop)), stop)


def failure_kind_for(stop: Stop) -> FailureKind:
    """Return the kind of failure for a reason to stop.

    The kind is `SLOW` if a call took too long, and otherwise `OTHER`.
    """
    match stop:
        case Died(child_exit=effect) | NotReturned(effect) if effect in SLOW_OUTCOMES:
            return SLOW
        case AllRaised(limit="time"):
            return SLOW
    return OTHER
