"""A unit's checks module as its author wrote it: strategies by type name, and a `Check` for some exercises."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from autograder.exam.annotations import names_within
from autograder.exam.cases import Case, Check, Joint
from autograder.units.mistakes import did_you_mean, no_exercise
from autograder.units.pack import UnitError
from autograder.units.unit import Unit
from autograder.units.written import location_with
from course.exam.alike import LEAST_TOLERANCE, alike_of
from course.kernel.catalogue import Judging

READ_OF_CHECKS = ("CHECKS", "STRATEGIES", "ABSENT")


@dataclass(frozen=True)
class Checks:
    """An author's part of an exam: strategies by the name of a type, and checks by exercise.

    `absent` has patterns for kinds of input that the exam lacks on purpose, each with the reason.
    """

    strategies: Mapping[str, Any] = field(default_factory=dict)
    by_name: Mapping[str, Check] = field(default_factory=dict)
    absent: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Check:
        """Return the check of an exercise. The check is empty if everything can be derived."""
        return self.by_name.get(name, Check())


def checks_of(unit: Unit) -> Checks:
    """Return the checks of a unit. Raises UnitError, with file and line, for an invalid entry."""
    module = unit.pack.module("checks", unit.name)
    for name in READ_OF_CHECKS:
        if not isinstance(getattr(module, name, {}), Mapping):
            raise checks_error(unit, name, f"{name} is not a dict")
    checks = Checks(getattr(module, "STRATEGIES", {}), getattr(module, "CHECKS", {}), getattr(module, "ABSENT", {}))
    if unit.pack.pinned(unit.name):  # a pinned unit may lack exercises that the current checks have
        return checks
    for word, reason in _misfits(unit, checks):
        raise checks_error(unit, word, reason)
    return checks


def left_to_teachers(unit: Unit, checks: Checks, name: str) -> bool:
    """Return whether only a teacher can judge an exercise: several answers are right, and have no normal form."""
    return checks[name].accepts is not None and name not in alike_of(unit.module.__name__)


def judging_of(unit: Unit) -> dict[str, Judging]:
    """For each exercise that accepts other results than the shown ones, return how it is judged."""
    checks = checks_of(unit)
    judging = {name: Judging(checks[name].tolerance, left_to_teachers(unit, checks, name)) for name in unit.by_name}
    return {name: each for name, each in judging.items() if each != Judging()}


def _misfits(unit: Unit, checks: Checks) -> Iterator[tuple[str, str]]:
    """Yield the invalid entries of an author's checks, with what is wrong with each of them."""
    for name, check in checks.by_name.items():
        if name not in unit.by_name:
            yield name, no_exercise(unit, name)
        if isinstance(check, Check):
            yield from _check_misfits(unit, name, check)
        else:
            yield name, f"the check of {name} is not a Check"
    written = (ast.parse(each.annotation) for exercise in unit.exercises for each in exercise.parameters)
    annotations = names_within((tree, unit.module) for tree in written)
    for name, strategy in checks.strategies.items():
        if not isinstance(strategy, tuple) and not callable(strategy) and not hasattr(strategy, "example"):
            yield name, f"the strategy of {name} is neither a tuple nor a Hypothesis strategy"
        if name not in annotations:
            yield name, f"no exercise has a parameter annotated {name}{did_you_mean(name, annotations)}"


def _check_misfits(unit: Unit, name: str, check: Check) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the check of an exercise."""
    if not isinstance(check.count, int) or check.count < 1:
        yield name, f"the count of {name} is not a whole number above 0"
    if check.tolerance and not LEAST_TOLERANCE <= check.tolerance < 1:
        yield name, f"the tolerance of {name} is not between {LEAST_TOLERANCE:g} and 1"
    for what, keys in (("texts", check.texts.keys()), ("weights", check.weights.keys())):
        for key in keys - {*check.facets, *check.contests}:
            yield key, f"the {what} of {name} have no facet or contest {key!r}{did_you_mean(key, check.facets)}"
    for facet, special in check.facets.items():
        cases = special.cases if isinstance(special, Joint) else special
        if not isinstance(cases, tuple) or not all(isinstance(each, Case | tuple) for each in cases):
            yield facet, f"the facet {facet!r} of {name} is neither a tuple of cases nor a Joint"
        elif not cases:
            yield facet, f"the facet {facet!r} of {name} has no case. Add one, or remove the facet"
    for contest, rival in ((contest, each.rival) for contest, each in check.contests.items()):
        if rival not in unit.by_name:
            wrong = f"unknown rival {rival!r}{did_you_mean(rival, unit.by_name)}"
            yield contest, f"the contest {contest!r} of {name} has an {wrong}"


def checks_error(unit: Unit, word: str, reason: str) -> UnitError:
    """Return an error with the line of a unit's checks that contains a word."""
    file = unit.pack.file("checks", unit.name)
    location = location_with(file, f'"{word}"', word) if file.exists() else f"{file}:1"
    return UnitError(f"{location}: {reason}")
