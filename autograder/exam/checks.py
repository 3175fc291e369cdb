"""A unit's checks module as its author wrote it: strategies by type name, and a `Check` for some exercises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from autograder.exam.cases import Check
from autograder.units.mistakes import did_you_mean, no_exercise
from autograder.units.pack import UnitError
from autograder.units.unit import Unit
from autograder.units.written import location_with
from course.exam.alike import alike_of
from course.kernel.catalogue import Judging


@dataclass(frozen=True)
class Checks:
    """An author's part of an exam: strategies by the name of a type, and checks by exercise."""

    strategies: Mapping[str, Any] = field(default_factory=dict)
    by_name: Mapping[str, Check] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Check:
        """Return the check of an exercise. The check is empty if everything can be derived."""
        return self.by_name.get(name, Check())


def checks_of(unit: Unit) -> Checks:
    """Return the checks of a unit. Raises UnitError, with file and line, for an unknown name in them."""
    module = unit.pack.module("checks", unit.name)
    checks = Checks(getattr(module, "STRATEGIES", {}), getattr(module, "CHECKS", {}))
    if unit.pack.pinned(unit.name):  # a pinned unit may lack exercises that the current checks have
        return checks
    for word, reason in _misfits(unit, checks):
        raise checks_error(unit, word, reason)
    return checks


def left_to_teachers(unit: Unit, checks: Checks, name: str) -> bool:
    """Return whether kits cannot judge an exercise: several answers are right, and `ALIKE` has no function for it."""
    return checks[name].accepts is not None and name not in alike_of(unit.module.__name__)


def judging_of(unit: Unit) -> dict[str, Judging]:
    """Return how the examples of an exercise are compared, for each exercise that does not compare strictly."""
    checks = checks_of(unit)
    judging = {name: Judging(checks[name].tolerance, left_to_teachers(unit, checks, name)) for name in unit.by_name}
    return {name: each for name, each in judging.items() if each != Judging()}


def _misfits(unit: Unit, checks: Checks) -> Iterator[tuple[str, str]]:
    """Yield the unknown names of exercises and facets in an author's checks, each with what is wrong with it."""
    for name, check in checks.by_name.items():
        if name not in unit.by_name:
            yield name, no_exercise(unit, name)
        if not isinstance(check, Check):
            yield name, f"the check of {name} is not a Check"
            return
        for key in {*check.texts, *check.weights} - {*check.facets, *check.contests}:
            yield key, f"{name} has no facet or contest {key!r}{did_you_mean(key, check.facets)}"


def checks_error(unit: Unit, word: str, reason: str) -> UnitError:
    """Return an error with the line of a unit's checks that contains a word."""
    file = unit.pack.file("checks", unit.name)
    location = location_with(file, f'"{word}"', word) if file.exists() else f"{file}:1"
    return UnitError(f"{location}: {reason}")
