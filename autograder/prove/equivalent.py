"""The mutants that are right answers, listed in a pack's `right/equivalent_mutants.toml`, each with a reason.

Most give what the reference gives for all inputs that the statement allows. Where many answers are right, mutants may
be others of them, and in an open exercise, where anything goes that reaches a goal, whoever reaches it is right.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.prove.mutate import Key, Mutant
from autograder.toml import Name, Text, Texts, read_toml
from autograder.units.pack import UnitError, pack_of

EQUIVALENT_FILE = "equivalent_mutants.toml"


@dataclass(frozen=True)
class OpenExercise:
    """An exercise of which any mutant may be right."""

    unit: Name
    exercise: Name
    because: Text


@dataclass(frozen=True)
class Equivalent(OpenExercise):
    """What a line of a reference may become."""

    line: Text
    becomes: Texts


@dataclass(frozen=True)
class RightMutants:
    """What the file lists."""

    open: tuple[OpenExercise, ...] = ()
    equivalent: tuple[Equivalent, ...] = ()


def _listed(unit: str) -> RightMutants:
    return _read(pack_of(unit).folder("right") / EQUIVALENT_FILE)


@cache
def _read(path: Path) -> RightMutants:
    return read_toml(path, RightMutants, UnitError) if path.exists() else RightMutants()


def equivalents(unit: str) -> dict[Key, str]:
    """Return the reason for each mutant of a unit that is listed, by exercise, line, and what the line becomes."""
    return {
        (unit, entry.exercise, entry.line, becomes): entry.because
        for entry in _listed(unit).equivalent
        for becomes in entry.becomes
        if entry.unit == unit
    }


def is_right(mutant: Mutant) -> bool:
    """Return whether the exam may let a mutant pass: it is listed, or one of an open exercise."""
    is_open = any((entry.unit, entry.exercise) == mutant.key[:2] for entry in _listed(mutant.unit).open)
    return is_open or mutant.key in equivalents(mutant.unit)
