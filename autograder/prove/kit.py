"""What learners are told who have the kit: a sealed exam, and no reference; tried on answers that are kept."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache

from autograder.exam.sealing import sealed_exam
from autograder.exam.store import exam_for
from autograder.prove.answers import Right, names_with, references
from autograder.units.mistakes import Mistake
from autograder.units.unit import Unit, read_unit, statements_of
from course.exam.practice import Practice, among_others, practise, with_examples
from course.exam.sealed import SealedPaper, paper_in
from course.limits import SECONDS_PER_CALL


@cache
def papers_of(unit_name: str) -> dict[str, SealedPaper]:
    """Give the sealed papers of a unit by exercise, as a kit has them."""
    stated = {each["name"]: each["examples"] for each in statements_of(read_unit(unit_name))["exercises"]}
    told = json.loads(sealed_exam(exam_for(unit_name)))["papers"]
    return {name: with_examples(paper_in(name, data), stated[name]) for name, data in told.items()}


AMPLE = 20 * SECONDS_PER_CALL  # what is right is not refused because other processes are busy


def practised_with(
    unit: Unit, name: str, answers: Mapping[str, str], helpers: Sequence[str] = (), seconds: float = SECONDS_PER_CALL
) -> Practice:
    """Give what comes of an exercise's practice exam among these answers, with so many seconds for a call."""
    names = names_with(unit, answers, helpers)

    papers = papers_of(unit.name)
    orders = {each.name: each.order for each in papers.values() if each.order}

    def practice_of(exercise: str) -> Practice:
        paper = papers[exercise]
        return practise(paper, unit.module, names, unit.by_name, lambda _: {}, seconds, orders)

    practice = practice_of(name)
    if practice.passed or all(practice_of(other).is_exact for other in practice.paper.hung_on):
        return practice
    return among_others(practice)


def accepted_by_kit(wrong: Mistake) -> list[str]:
    """Tell of a mistake that the kit does not refuse, all other answers being right."""
    unit = read_unit(wrong.unit)
    try:
        practice = practised_with(unit, wrong.exercise, references(unit) | {wrong.exercise: wrong.source})
    except Exception:  # its cell does not run
        return []
    left = f" (left to a teacher: {', '.join(practice.left)})" if practice.left else ""
    return [f"the kit accepts {wrong.exercise}__{wrong.name}{left}"] if practice.passed else []


def refused_by_kit(right: Right) -> list[str]:
    """Tell of the exercises of a full solution that the kit refuses."""
    unit = read_unit(right.unit)
    practices = ((name, practised_with(unit, name, right.answers, right.helpers, AMPLE)) for name in unit.by_name)
    wrong = ((name, facet) for name, practice in practices for facet in practice.facets if not facet.passed)
    return [f"the kit refuses {name} of {right.style}: {facet.name}: {facet.failure}" for name, facet in wrong]
