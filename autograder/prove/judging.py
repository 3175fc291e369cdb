"""Judge an author's own answers with the code that judges submissions. The sandboxes stay open."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import replace
from functools import cache

from autograder.config import OWN_ANSWERS
from autograder.grading.run import grade_in, open_sandbox
from autograder.prove.answers import submission_with
from autograder.prove.mutate import Mutant
from autograder.report.model import PASSED, UNGRADED, Graded
from autograder.sandbox.host import Sandbox
from autograder.submission.model import Submission
from autograder.units.unit import Unit

KILLED, SURVIVED, UNJUDGED = "killed", "survived", "unjudged"
STILL_OPEN = ExitStack()


def sandbox_of(unit: Unit) -> Sandbox:
    """Return this process's own sandbox for a unit. The answers in it are trusted."""
    return _opened(unit, os.getpid())


@cache
def _opened(unit: Unit, _process: int) -> Sandbox:
    return STILL_OPEN.enter_context(open_sandbox(unit, OWN_ANSWERS))


def graded(submission: Submission, *exercises: str, seed: str = "0") -> Graded:
    """Return the report on these exercises of a submission, or on all exercises."""
    policy = replace(OWN_ANSWERS, exercises=exercises, seed=seed)
    return grade_in(sandbox_of(submission.unit), submission, policy)


def fate(mutant: Mutant, seed: str = "0") -> str:
    """Return the outcome of a submission whose only answer is the mutant."""
    submission = submission_with(mutant.unit, {mutant.exercise: mutant.source})
    state = graded(submission, mutant.exercise, seed=seed)[mutant.exercise].state
    return {UNGRADED: UNJUDGED, PASSED: SURVIVED}.get(state, KILLED)
