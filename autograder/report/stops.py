"""Why nothing that came of an answer can be laid beside what was expected, as values; `words.py` has the sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from autograder.sandbox.told import Broken, CodeLine, Ending, Unloaded


@dataclass(frozen=True)
class NotRun:
    """The process had ended before; `name` is told where there is nothing else to tell whose it was."""

    name: str = ""


@dataclass(frozen=True)
class OverBudget:
    """The submission has used up its time."""


@dataclass(frozen=True)
class Died:
    """The process of an exercise's answer ended, in no single call that could be named if it was in `many`."""

    name: str
    ending: Ending
    many: bool = False


@dataclass(frozen=True)
class Hidden:
    """Details are hidden: the code on this line could read the reference of an exercise that is not solved."""

    code: str
    place: CodeLine
    reference: str


@dataclass(frozen=True)
class NoObservation:
    """The process sent nothing that is one."""


@dataclass(frozen=True)
class AllRaised:
    """Of calls that are judged together the first without a value: what it raised, or by which limit it was broken."""

    name: str
    error: str = ""
    limit: str = ""


@dataclass(frozen=True)
class Refused:
    """What an author's own judge says of it."""

    reason: str
    name: str = ""


@dataclass(frozen=True)
class NoOutcome:
    """The judge of a run among the learner's functions could make nothing of it, and raised this."""

    error: str


@dataclass(frozen=True)
class Unjudged:
    """The judge of all the calls together could make nothing of them, and raised this."""

    name: str
    error: str


@dataclass(frozen=True)
class ContestLost:
    """A contest was lost: how many deals were won and lost of how many, and how likely that is by chance."""

    name: str
    goal: str
    won: int
    lost: int
    deals: int
    p_value: float


@dataclass(frozen=True)
class BotFoul:
    """A bot broke a rule of the game: the question with what it was to look at, as code, and the rule."""

    name: str
    question: str
    view: str
    reason: str


@dataclass(frozen=True)
class BotLost:
    """A bot's process was lost, or has used up the time of its submission (None)."""

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
    """A call gave something that is too large to be looked at."""


@dataclass(frozen=True)
class NoValue:
    """A call gave something that is no value of the course."""


Deed: TypeAlias = Ending | Broken | Oversized | NoValue
