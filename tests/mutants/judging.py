"""Judges mutants with the code that judges answers, in sandboxes that are kept open: nobody here is hostile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from functools import cache, partial

from autograder.config import Policy
from autograder.exam.store import exam_for
from autograder.grading.run import grade_in, open_sandbox
from autograder.report.model import PASSED, UNGRADED, Report
from autograder.sandbox.host import Sandbox
from autograder.sandbox.inside.runner import FAULTS, TimeUp
from autograder.submission.model import Submission
from tests.classroom import submission_with
from tests.mutants.mutate import Mutant

KILLED, SURVIVED, TIMED_OUT, UNJUDGED = "killed", "survived", "timed out", "unjudged"
POLICY = Policy(seconds_per_call=0.3, seconds_per_exercise=3, form_share=0.0, sandbox="off")
LATE = (FAULTS[TimeUp], f"used up its {POLICY.seconds_per_exercise} s of CPU time")
OPEN = ExitStack()


@cache
def sandbox_of(unit: str) -> Sandbox:
    """Give this process's sandbox for a unit."""
    return OPEN.enter_context(open_sandbox(unit, POLICY))


def graded(submission: Submission, *exercises: str, seed: str = "0") -> Report:
    """Give the report on these exercises of a submission, or on all."""
    policy = replace(POLICY, exercises=exercises, seed=seed)
    return grade_in(sandbox_of(submission.unit.name), submission, policy)


def fate(mutant: Mutant, seed: str = "0") -> str:
    """Give what became of a submission whose only answer is the mutant."""
    submission = submission_with(mutant.unit, {mutant.exercise: mutant.source})
    report = graded(submission, mutant.exercise, seed=seed)[mutant.exercise]
    failure = report.first_failure
    if report.state == UNGRADED:
        return UNJUDGED
    if failure and failure.verdict.endswith(LATE):
        return TIMED_OUT
    return SURVIVED if report.state == PASSED else KILLED


def fates(mutants: Iterable[Mutant], seed: str, jobs: int) -> Iterator[tuple[Mutant, str]]:
    """Give each mutant with its fate in the exam of a seed, in order, judged by several processes."""
    chosen = list(mutants)
    for unit in {mutant.unit for mutant in chosen}:
        exam_for(unit, seed)
    with ProcessPoolExecutor(jobs) as pool:
        yield from zip(chosen, pool.map(partial(fate, seed=seed), chosen, chunksize=4), strict=True)
