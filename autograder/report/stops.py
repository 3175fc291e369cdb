"""Reasons why an answer's results cannot be compared, as values; `words.py` has the sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from autograder.sandbox.told import Broken, CodeLine, Ending, Unloaded


@dataclass(frozen=True)
class NotRun:
    """The process had ended before; `name` is shown if nothing else identifies the call."""

    name: str = ""


@dataclass(frozen=True)
class OverBudget:
    """The submission has used up its time."""


@dataclass(frozen=True)
class Died:
    """The process of an answer ended, in a call that is unknown if it was one of `many`."""

    name: str
    ending: Ending
    many: bool = False


@dataclass(frozen=True)
class Hidden:
    """Details are hidden, because the code on this line could read the reference answer of an unsolved exercise."""

    code: str
    place: CodeLine
    reference: str


@dataclass(frozen=True)
class NoObservation:
    """The process sent an invalid observation."""


@dataclass(frozen=True)
class AllRaised:
    """The first of several calls judged together that has no value: its exception, or the limit it broke."""

    name: str
    error: str = ""
    limit: str = ""


@dataclass(frozen=True)
class Refused:
    """The message of an author's own judge."""

    reason: str
    name: str = ""


@dataclass(frozen=True)
class NoOutcome:
    """The judge of the learner's own functions raised this exception."""

    error: str


@dataclass(frozen=True)
class Unjudged:
    """The judge of all calls together raised this exception."""

    name: str
    error: str


@dataclass(frozen=True)
class ContestLost:
    """A lost contest: deals won, lost and shared, and the p-value."""

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
    """A bot's process died, or used up the time of its submission (None)."""

    name: str
    loss: Ending | Unloaded | None


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
    """A call returned something too large to inspect."""


@dataclass(frozen=True)
class NoValue:
    """A call returned something that is no value of the course."""


Deed: TypeAlias = Ending | Broken | Oversized | NoValue
