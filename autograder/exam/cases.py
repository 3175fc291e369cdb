"""Inputs of checks: what an exercise is called with, what is typed, and what rules in the place of chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autograder.sandbox.inside.wire import NamedFunction, Opaque

__all__ = ["Case", "NamedFunction", "Observation", "Opaque", "Whole", "case", "exercise"]

Chance = int | tuple[int, ...] | None


@dataclass(frozen=True)
class Case:
    """One call: its arguments, the lines typed during it, and the script of chance (a seed, or the rolls)."""

    args: tuple[Any, ...]
    typed: tuple[str, ...] = ()
    chance: Chance = None


def case(*args: Any, typed: tuple[str, ...] = (), chance: Chance = None) -> Case:
    """Give the case of a call with these arguments."""
    return Case(args, typed, chance)


@dataclass(frozen=True)
class Observation:
    """What was seen of one call, decoded: its value or the exception, what was printed, which probes it called."""

    value: Any = None
    raised: str | None = None
    raised_args: tuple[Any, ...] | None = None
    printed: str = ""
    probes: tuple[tuple[Any, ...], ...] = ()
    fault: str | None = None


@dataclass(frozen=True)
class Whole:
    """A facet whose observations are judged together: `judge` gives None, or the reason to refuse them."""

    cases: tuple[Case, ...]
    judge: Callable[[tuple[Observation, ...]], str | None]


def exercise(name: str) -> NamedFunction:
    """Give the function value that stands for whatever answers the exercise `name` when a call is made."""
    return NamedFunction(name)
