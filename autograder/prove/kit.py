"""Test which known answers a kit accepts and refuses, with its sealed exam and without references."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache

from autograder.config import PUBLISHED
from autograder.exam.reserve import without_reserved
from autograder.exam.sealing import sealed_exam
from autograder.exam.store import exam_for
from autograder.prove.answers import Right, names_with, reference_answers
from autograder.units.mistakes import Mistake
from autograder.units.unit import Unit, stated_unit
from course.exam.sealed import SealedPaper, paper_in
from course.kernel.limits import SECONDS_PER_CALL
from course.learner.answer import answer_among
from course.learner.examples import run_examples
from course.learner.practice import Practice, among_others, practise, with_examples


@cache
def sealed_by_name(unit: Unit, seed: str = PUBLISHED) -> dict[str, SealedPaper]:
    """Return the sealed papers of a unit by exercise, as the kit of a course with this seed has them."""
    stated = {each["name"]: each["examples"] for each in stated_unit(unit)["exercises"]}
    exam = exam_for(unit)
    sealed = json.loads(sealed_exam(exam if seed == PUBLISHED else without_reserved(exam, seed)))["papers"]
    return {name: with_examples(paper_in(name, data), stated[name]) for name, data in sealed.items()}


AMPLE = 20 * SECONDS_PER_CALL  # long enough that no right answer fails on a busy machine


def practised_with(
    unit: Unit,
    name: str,
    answers: Mapping[str, str],
    helpers: Sequence[str] = (),
    seconds: float = SECONDS_PER_CALL,
    seed: str = PUBLISHED,
) -> Practice:
    """Return the outcome of an exercise's practice exam with these answers; `seconds` is the limit per call."""
    names = names_with(unit, answers, helpers)

    sealed = sealed_by_name(unit, seed)
    orders = {each.name: each.order for each in sealed.values() if each.order}

    def practice_of(exercise: str) -> Practice:
        paper = sealed[exercise]
        return practise(paper, unit.module, names, unit.by_name, lambda _: {}, seconds, orders)

    practice = practice_of(name)
    if practice.passed or all(other in sealed and practice_of(other).is_exact for other in practice.paper.hung_on):
        return practice
    return among_others(practice)


def accepted_by_kit(wrong: Mistake, seed: str = PUBLISHED) -> list[str]:
    """Report a mistake that a kit accepts when all other answers are right."""
    unit = wrong.unit
    if wrong.exercise not in sealed_by_name(unit, seed):
        return [f"the kit accepts {wrong.exercise}__{wrong.name} (left to a teacher: several answers are right)"]
    answers = reference_answers(unit) | {wrong.exercise: wrong.source}
    try:
        practice = practised_with(unit, wrong.exercise, answers, seed=seed)
    except Exception:  # the cell of the answer raised an exception
        return []
    left = f" (left to a teacher: {', '.join(practice.left)})" if practice.left else ""
    return [f"the kit accepts {wrong.exercise}__{wrong.name}{left}"] if practice.passed else []


def refused_by_kit(right: Right, seed: str = PUBLISHED) -> list[str]:
    """Report the exercises of a full solution that a kit refuses."""
    unit = right.unit
    names = names_with(unit, right.answers, right.helpers)
    shown = ((name, run_examples(answer_among(names, name, unit.name))) for name in unit.by_name)
    wrong = [f"{name} of {right.style}: {failure}" for name, result in shown for failure in result.failures]
    for name in sealed_by_name(unit, seed):
        practice = practised_with(unit, name, right.answers, right.helpers, AMPLE, seed)
        failed = (facet for facet in practice.facets if not facet.passed)
        wrong += [f"{name} of {right.style}: {facet.name}: {facet.failure}" for facet in failed]
    return [f"the kit refuses {line}" for line in wrong]


def left_to_a_teacher(unit: Unit, name: str) -> list[str]:
    """Warn about an exercise that kits cannot judge."""
    if name in sealed_by_name(unit):
        return []
    file = unit.pack.course_folder / "alike" / f"{unit.name}.py"
    return [f"{name} has accepts=, so a kit leaves it to the teacher. To change that, write ALIKE in {file}"]
