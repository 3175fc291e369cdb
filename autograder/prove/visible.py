"""A test of the visible examples alone, for learners who have only a notebook."""

from __future__ import annotations

from autograder.prove.answers import names_with, reference_answers
from autograder.units.mistakes import Mistake
from course.learner.answer import answer_among
from course.learner.examples import run_examples


def accepted_by_examples(wrong: Mistake) -> list[str]:
    """Report a mistake that the visible examples of its exercise accept while all other answers are right."""
    unit = wrong.unit
    try:
        names = names_with(unit, reference_answers(unit) | {wrong.exercise: wrong.source})
    except Exception:  # the cell of the answer raised an exception
        return []
    if run_examples(answer_among(names, wrong.exercise, unit.name)).failures:
        return []
    return [f"the examples accept {wrong.exercise}__{wrong.name}"]
