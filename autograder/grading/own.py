"""Run the learner's own functions together. If right answers fail then, find the function that causes it.

This never changes a mark. No run has a secret: its calls are published, and references are there only for solved
exercises.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import cache

from msgspec import structs

from autograder.exam.model import Exam
from autograder.exam.plan import sources_of
from autograder.grading.answer import Examination
from autograder.grading.budget import Spent
from autograder.grading.judgement import Assessor
from autograder.grading.runs import Job, RunResult, run_alone, run_together
from autograder.report.model import PASSED, Clashes, ExerciseReport, Fits, NotTried, Own, Waits
from autograder.submission.plain import can_share_process
from autograder.submission.stateless import is_stateless
from course.graph import reached
from course.syntax import names_in

MOST_ENDLESS = 3
SAMPLE = 24


def with_own_functions(examination: Examination, reports: list[ExerciseReport]) -> list[ExerciseReport]:
    """Return the reports. Each right exercise gets a note on how it works with the learner's own functions."""
    if all(report.state == PASSED for report in reports):
        return reports
    notes = _Among(examination, reports).notes()
    return [structs.replace(report, own=notes.get(report.name)) for report in reports]


@cache
def assessor_among(exam: Exam, name: str) -> Assessor:
    """Return the assessor for runs with the learner's own functions.

    The assessor makes only a few of the exam's published calls.
    """
    paper = exam.by_name[name].published
    facets = []
    for facet in paper.facets:
        if facet.calls and not facet.joint:
            step = max(1, len(facet.calls) // SAMPLE)  # from the smallest to the largest
            few = replace(facet, calls=facet.calls[::step], expected=facet.expected[::step], contrasts=0)
            facets.append(few)
    return Assessor(exam, replace(paper, facets=tuple(facets)), exam.checks[name].invariant)


class _Among:
    """A runner of the learner's functions together, which stops after several endless calls."""

    def __init__(self, examination: Examination, reports: list[ExerciseReport]) -> None:
        self.setting, self.submission, self.exam = examination.setting, examination.submission, examination.exam
        self.right = [report.name for report in reports if report.state == PASSED]
        self.wrong = {report.name for report in reports if report.state != PASSED}

    def notes(self) -> dict[str, Own]:
        """Return how each right exercise works with the others, if it uses any that are wrong."""
        notes, jobs = dict[str, Own](), dict[str, Job]()
        for name in self.right:
            others = self._others(name)
            if missing := [other for other in others if other not in self.submission.answers]:
                notes[name] = Waits(tuple(missing))
            elif self.wrong & {*others} and (job := self._job(name, others)):
                jobs[name] = job
        plain = {name: job for name, job in jobs.items() if job.is_plain}
        outcomes, endless = dict[str, RunResult | None](), 0
        with suppress(Spent):
            outcomes |= zip(plain, run_together(self.setting, [*plain.values()]), strict=True)
        for name, job in jobs.items():
            outcome = outcomes.get(name)
            try:
                if outcome is None and (endless >= MOST_ENDLESS or self.setting.budget.left <= 0):
                    notes[name] = NotTried()
                    continue
                outcome = outcome or run_alone(self.setting, job)
                endless += outcome.endless
                if outcome.passed:
                    notes[name] = Fits()
                    continue
                wrong = [other for other in self._others(name) if other in self.wrong]
                # To blame are those that use no other wrong function.
                first = [each for each in wrong if not {*self._others(each)} & {*wrong} - {each}] or wrong
                notes[name] = Clashes(tuple(first), together=len(first) > 1)
            except Spent:
                notes[name] = NotTried()
            except Exception:  # an error of the grader costs no points
                continue
        return notes

    def _job(self, name: str, others: Iterable[str]) -> Job | None:
        """Return the run of an answer with others, or None if it needs a reference that the author has not earned."""
        assessor = assessor_among(self.exam, name)
        plan = self.setting.plan({name, *others}, assessor.paper)
        is_open = self.setting.policy.lends or all(step.name in self.right for step in plan if step.is_reference)
        may_share = self.setting.may_share and not assessor.paper.modules and is_stateless(self.exam.unit.module)
        is_plain = may_share and can_share_process(sources_of(plan), self.exam.unit.module)
        return Job(assessor.paper, plan, assessor, is_plain) if is_open else None

    def _others(self, name: str) -> tuple[str, ...]:
        """Return the exercises that an answer uses, directly or through helpers."""
        met = reached({name}, self._named) - {name}
        return tuple(other for other in self.submission.assigned if other in met)

    def _named(self, name: str) -> set[str]:
        answer = self.submission.answers.get(name)
        if answer is None:
            return set(self.exam.unit.reached[name])
        helpers = self.submission.helpers_for([answer.source])
        words = set().union(*(helper.uses for helper in helpers)) | names_in(answer.source)
        return words & set(self.exam.unit.by_name)
