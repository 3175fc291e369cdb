"""Reasons why an answer's results cannot be compared, as values; their sentences are in `words.py`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from autograder.sandbox.outcomes import Broken, ChildExit, CodeLine, Unloaded


@dataclass(frozen=True)
class NotRun:
    """A call that was not run, because the process had already ended.

    `name` identifies the call, if nothing else does.
    """

    name: str = ""


@dataclass(frozen=True)
class OverBudget:
    """A reason to stop: the submission has used up its time."""


@dataclass(frozen=True)
class Died:
    """A reason to stop: an answer's process ended. If it had `many` calls, it is unknown during which one."""

    name: str
    child_exit: ChildExit
    many: bool = False


@dataclass(frozen=True)
class Hidden:
    """A reason why details are hidden: this line could read the reference of an unsolved exercise."""

    code: str
    place: CodeLine
    reference: str


@dataclass(frozen=True)
class NoObservation:
    """The process sent an invalid observation."""


@dataclass(frozen=True)
class AllRaised:
    """Of several calls judged together, the first one without a value: its exception, or the limit that it exceeded."""

    name: str
    error: str = ""
    limit: str = ""


@dataclass(frozen=True)
class Refused:
    """The message of a judge that an author wrote."""

    reason: str
    name: str = ""


@dataclass(frozen=True)
class NoOutcome:
    """A fault: the judge of runs with the learner's own functions raised this exception."""

    error: str


@dataclass(frozen=True)
class Unjudged:
    """A fault: the judge of all calls together raised this exception."""

    name: str
    error: str


@dataclass(frozen=True)
class ContestLost:
    """A lost contest: the numbers of deals won, lost and drawn, and the p-value."""

    name: str
    goal: str
    won: int
    lost: int
    deals: int
    p_value: float


@dataclass(frozen=True)
class BotFoul:
    """A bot broke a rule of the game: the question, the view as code, and the rule."""

    name: str
    question: str
    view: str
    reason: str


@dataclass(frozen=True)
class BotLost:
    """A reason to stop: a bot's process ended, or used up the time of its submission (None)."""

    name: str
    loss: ChildExit | Unloaded | None


Stop: TypeAlias = (
    NotRun
    | OverBudget
    | Died
    | Hidden
    | NoObservation
    | AllRaised
    | Refused
    | NoOutcome
    | Unjudged
    | ContestLost
    | BotFoul
    | BotLost
)


@dataclass(frozen=True)
class Oversized:
    """A result that is too large to inspect."""


@dataclass(frozen=True)
class NoValue:
    """A result of a type that the course does not use."""


NotReturned: TypeAlias = ChildExit | Broken | Oversized | NoValue
