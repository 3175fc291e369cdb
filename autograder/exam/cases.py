"""Inputs of checks: what an exercise is called with, what is typed, and what rules in the place of chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from course.exam.calls import Chance
from course.exam.sealed import Judge
from course.exam.seen import Observation
from course.exam.standard import Iterated
from course.exam.wire import NamedFunction, Opaque

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from course.arena.tournament import Duel

__all__ = [
    "Case",
    "Check",
    "Contest",
    "Facets",
    "Iterated",
    "NamedFunction",
    "Observation",
    "Opaque",
    "Relation",
    "Whole",
    "by_seed",
    "case",
    "exercise",
]


@dataclass(frozen=True)
class Case:
    """One call: its arguments, the lines typed during it, and the script of chance (a seed, or the rolls).

    `keywords` are the arguments that are given by name, as pairs.
    """

    args: tuple[Any, ...]
    typed: tuple[str, ...] = ()
    chance: Chance = None
    keywords: tuple[tuple[str, Any], ...] = ()


def case(*args: Any, typed: tuple[str, ...] = (), chance: Chance = None, **keywords: Any) -> Case:
    """Return the case of a call with these arguments."""
    return Case(args, typed, chance, tuple(keywords.items()))


@dataclass(frozen=True)
class Whole:
    """A facet whose observations are judged together: `judge` gives None, or the reason to refuse them."""

    cases: tuple[Case, ...]
    judge: Judge


Facets: TypeAlias = Mapping[str, tuple[Case, ...] | Whole]
# How inputs are drawn: a strategy, or a function that gives it, which is called when they are.
Drawing: TypeAlias = "SearchStrategy[Any] | Callable[[], SearchStrategy[Any]]"
Relation: TypeAlias = Callable[[Case, Observation, Observation], str | None]


@dataclass(frozen=True)
class Contest:
    """So many deals against the reference `rival`, each with both seats; `is_won` by what the duel gave, or `goal`."""

    rival: str
    deals: int
    is_won: Callable[[Duel], bool]
    goal: str


@dataclass(frozen=True)
class Check:
    """What of an exercise's exam cannot be derived from its annotations.

    `cases` draws its inputs, of which there are `count`, by a strategy or a function that gives one; `facets` are
    special ones, by the rule that they stand for.
    `accepts` judges where several answers are right: of a case, what the reference was seen to do and what the answer
    was, it gives None, or the reason to refuse it; `invariant` does so for runs among the learner's own functions.
    Floats that differ by at most `tolerance` are equal; of a number above 1 it is the share that may be lost.
    `contests` are what an answer that is a bot has to win.
    """

    cases: Drawing | None = None
    count: int = 60
    facets: Facets = field(default_factory=dict)
    accepts: Relation | None = None
    invariant: Relation | None = None
    contests: Mapping[str, Contest] = field(default_factory=dict)
    tolerance: float = 0.0

    @property
    def has_one_answer(self) -> bool:
        """Return whether nothing is right but what the reference gives."""
        return self.accepts is None and not self.contests and not self.tolerance


def by_seed(make: Callable[[Random], Any]) -> Callable[[], SearchStrategy[Any]]:
    """Return the way to draw what a function makes by chance of its own."""

    def drawing() -> SearchStrategy[Any]:
        from hypothesis import strategies as st  # here, for only a new exam needs it

        return st.integers(0, 10**9).map(lambda seed: make(Random(seed)))

    return drawing


def exercise(name: str) -> NamedFunction:
    """Return the function value that stands for whatever answers the exercise `name` when a call is made."""
    return NamedFunction(name)
