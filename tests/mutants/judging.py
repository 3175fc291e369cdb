"""Judges mutants with the code that judges answers, in sandboxes that are kept open: nobody here is hostile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from functools import cache

from autograder.exams import exam_for
from autograder.grading import grade_in, open_sandbox
from autograder.reports import PASSED, UNGRADED, ExerciseReport, Policy
from autograder.sandbox.host import Sandbox
from tests.classroom import submission_with
from tests.mutants.mutate import Mutant

KILLED, SURVIVED, TIMED_OUT, UNJUDGED = "killed", "survived", "timed out", "unjudged"
POLICY = Policy(seconds_per_call=0.3, seconds_per_exercise=5, form_share=0.0, sandbox="off")
OPEN = ExitStack()


@cache
def sandbox_of(unit: str) -> Sandbox:
    """Give this process's sandbox for a unit."""
    return OPEN.enter_context(open_sandbox(unit, POLICY))


def report_on(mutant: Mutant) -> ExerciseReport:
    """Give the report on a submission whose only answer is the mutant."""
    submission = submission_with(mutant.unit, {mutant.exercise: mutant.source})
    policy = replace(POLICY, exercises=(mutant.exercise,))
    return grade_in(sandbox_of(mutant.unit), submission, policy)[mutant.exercise]


def fate(mutant: Mutant) -> str:
    """Give what became of a mutant."""
    report = report_on(mutant)
    failure = report.first_failure
    if report.state == UNGRADED:
        return UNJUDGED
    if failure and failure.verdict.endswith(("took too long", "took too much time")):
        return TIMED_OUT
    return SURVIVED if report.state == PASSED else KILLED


def fates(mutants: Iterable[Mutant], jobs: int) -> Iterator[tuple[Mutant, str]]:
    """Give each mutant with its fate, in order, judged by several processes."""
    chosen = list(mutants)
    for unit in {mutant.unit for mutant in chosen}:
        exam_for(unit)
    with ProcessPoolExecutor(jobs) as pool:
        yield from zip(chosen, pool.map(fate, chosen, chunksize=4), strict=True)
