"""The tools for authors of `checks.py`: cases, facets, contests, and the `Check` of an exercise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Literal, TypeAlias

from course.exam.calls import Args, Chance
from course.exam.observation import Observation
from course.exam.sealed import JointJudge
from course.exam.standard import IteratedItems
from course.exam.wire import NamedFunction, OpaqueValue

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from course.arena.tournament import Duel

__all__ = [
    "Case",
    "Check",
    "Contest",
    "Facets",
    "IteratedItems",
    "Joint",
    "NamedFunction",
    "Observation",
    "OpaqueValue",
    "Relation",
    "by_seed",
    "case",
    "exercise",
]


@dataclass(frozen=True)
class Case:
    """One call: its arguments, the lines that a person types, and its random numbers (a seed, or a tuple of rolls).

    `keywords` has a pair (name, value) for each argument that is passed by name.
    """

    args: Args
    """The arguments."""
    typed: tuple[str, ...] = ()
    """The lines that are typed when the call asks for input."""
    chance: Chance = None
    """The random numbers: a seed, or a tuple of rolls."""
    keywords: tuple[tuple[str, object], ...] = ()
    """A pair (name, value) for each argument that is passed by name."""
    hidden: bool = False
    """True if the call is secret: the exam makes it, but no kit, site or report contains it."""


def case(
    *args: object, typed: tuple[str, ...] = (), chance: Chance = None, hidden: bool = False, **keywords: object
) -> Case:
    """Return the case of a call with these arguments. A `hidden` case counts for the mark, but is never shown."""
    return Case(args, typed, chance, tuple(keywords.items()), hidden)


@dataclass(frozen=True)
class Joint:
    """A facet whose results are judged together.

    `judge` returns None if the results are right, or else the reason why they are wrong.
    """

    cases: tuple[Case, ...]
    """The calls."""
    judge: JointJudge
    """A function of all observations that returns None, or the reason to refuse them. Kits judge with it if it is in
    `joint.py`.
    """


Facets: TypeAlias = Mapping[str, tuple[Case, ...] | Joint]
# Inputs are a strategy, or a function that returns a strategy and is called when the inputs are drawn.
InputStrategy: TypeAlias = "SearchStrategy[object] | Callable[[], SearchStrategy[object]]"
Relation: TypeAlias = Callable[[Case, Observation, Observation], str | None]


@dataclass(frozen=True)
class Contest:
    """A contest: a bot plays `deals` deals at each of two seats against the reference `rival`.

    The deals at the two seats are different. `is_won` decides whether the bot has won. `goal` is the text that a report
    shows as the reason if the bot loses.
    """

    rival: str
    """The exercise whose reference is the opponent."""
    deals: int
    """The number of deals at each seat."""
    is_won: Callable[[Duel], bool]
    """A function of the duel that returns whether it is won."""
    goal: str
    """The text that a report shows as the reason if the bot loses."""
    stops: Callable[[Duel], bool] = lambda _: False
    """A function of the duel so far that returns whether no more deals are needed, called after each 400 deals."""


@dataclass(frozen=True)
class Check:
    """The part of an exercise's exam that cannot be derived from its annotations.

    `cases` is a strategy that draws `count` inputs, or a function that returns such a strategy. `facets` has
    special inputs for rules; the keys are the names of these rules.

    If several answers are right, `accepts` judges each result. The function `accepts` takes a case, the reference's
    observation and the answer's observation. `accepts` returns None if the answer is right, or else the reason why it
    is wrong. `invariant` is a function like `accepts`, for runs in which the learner's own functions call each other.

    Floats that differ by at most `tolerance` are equal; for floats above 1, the tolerance is relative. `contests` are
    the contests that a bot has to win. `texts` are the words that readers see instead of the names of facets.
    """

    cases: InputStrategy | None = None
    """How inputs are drawn: a Hypothesis strategy, or a function that returns one. The default follows from the
    annotations.
    """
    count: int = 60
    """The number of drawn inputs."""
    facets: Facets = field(default_factory=dict)
    """Chosen inputs. The keys are the rules of the statement that these inputs check."""
    accepts: Relation | None = None
    """A relation for exercises with several right results.

    It takes a case, the reference's observation and the answer's observation, and returns None or the reason to refuse.
    """
    invariant: Relation | None = None
    """A relation for runs in which the answer works with the student's other functions."""
    contests: Mapping[str, Contest] = field(default_factory=dict)
    """Contests that a bot has to win, by name."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """The texts that readers see instead of the names of facets and contests.

    A name is an id: stored reports and adjust.toml use it. So change a text here, and never a name.
    """
    weights: Mapping[str, float] = field(default_factory=dict)
    """The weights of facets and contests in the points, by name. Each has the weight 1 if none is given."""
    tolerance: float = 0.0
    """The difference up to which floats are equal; it is relative for floats above 1."""
    inputs: Literal["", "near"] = ""
    """`"near"` draws inputs near the chosen ones, instead of by annotation.

    An input is left out if the reference raises an exception for it that it raises for no chosen input.
    """
    equality: Literal["", "=="] = ""
    """`"=="` accepts equal numbers of other types: 6.0 for 6, True for 1. In kits, `as_equal` of `ALIKE` does so."""
    ignores: tuple[Literal["arguments", "printing"], ...] = ()
    """Parts that are not compared: the arguments after a call, or the printed text."""

    def __post_init__(self) -> None:
        """Raise TypeError or ValueError, at the author's line, for a facet without cases or an invalid tolerance."""
        for facet, special in self.facets.items():
            cases = special.cases if isinstance(special, Joint) else special
            if not cases or not isinstance(cases, tuple) or not all(isinstance(each, Case | tuple) for each in cases):
                raise TypeError(f"the facet {facet!r} needs a tuple of cases: write (case(…),)")
        if not 0 <= self.tolerance < 1:
            raise ValueError(f"a tolerance is at least 0 and less than 1, not {self.tolerance}")

    @property
    def has_one_answer(self) -> bool:
        """Return whether only the reference's results count as right."""
        return self.accepts is None and not self.contests and not self.tolerance


def by_seed(make: Callable[[Random], object]) -> Callable[[], SearchStrategy[object]]:
    """Return a function that takes no arguments and returns a strategy.

    The strategy draws results of `make`, which is called with different `random.Random` objects.
    """

    def seeded_strategy() -> SearchStrategy[object]:
        from hypothesis import strategies as st  # imported here, because only a new exam needs it

        return st.integers(0, 10**9).map(lambda seed: make(Random(seed)))

    return seeded_strategy


def exercise(name: str) -> NamedFunction:
    """Return a value that represents the function `name` in the arguments of a call.

    In the call, the student's own function replaces this value.
    """
    return NamedFunction(name)
