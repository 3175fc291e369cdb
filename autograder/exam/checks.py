"""A unit's checks module as its author wrote it: strategies by type name, and a `Check` for some exercises."""

from __future__ import annotations

import ast
import os
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import ModuleType
from typing import Any

from autograder.exam.cases import Check, Joint
from autograder.units.pack import UnitError
from autograder.units.unit import Unit
from course.exam.closeness import LEAST_TOLERANCE
from course.exam.sealed import alike_of
from course.syntax import lines_of

READ_OF_CHECKS = ("CHECKS", "STRATEGIES")


@dataclass(frozen=True)
class Checks:
    """An author's part of an exam: strategies by the name of a type, and checks by exercise."""

    strategies: Mapping[str, Any] = field(default_factory=dict)
    by_name: Mapping[str, Check] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Check:
        """Return the check of an exercise. The check is empty if everything can be derived."""
        return self.by_name.get(name, Check())


def checks_of(unit: Unit) -> Checks:
    """Return the checks of a unit. Raises UnitError, with file and line, for an invalid entry."""
    module = _module(unit)
    for name in READ_OF_CHECKS:
        if not isinstance(getattr(module, name, {}), Mapping):
            raise checks_error(unit, name, f"{name} is not a dict")
    checks = Checks(getattr(module, "STRATEGIES", {}), getattr(module, "CHECKS", {}))
    if unit.pack.pinned(unit.name):  # a pinned unit may lack exercises that the current checks have
        return checks
    for word, reason in _misfits(unit, checks):
        raise checks_error(unit, word, reason)
    return checks


def left_to_teachers(unit: Unit, checks: Checks, name: str) -> bool:
    """Return whether only a teacher can judge an exercise: several answers are right, and have no normal form."""
    return checks[name].accepts is not None and name not in alike_of(unit.module.__name__)


def judging_of(unit: Unit) -> dict[str, object]:
    """Return as data how an exercise is judged if it accepts other results than those shown."""
    checks = checks_of(unit)
    loose = {name: {"tolerance": checks[name].tolerance} for name in unit.by_name if checks[name].tolerance}
    several = {name: {"several": True} for name in unit.by_name if left_to_teachers(unit, checks, name)}
    judging = {name: loose.get(name, {}) | several.get(name, {}) for name in {**loose, **several}}
    return {"judging": judging} if judging else {}


def _misfits(unit: Unit, checks: Checks) -> Iterator[tuple[str, str]]:
    """Yield the invalid entries of an author's checks, with what is wrong with each of them."""
    for name, check in checks.by_name.items():
        if name not in unit.by_name:
            yield name, f"{unit.name} has no exercise {name!r}{_near(name, unit.by_name)}"
        if not isinstance(check, Check):
            yield name, f"the check of {name} is not a Check"
        if not isinstance(check.count, int) or check.count < 1:
            yield name, f"the count of {name} is not a whole number above 0"
        if check.tolerance and not LEAST_TOLERANCE <= check.tolerance < 1:
            yield name, f"the tolerance of {name} is not between {LEAST_TOLERANCE:g} and 1"
        for facet, special in check.facets.items():
            if not isinstance(special, Joint | tuple):
                yield facet, f"the facet {facet!r} of {name} is neither a tuple of cases nor a Joint"
    annotations = _annotations(unit)
    for name in checks.strategies:
        if name not in annotations:
            yield name, f"no exercise has a parameter annotated {name}{_near(name, annotations)}"


def _module(unit: Unit) -> ModuleType:
    """Return the imported module. Raises UnitError if that fails, for example for an unknown keyword."""
    try:
        return unit.pack.module("checks", unit.name)
    except Exception as error:
        raise UnitError(f"{_failed_at(unit, error)}: {type(error).__name__}: {error}") from error


def _failed_at(unit: Unit, error: Exception) -> str:
    """Return the innermost file and line of the pack at which an import failed."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno or 1}"
    folders = tuple(f"{folder}{os.sep}" for folder in unit.pack.packages.values())
    frames = [each for each in traceback.extract_tb(error.__traceback__) if each.filename.startswith(folders)]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else f"{unit.pack.file('checks', unit.name)}:1"


def _annotations(unit: Unit) -> set[str]:
    """Return the type names of parameters."""
    trees = (ast.parse(each.annotation) for exercise in unit.exercises for each in exercise.parameters)
    return {node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _near(name: str, names: Mapping[str, object] | set[str]) -> str:
    matches = get_close_matches(name, names, 1)
    return f": did you mean {matches[0]!r}?" if matches else ""


def checks_error(unit: Unit, word: str, reason: str) -> UnitError:
    """Return an error with the line of a unit's checks that contains a word."""
    file = unit.pack.file("checks", unit.name)
    lines = lines_of(file.read_text(encoding="utf-8", errors="replace")) if file.exists() else []
    row = next((row for row, line in enumerate(lines, 1) if f'"{word}"' in line or line.startswith(word)), 1)
    return UnitError(f"{file}:{row}: {reason}")
