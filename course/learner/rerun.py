"""Run a failing call of a check again: for the viewer below the check, and for the facts in a diagnosis."""

from __future__ import annotations

from course.diagnoses.failure import PRINTED, Failure
from course.exam.calls import Names
from course.exam.observing import TimeUp
from course.kernel import catalogue
from course.kernel.limits import limited
from course.learner.alone import among_references
from course.learner.answer import Answer
from course.watch.facts import facts_of
from course.watch.marking import wrong_calls
from course.watch.record import RUN_LIMITS
from course.watch.recorder import RunLimits
from course.watch.run import RecordedRun
from course.watch.watching import given_by, recorded_code

SECONDS_FOR_FACTS = 2.0
FACT_LIMITS = RunLimits(steps=3_000, values=30_000, seconds=1.0)


def names_of_check(answer: Answer) -> Names:
    """Return the namespace in which a check runs an answer: with references, if there are any."""
    alone = among_references(answer) if answer.source and catalogue.references() is not None else None
    return (alone or answer).names


def failed_run_of(code: str, answer: Answer, names: Names, limits: RunLimits = RUN_LIMITS) -> RecordedRun:
    """Record a failing call. Given names have the unit's own values, even if a cell has redefined them."""
    return recorded_code(code, names, {**names, **given_by(answer.requirements.module)}, limits)


def facts_about(answer: Answer, failure: Failure) -> str:
    """Return what decided the outcome of a failing call, or "" if that is unknown. The call runs again."""
    names = names_of_check(answer)
    try:
        with limited(SECONDS_FOR_FACTS):
            run = failed_run_of(failure.source, answer, names, FACT_LIMITS)
            wrong = {} if failure.did == PRINTED else wrong_calls(run, names)
            return facts_of(run, answer.name, failure, names, wrong)
    except (Exception, TimeUp):  # the learner's code may raise anything
        return ""
