"""Make submissions from a pack's own answers, and judge them as the grader does, or as a kit does."""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache
from itertools import takewhile

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from autograder.config import AUTHOR_POLICY, PUBLISHED_SEED
from autograder.exam.contrast import without_reserved_calls
from autograder.exam.model import Exam, is_left_to_teachers
from autograder.exam.sealing import sealed_paper
from autograder.exam.store import exam_for
from autograder.grading.run import grade_in, open_sandbox
from autograder.report.model import PASSED, Graded
from autograder.report.words import first_problem_text
from autograder.sandbox.host import Sandbox
from autograder.submission.model import Submission
from autograder.submission.reading import grade_id
from autograder.submission.sort import submission_of
from autograder.units.build import source_notebook, student_stub
from autograder.units.mistakes import Mistake
from autograder.units.unit import Unit, UnitError, requirements_of
from autograder.units.written import location_of, written_statements
from course.data import as_data, from_data
from course.exam.sealed import SealedPaper
from course.form import deciding_finding, review
from course.learner.answer import answer_in_namespace
from course.learner.practice import PracticeOutcome, run_practice_exam
from course.limits import SECONDS_PER_CALL
from course.syntax import bound_names


@dataclass(frozen=True)
class RightSolution:
    """A solution of a complete unit in one style: answers by exercise, and helpers (other definitions) in order."""

    unit: Unit
    style: str
    answers: dict[str, str]
    helpers: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.unit.name}-{self.style}"

    def location(self, exercise: str) -> str:
        """Return the file and the line of the answer to an exercise."""
        return location_of(self.unit.pack.folder("right") / f"{self.unit.name}_{self.style}.py", exercise)


@cache
def right_answers(unit: Unit) -> tuple[RightSolution, ...]:
    """Return the right solutions of a complete unit, from the folder `right` of the unit's pack.

    Raises UnitError if an answer is missing.
    """
    solutions = []
    for path in sorted(unit.pack.folder("right").glob(f"{unit.name}_*.py")):
        answers, helpers = dict[str, str](), list[str]()
        for node, _, text in written_statements(path):
            if own := bound_names(node) & set(unit.by_name):
                answers[own.pop()] = text
            elif not isinstance(node, ast.Expr):
                helpers.append(text)
        if missing := [name for name in unit.by_name if name not in answers]:
            wrong = f"there is no answer to {missing[0]}: a right answer is a solution of the whole unit"
            raise UnitError(f"{path}:1: {wrong}")
        solutions.append(RightSolution(unit, path.stem.removeprefix(f"{unit.name}_"), answers, tuple(helpers)))
    return tuple(solutions)


@cache
def _blank_notebook(unit: Unit) -> NotebookNode:
    notebook = source_notebook(unit)
    for cell in notebook.cells:
        if grade_id(cell) in unit.by_name:
            cell.source = student_stub(unit[grade_id(cell)])
    return nbformat.reads(nbformat.writes(notebook), as_version=4)


def reference_answers(unit: Unit) -> dict[str, str]:
    """Return a unit's reference solutions, by the name of the exercise."""
    return {exercise.name: exercise.source for exercise in unit.exercises}


def namespace_with(unit: Unit, answers: Mapping[str, str], helpers: Sequence[str] = ()) -> dict[str, object]:
    """Return a notebook's namespace after its cells have run: given names, helpers and answers."""
    names: dict[str, object] = {"__name__": "__main__"}
    exec(f"from {unit.module.__name__} import *", names)
    for source in (*helpers, *(answers[each] for each in unit.by_name if each in answers)):
        exec(compile(source, "<cell>", "exec", dont_inherit=True), names)
    return names


def notebook_with(unit: Unit, answers: dict[str, str], helpers: tuple[str, ...] = ()) -> NotebookNode:
    """Return the student's notebook with these answers filled in, and with the helpers in a cell at the top."""
    return deepcopy(_filled_notebook(unit, answers, helpers))


def _filled_notebook(unit: Unit, answers: Mapping[str, str], helpers: Sequence[str]) -> NotebookNode:
    """Return the student's notebook with answers and helpers.

    All other cells are the same objects as in the blank notebook.
    """
    blank = _blank_notebook(unit)
    cells = [NotebookNode(cell | {"source": answers.get(grade_id(cell) or "", cell.source)}) for cell in blank.cells]
    if helpers:
        cells.insert(1, new_code_cell("\n".join(helpers), id="helpers"))
    return NotebookNode(blank | {"cells": cells})


def submission_with(unit: Unit, answers: dict[str, str], helpers: tuple[str, ...] = ()) -> Submission:
    """Return a submission with these answers and helpers. Exercises that are not in `answers` are unwritten."""
    return submission_of(_filled_notebook(unit, answers, helpers), unit.catalogue)


def submission_of_solution(right: RightSolution) -> Submission:
    """Return a full solution as a submission."""
    return submission_with(right.unit, right.answers, right.helpers)


OPEN_SANDBOXES = ExitStack()


def sandbox_of(unit: Unit) -> Sandbox:
    """Return the sandbox that this process uses for a unit.

    The sandbox level is "off", because the answers in a pack are trusted.
    """
    return _sandbox_of_process(unit, os.getpid())


@cache
def _sandbox_of_process(unit: Unit, _process: int) -> Sandbox:
    return OPEN_SANDBOXES.enter_context(open_sandbox(unit, AUTHOR_POLICY))


def grade_trusted(submission: Submission, *exercises: str, seed: str = "0") -> Graded:
    """Grade these exercises of a submission, or all exercises if none is named, and return the report."""
    policy = replace(AUTHOR_POLICY, exercises=exercises, seed=seed)
    return grade_in(sandbox_of(submission.unit), submission, policy)


# ------------------------------------------------------------------------------------------------- judged by kits

COURSE_SEED = "of a course, and secret"
AMPLE_TIME = 20 * SECONDS_PER_CALL  # long enough that no right answer fails on a busy machine


def messages_if_examples_accept(wrong: Mistake) -> list[str]:
    """Return a message if an exercise's visible examples accept this mistake.

    During this test, all other exercises have right answers.
    """
    unit = wrong.unit
    try:
        names = namespace_with(unit, reference_answers(unit) | {wrong.exercise: wrong.source})
    except Exception:  # the cell of the answer raised an exception
        return []
    is_accepted = run_practice_exam(answer_in_namespace(names, wrong.exercise, unit.name), {}).passed
    return [f"the examples accept {wrong.exercise}__{wrong.name}"] if is_accepted else []


@cache
def sealed_paper_of(unit: Unit, name: str, seed: str = PUBLISHED_SEED) -> SealedPaper | None:
    """Return an exercise's sealed paper in the kit of a course with this seed.

    Return None if kits cannot judge the exercise.
    """
    exam = _practice_exam(unit, seed)
    if is_left_to_teachers(unit, exam.checks, name):
        return None
    return from_data(SealedPaper, json.loads(json.dumps(as_data(sealed_paper(exam, exam.by_name[name])))))


@cache
def _practice_exam(unit: Unit, seed: str) -> Exam:
    return exam_for(unit) if seed == PUBLISHED_SEED else without_reserved_calls(exam_for(unit), seed)


def practice_outcome(
    unit: Unit,
    name: str,
    answers: Mapping[str, str],
    helpers: Sequence[str] = (),
    seconds: float = SECONDS_PER_CALL,
    seed: str = PUBLISHED_SEED,
) -> PracticeOutcome:
    """Run an exercise's practice exam with these answers, and return the outcome.

    `seconds` is the time limit for each call.
    """
    sealed = {each: paper for each in unit.by_name if (paper := sealed_paper_of(unit, each, seed))}
    return run_practice_exam(
        answer_in_namespace(namespace_with(unit, answers, helpers), name, unit.name), sealed, seconds
    )


def messages_if_kit_accepts(wrong: Mistake, seed: str = PUBLISHED_SEED) -> list[str]:
    """Return a message if a student kit accepts this mistake, together with right answers to all other exercises."""
    unit = wrong.unit
    requirements = requirements_of(unit, unit[wrong.exercise])
    if deciding_finding(requirements, review(requirements, wrong.source)):
        return []
    if not sealed_paper_of(unit, wrong.exercise, seed):
        return [f"the kit accepts {wrong.exercise}__{wrong.name} (left to a teacher: several answers are right)"]
    answers = reference_answers(unit) | {wrong.exercise: wrong.source}
    try:
        practice = practice_outcome(unit, wrong.exercise, answers, seed=seed)
    except Exception:  # the cell of the answer raised an exception
        return []
    left = f" (left to a teacher: {', '.join(practice.left)})" if practice.left else ""
    return [f"the kit accepts {wrong.exercise}__{wrong.name}{left}"] if practice.passed else []


def messages_if_kit_refuses(right: RightSolution, seed: str = PUBLISHED_SEED, exercise: str | None = None) -> list[str]:
    """Return a message for each answer of the solution `right` that a student kit refuses.

    If `exercise` is given, only the answer to this exercise is checked.
    """
    unit = right.unit
    chosen = [exercise] if exercise else [*unit.by_name]
    made = ((name, practice_outcome(unit, name, right.answers, right.helpers, AMPLE_TIME, seed)) for name in chosen)
    return [
        f"the kit refuses {name} of {right.style}: {line}" for name, practice in made for line in _failures_in(practice)
    ]


def _failures_in(practice: PracticeOutcome) -> Iterator[str]:
    """Yield the visible examples and the facets that an answer fails."""
    yield from map(str, practice.examples)
    yield from (f"{facet.name}: {facet.failure}" for facet in practice.facets if not facet.passed)


def messages_if_left_to_teacher(unit: Unit, name: str) -> list[str]:
    """Return a message if student kits cannot judge an exercise."""
    if sealed_paper_of(unit, name):
        return []
    file = unit.pack.role_file("alike", unit.name)
    return [f"{name} has accepts=, so a kit leaves it to the teacher. To change that, write ALIKE in {file}"]


def messages_if_waiting(unit: Unit, name: str) -> list[str]:
    """Return messages if a right answer fails before the cells of later exercises have run."""
    earlier = takewhile(lambda each: each != name, unit.by_name)
    solved = {each: reference_answers(unit)[each] for each in (*earlier, name)}
    lines = [f"in the kit: {line}" for line in _failures_in(practice_outcome(unit, name, solved, seconds=AMPLE_TIME))]
    report = grade_trusted(submission_with(unit, solved), name)[name]
    if report.state != PASSED:
        lines.append(f"with everything installed: {first_problem_text(report)}")
    return [f"{name} waits for a later exercise {line}" for line in lines]
