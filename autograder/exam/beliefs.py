"""The decision whether a belief fits an answer.

A belief about some code is shown only if the answer contains that code.
"""

from __future__ import annotations

from functools import lru_cache

from autograder.units.mistakes import Mistake, mistakes_of
from autograder.units.unit import Unit, requirements_of
from course.diagnoses import beliefs
from course.diagnoses.beliefs import BeliefSubject, names_with_fixed_meaning


def contains_belief(unit: Unit, exercise: str, belief: str, source: str) -> bool:
    """Return whether an answer contains what a belief is about."""
    known = [each for each in mistakes_of(unit) if each.exercise == exercise and each.belief == belief]
    own, given = requirements_of(unit, unit[exercise]), _given(unit)
    return not known or any(about_mistake(mistake).is_in(own, given, source) for mistake in known)


@lru_cache(maxsize=2048)
def about_mistake(mistake: Mistake) -> BeliefSubject:
    """Return the quoted expressions and the slips that occur in a mistake's own code."""
    unit = mistake.unit
    return beliefs.about(mistake.belief, requirements_of(unit, unit[mistake.exercise]), _given(unit), mistake.source)


def _given(unit: Unit) -> frozenset[str]:
    return names_with_fixed_meaning(unit.module, unit.by_name)
