"""The grader in a learner's kernel. `course.check` loads it through an entry point."""

from __future__ import annotations

import atexit
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TypeVar

from autograder.config import PUBLISHED_SEED, ConfigError, Policy, policy_for, with_course_packs
from autograder.exam.model import checks_of
from autograder.grading.run import grade, grade_in, open_sandbox
from autograder.report import render
from autograder.report.model import ExerciseReport, ExtraPrinting, Graded, KnownMistake
from autograder.report.stops import NoNotebook
from autograder.report.words import NOT_IN_NOTEBOOK, stop_text
from autograder.sandbox.host import NoSandbox, Sandbox
from autograder.submission.model import NO_ASSIGNMENT
from autograder.submission.reading import CHECK, grade_id
from autograder.submission.sort import NotebookError, read_notebook, read_submission, submission_of_cells
from autograder.term.assignments import points_of, scaled_points
from autograder.units.pack import Catalogue, catalogue_here
from autograder.units.unit import Unit, UnitError, read_unit
from course.data import from_data
from course.exam.sealed import Puzzle, SealedExam, WorldData
from course.kernel.notebook import NotRight, namespace, unit_with_exercise
from course.kernel.workspace import workspace_of
from course.learner.answer import Answer
from course.show.results import OPEN, Result

T = TypeVar("T")


class Examiner:
    """Checks the learner's own cells, which are trusted on the learner's machine.

    For nbgrader, the examiner checks notebook files.
    """

    def examine(self, answer: Answer) -> Result | None:
        """Return the result of one exercise, from the cells that the learner has run, or None for an unknown unit.

        The course's settings apply, except its secret seed, because the exam with the secret seed is not for practice.
        """
        folder, cells = answer.space.folder, [run.source for run in answer.space.runs]
        try:
            catalogue = catalogue_for(folder)
            if answer.unit not in catalogue.units:
                return None
            submission = submission_of_cells(read_unit(catalogue, answer.unit), cells)
            shared = kernel_policy(folder)
            policy = replace(shared, exercises=(answer.name,))
            report = grade_in(open_kernel_sandbox(submission.unit, shared), submission, policy)
            if not report.is_graded:  # the process that runs all checks may have died: start a new one
                open_kernel_sandbox.cache_clear()
                report = grade_in(open_kernel_sandbox(submission.unit, shared), submission, policy)
        except (ConfigError, UnitError, NotebookError) as error:
            raise NotRight(str(error)) from None
        except NotImplementedError:
            return None
        return _kernel_result(report[answer.name])

    def grade_file(self, folder: str, name: str) -> tuple[float, Result]:
        """Return the mark and the result of one exercise in the folder's notebook. The notebook is graded only once."""
        path, points = _notebook_with_check(folder, name)
        if path is None:
            return 0.0, Result(name, OPEN, stop_text(NoNotebook(name, folder)))
        report = file_report(path, catalogue_for(Path(folder)))
        if name not in report.assigned_exercises:
            return 0.0, Result(name, OPEN, NOT_IN_NOTEBOOK)
        exercise = report[name]
        mark = exercise.points if points is None else scaled_points(exercise.points, exercise.of, points)
        return mark, render.result_of(exercise)

    def reference(self, unit_name: str, name: str) -> str:
        """Return the source code of an exercise's reference solution."""
        try:
            return unit_named(unit_name)[name].source
        except (ConfigError, UnitError) as error:
            raise NotRight(f"the reference solution is not available: {error}") from None

    def practice_calls(self, unit_name: str, name: str) -> tuple[str, ...]:
        """Return the calls of an exercise in the practice exam, as code. For an unknown unit, return ()."""
        from autograder.exam.sealing import practice_calls  # imported here, because only questions need it

        return _for_known_unit(unit_name, lambda unit: practice_calls(unit, name), ())

    def sealed_exam(self, unit_name: str) -> SealedExam:
        """Return the sealed practice exam of a unit. On systems without fork, checks use this exam."""
        from autograder.exam.sealing import sealed_practice  # imported here, because only these systems need it

        text = _for_known_unit(unit_name, lambda unit: sealed_practice(unit, PUBLISHED_SEED), "{}")
        return from_data(SealedExam, json.loads(text))

    def worlds(self, unit_name: str) -> dict[str, WorldData]:
        """Return the worlds of a unit's exercises, by exercise. For an unknown unit, return {}."""
        from autograder.exam.impostors import impostors_of  # imported here, because no check needs it

        return _for_known_unit(unit_name, impostors_of, {})

    def stored_worlds(self, unit_name: str) -> dict[str, WorldData] | None:
        """Return the worlds of a unit's exercises, or None if they are not computed yet.

        For an unknown unit, return {}.
        """
        from autograder.exam.impostors import stored_impostors  # imported here, because few checks need it

        unknown: dict[str, WorldData] | None = {}
        return _for_known_unit(unit_name, stored_impostors, unknown)

    def puzzle(self, unit_name: str, name: str) -> Puzzle | None:
        """Return the puzzle of an exercise, or None if there is no puzzle."""
        from autograder.grading.puzzles import puzzle_of  # imported here, because no check needs it

        return _for_known_unit(unit_name, lambda unit: puzzle_of(unit, name), None)

    def has_one_answer(self, unit_name: str, name: str) -> bool:
        """Return whether only the reference's results count as right. For an unknown unit, return False."""
        return _for_known_unit(unit_name, lambda unit: checks_of(unit)[name].has_one_answer, False)


def _for_known_unit(name: str, make: Callable[[Unit], T], otherwise: T) -> T:
    """Return the result of the function `make` for a unit, or `otherwise` for an unknown unit."""
    try:
        return make(unit_named(name))
    except (ConfigError, UnitError):
        return otherwise


def catalogue_for(folder: Path) -> Catalogue:
    """Return the catalogue of units for the notebooks in a folder."""
    return with_course_packs(catalogue_here(), folder)


def unit_named(name: str) -> Unit:
    """Return the unit with this name, from the packs that the running notebook can use.

    Raises UnitError if no unit has this name.
    """
    return read_unit(catalogue_for(workspace_of(namespace(0)).folder), name)


def kernel_policy(folder: Path) -> Policy:
    """Return the policy for a learner's own machine, where no sandbox is needed."""
    return replace(policy_for(folder), sandbox="off", seed=PUBLISHED_SEED)


@cache
def open_kernel_sandbox(unit: Unit, policy: Policy) -> Sandbox:
    """Start the process that runs a learner's checks of a unit, and return this process.

    The process runs until the kernel ends.
    """
    sandbox = open_sandbox(unit, policy)
    sandbox.__enter__()
    atexit.register(sandbox.__exit__, None, None, None)
    return sandbox


def _kernel_result(report: ExerciseReport) -> Result:
    """Return an exercise's report as the kernel's result."""
    mistake = report.mistake or KnownMistake("", "")
    result = replace(
        render.result_of(report),
        belief="",
        points=report.points,
        form_points=report.form_points,
        form_of=report.form_of,
        prints=ExtraPrinting() in report.remarks,
    )
    if report.stop:
        return result
    return replace(result, belief=mistake.belief, says=mistake.truth, example="")  # the kernel finds better advice


def _notebook_with_check(folder: str, name: str) -> tuple[Path | None, float | None]:
    """Return the notebook in a folder that checks an exercise, and the points that its check sets.

    If several notebooks have the exercise, the running notebook is preferred.
    """
    names = namespace(0)
    running = workspace_of(names).running_notebooks.get(unit_with_exercise(names, name) or "")
    for path in sorted(Path(folder).glob("*.ipynb"), key=lambda path: (running is None or path != running.path, path)):
        with suppress(NotebookError):
            for cell in read_notebook(path).cells:
                if grade_id(cell) == name + CHECK:
                    return path, points_of(cell)
    return None, None


@cache
def file_report(path: Path, catalogue: Catalogue) -> Graded:
    """Grade a notebook file and return its report. The report is cached, so all checks of the file share it.

    If this machine has no sandbox, the notebook is graded without one, as nbgrader itself would do.
    """
    from autograder.term.course import read_course  # imported here, because only nbgrader needs it

    course, (student, assignment) = read_course(path.parent, catalogue), path.absolute().parts[-3:-1]
    adjust, parts = course.adjustments, course.assignments.get(assignment, NO_ASSIGNMENT)
    submission = read_submission(path, course.catalogue, parts=parts)
    try:
        report = grade(submission, course.policy)
    except NoSandbox:
        report = grade(submission, replace(course.policy, sandbox="off"))
    adjusted = adjust.adjusted_report(report, student, assignment)
    assert isinstance(adjusted, Graded)
    return adjusted
