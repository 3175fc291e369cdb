"""Known mistakes: answers with a typical mistake. An exam recognizes other answers with the same results.

A mistake is a definition `<exercise>__<name>` in the `exams/<unit>/mistakes.py` of its pack. The first paragraph of its
docstring is what its author believes; a second one says what is true. Everyone whose answer has the same results sees
both. If two mistakes have the same results, only one of them has a docstring.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, lru_cache
from pathlib import Path

from autograder.units.unit import Unit, requirements_of
from autograder.units.written import location_of, written_statements
from course.diagnoses import beliefs
from course.diagnoses.beliefs import BeliefSubject, names_with_fixed_meaning
from course.syntax import bound_names


@dataclass(frozen=True)
class Mistake:
    """A plausible wrong answer: its exercise, its name, what its author believes, and what is true."""

    unit: Unit
    exercise: str
    name: str
    source: str
    belief: str
    truth: str = ""

    def __str__(self) -> str:
        return f"{self.unit.name}-{self.exercise}__{self.name}"

    @property
    def location(self) -> str:
        """Return the file and the line number of the mistake."""
        return location_of(self.unit.pack.file("mistakes", self.unit.name), f"{self.exercise}__{self.name}")


@cache
def mistakes_of(unit: Unit) -> tuple[Mistake, ...]:
    """Return the known mistakes of a unit, in the order of the file that defines them."""
    path = unit.pack.file("mistakes", unit.name)
    return tuple(_mistakes(unit, path)) if path.exists() else ()


def no_exercise(unit: Unit, name: str) -> str:
    """Return a message that a unit has no exercise of this name, with a suggestion."""
    return f"{unit.name} has no exercise {name!r}{did_you_mean(name, unit.by_name)}"


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return the end of a message that suggests the most similar name, or "" if none is similar."""
    matches = get_close_matches(name, list(names), 1)
    return f": did you mean {matches[0]!r}?" if matches else ""


def exercise_meant(name: str) -> str:
    """Return the exercise that the name of a mistake begins with, or "" if the name is not that of a mistake."""
    return name.partition("__")[0] if "__" in name.strip("_") else ""


def _mistakes(unit: Unit, path: Path) -> Iterator[Mistake]:
    for node, docstring, text in written_statements(path):
        for name in bound_names(node):
            if exercise := exercise_meant(name):
                belief, _, truth = docstring.partition("\n\n")
                source = re.sub(rf"\b{name}\b", exercise, text)
                mistake = name.removeprefix(f"{exercise}__")
                yield Mistake(unit, exercise, mistake, source, _joined(belief), _joined(truth))


def _joined(paragraph: str) -> str:
    return " ".join(paragraph.split())


def contains_belief(unit: Unit, exercise: str, belief: str, source: str) -> bool:
    """Return whether an answer contains the code that a belief is about.

    The report on a wrong answer shows a mistake's belief only if the answer contains the code that the belief is about.
    """
    known = [each for each in mistakes_of(unit) if each.exercise == exercise and each.belief == belief]
    own, given = requirements_of(unit, unit[exercise]), names_with_fixed_meaning(unit.module, unit.by_name)
    return not known or any(about_mistake(mistake).is_in(own, given, source) for mistake in known)


@lru_cache(maxsize=2048)
def about_mistake(mistake: Mistake) -> BeliefSubject:
    """Return what a mistake's belief is about: code that the belief quotes, and diagnoses of the mistake's own code."""
    unit = mistake.unit
    own, given = requirements_of(unit, unit[mistake.exercise]), names_with_fixed_meaning(unit.module, unit.by_name)
    return beliefs.subject_of_belief(mistake.belief, own, given, mistake.source)
