"""A grader whose sandboxes stay open for many submissions. The real grader replaces them more often."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace

from autograder.config import Policy
from autograder.grading.run import grade_in, open_sandbox
from autograder.report.model import ExerciseReport, Graded
from autograder.sandbox.host import Sandbox
from autograder.sandbox.sources import loadable_imports
from autograder.submission.model import Submission
from tests.classroom import submission_with
from tests.units import read_unit

POLICY = Policy(seconds_per_call=1.0, seconds_per_exercise=5)


class Grader:
    """A grader for harmless submissions. Each unit with its imports has a sandbox that is open as long as the stack."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._open: dict[tuple[str, tuple[str, ...]], Sandbox] = {}

    def grade(self, submission: Submission, *exercises: str, seed: str = POLICY.seed) -> Graded:
        """Return the report on these exercises of a submission, or on all exercises."""
        policy = replace(POLICY, exercises=exercises, seed=seed)
        return grade_in(self._sandbox(submission.unit.name, loadable_imports(submission.sources)), submission, policy)

    def one(self, unit: str, exercise: str, source: str) -> ExerciseReport:
        """Return the report on one answer."""
        return self.grade(submission_with(unit, {exercise: source}), exercise)[exercise]

    def _sandbox(self, unit: str, imports: tuple[str, ...]) -> Sandbox:
        if (unit, imports) not in self._open:
            sandbox = open_sandbox(read_unit(unit), POLICY, imports=imports)
            self._open[unit, imports] = self._stack.enter_context(sandbox)
        return self._open[unit, imports]
