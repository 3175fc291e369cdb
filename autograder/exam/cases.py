"""What authors write in `checks/`: cases, facets, contests, and the `Check` of an exercise."""

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

    `keywords` are the arguments passed by name, as pairs.
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
    """A facet whose observations are judged together: `judge` returns None, or the reason to refuse them."""

    cases: tuple[Case, ...]
    judge: Judge


Facets: TypeAlias = Mapping[str, tuple[Case, ...] | Whole]
# How inputs are drawn: a strategy, or a function that gives it, which is called when they are.
Drawing: TypeAlias = "SearchStrategy[Any] | Callable[[], SearchStrategy[Any]]"
Relation: TypeAlias = Callable[[Case, Observation, Observation], str | None]


@dataclass(frozen=True)
class Contest:
    """A number of deals against the reference `rival`, each at both seats.

    `is_won` judges the duel, and `goal` describes it.
    """

    rival: str
    deals: int
    is_won: Callable[[Duel], bool]
    goal: str


@dataclass(frozen=True)
class Check:
    """The part of an exercise's exam that can't be derived from its annotations.

    `cases` draws its inputs, `count` in number, by a strategy or a function that returns one. `facets` are special
    inputs, by the rule that they check.

    `accepts` judges where several answers are right: from a case, the reference's observation and the answer's, it
    returns None, or the reason to refuse. `invariant` does so for runs among the learner's own functions.

    Floats that differ by at most `tolerance` are equal; above 1 it is a relative error. `contests` are what a bot has
    to win.
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
        """Return whether only the reference's results are right."""
        return self.accepts is None and not self.contests and not self.tolerance


def by_seed(make: Callable[[Random], Any]) -> Callable[[], SearchStrategy[Any]]:
    """Return a strategy for what a function makes from a seed."""

    def drawing() -> SearchStrategy[Any]:
        from hypothesis import strategies as st  # here, for only a new exam needs it

        return st.integers(0, 10**9).map(lambda seed: make(Random(seed)))

    return drawing


def exercise(name: str) -> NamedFunction:
    """Return a function value that stands for the answer to the exercise `name` when a call is made."""
    return NamedFunction(name)
