"""Mutants that are right answers, listed in a pack's `right/equivalent_mutants.toml`, each with a reason.

Most of them have the reference's results for all inputs that the statement allows. If several answers are right, a
mutant may be one of them. In an open exercise, every answer that reaches the goal is right.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.prove.mutate import Key, Mutant
from autograder.toml import Name, Text, Texts, read_toml
from autograder.units.pack import UnitError
from autograder.units.unit import Unit

EQUIVALENT_FILE = "equivalent_mutants.toml"


@dataclass(frozen=True)
class OpenExercise:
    """An exercise all of whose mutants may be right."""

    unit: Name
    """The unit."""
    exercise: Name
    """The exercise."""
    because: Text
    """The reason why such answers are right."""


@dataclass(frozen=True)
class Equivalent(OpenExercise):
    """A line of a reference, and the changed lines that are right, too."""

    line: Text
    """The line or lines of the reference."""
    becomes: Texts
    """The changed line or lines."""


@dataclass(frozen=True)
class RightMutants:
    """The content of the file."""

    open: tuple[OpenExercise, ...] = ()
    """Exercises of which any mutant may be right."""
    equivalent: tuple[Equivalent, ...] = ()
    """Single mutants that are right."""


def _listed(unit: Unit) -> RightMutants:
    return _read(unit.pack.folder("right") / EQUIVALENT_FILE)


@cache
def _read(path: Path) -> RightMutants:
    return read_toml(path, RightMutants, UnitError) if path.exists() else RightMutants()


def equivalents(unit: Unit) -> dict[Key, str]:
    """Return the reason for each listed mutant of a unit, by exercise, line, and changed line."""
    return {
        (unit.name, entry.exercise, entry.line, becomes): entry.because
        for entry in _listed(unit).equivalent
        for becomes in entry.becomes
        if entry.unit == unit.name
    }


def is_right(mutant: Mutant) -> bool:
    """Return whether the exam may accept a mutant: it is listed, or belongs to an open exercise."""
    is_open = any((entry.unit, entry.exercise) == mutant.key[:2] for entry in _listed(mutant.unit).open)
    return is_open or mutant.key in equivalents(mutant.unit)
