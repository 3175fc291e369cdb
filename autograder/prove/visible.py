"""What the visible examples refuse alone: all that learners are told who have a notebook and nothing else."""

from __future__ import annotations

from autograder.prove.answers import names_with, references
from autograder.units.mistakes import Mistake
from autograder.units.unit import read_unit
from course.learner.answer import answer_among
from course.learner.examples import tried


def accepted_by_examples(wrong: Mistake) -> list[str]:
    """Report a mistake that the visible examples of its exercise accept while all other answers are right."""
    unit = read_unit(wrong.unit)
    try:
        names = names_with(unit, references(unit) | {wrong.exercise: wrong.source})
    except Exception:  # its cell does not run
        return []
    if tried(answer_among(names, wrong.exercise, unit.name)).failures:
        return []
    return [f"the examples accept {wrong.exercise}__{wrong.name}"]
