"""Judge answers with a kit, or with the notebook alone. Measure what a table of everything in a kit would earn."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import takewhile

from autograder.config import PUBLISHED
from autograder.exam.checks import left_to_teachers
from autograder.exam.memorized import (
    without_reserved,
)
from autograder.exam.model import Exam
from autograder.exam.sealing import sealed_paper
from autograder.exam.store import exam_for
from autograder.prove.answers import RightSolution, graded, names_with, reference_answers, submission_with
from autograder.report.model import PASSED
from autograder.report.words import first_problem_text
from autograder.units.mistakes import Mistake
from autograder.units.unit import Unit, requirements_of
from course.data import as_data, from_data
from course.exam.sealed import SealedPaper
from course.form import deciding_finding, review
from course.learner.answer import answer_among
from course.learner.practice import Practice, practise
from course.limits import SECONDS_PER_CALL


def accepted_by_examples(wrong: Mistake) -> list[str]:
    """Report a mistake that the visible examples of its exercise accept while all other answers are right."""
    unit = wrong.unit
    try:
        names = names_with(unit, reference_answers(unit) | {wrong.exercise: wrong.source})
    except Exception:  # the cell of the answer raised an exception
        return []
    if not practise(answer_among(names, wrong.exercise, unit.name), {}).passed:
        return []
    return [f"the examples accept {wrong.exercise}__{wrong.name}"]


@cache
def sealed_of(unit: Unit, name: str, seed: str = PUBLISHED) -> SealedPaper | None:
    """Return an exercise's sealed paper in the kit of a course with this seed, or None if a kit cannot judge it."""
    exam = _practised(unit, seed)
    if left_to_teachers(unit, exam.checks, name):
        return None
    return from_data(SealedPaper, json.loads(json.dumps(as_data(sealed_paper(exam, exam.by_name[name])))))


@cache
def _practised(unit: Unit, seed: str) -> Exam:
    return exam_for(unit) if seed == PUBLISHED else without_reserved(exam_for(unit), seed)


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
    sealed = {each: paper for each in unit.by_name if (paper := sealed_of(unit, each, seed))}
    return practise(answer_among(names_with(unit, answers, helpers), name, unit.name), sealed, seconds)


def accepted_by_kit(wrong: Mistake, seed: str = PUBLISHED) -> list[str]:
    """Report a mistake that a kit accepts when all other answers are right."""
    unit = wrong.unit
    requirements = requirements_of(unit, unit[wrong.exercise])
    if deciding_finding(requirements, review(requirements, wrong.source)):
        return []
    if not sealed_of(unit, wrong.exercise, seed):
        return [f"the kit accepts {wrong.exercise}__{wrong.name} (left to a teacher: several answers are right)"]
    answers = reference_answers(unit) | {wrong.exercise: wrong.source}
    try:
        practice = practised_with(unit, wrong.exercise, answers, seed=seed)
    except Exception:  # the cell of the answer raised an exception
        return []
    left = f" (left to a teacher: {', '.join(practice.left)})" if practice.left else ""
    return [f"the kit accepts {wrong.exercise}__{wrong.name}{left}"] if practice.passed else []


def refused_by_kit(right: RightSolution, seed: str = PUBLISHED, exercise: str | None = None) -> list[str]:
    """Report the exercises of a full solution that a kit refuses, or only whether it refuses one exercise."""
    unit = right.unit
    chosen = [exercise] if exercise else [*unit.by_name]
    made = ((name, practised_with(unit, name, right.answers, right.helpers, AMPLE, seed)) for name in chosen)
    return [
        f"the kit refuses {name} of {right.style}: {line}" for name, practice in made for line in _wrong_in(practice)
    ]


def _wrong_in(practice: Practice) -> Iterator[str]:
    """Yield the visible examples and the facets that an answer fails."""
    yield from map(str, practice.examples)
    yield from (f"{facet.name}: {facet.failure}" for facet in practice.facets if not facet.passed)


def left_to_a_teacher(unit: Unit, name: str) -> list[str]:
    """Warn about an exercise that kits cannot judge."""
    if sealed_of(unit, name):
        return []
    file = unit.pack.role_file("alike", unit.name)
    return [f"{name} has accepts=, so a kit leaves it to the teacher. To change that, write ALIKE in {file}"]


def waits(unit: Unit, name: str) -> list[str]:
    """Report if a right answer to an exercise fails while the cells of later exercises have not been run."""
    earlier = takewhile(lambda each: each != name, unit.by_name)
    solved = {each: reference_answers(unit)[each] for each in (*earlier, name)}
    return [
        f"{name} waits for a later exercise {line}"
        for line in (*_in_the_kit(unit, name, solved), *_failure_when_installed(unit, name, solved))
    ]


def _in_the_kit(unit: Unit, name: str, solved: Mapping[str, str]) -> Iterator[str]:
    yield from (f"in the kit: {line}" for line in _wrong_in(practised_with(unit, name, solved, seconds=AMPLE)))


def _failure_when_installed(unit: Unit, name: str, solved: dict[str, str]) -> Iterator[str]:
    report = graded(submission_with(unit, solved), name)[name]
    if report.state != PASSED:
        yield f"with everything installed: {first_problem_text(report)}"


COURSE_SEED = "of a course, and secret"
