"""Run the learner's own functions together. If right answers fail then, find the function that causes it.

This never changes a mark. No run has a secret: its calls are published, and references are there only for solved
exercises.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import combinations

from msgspec import structs

from autograder.exam.model import Exam, Facet
from autograder.exam.plan import sources_of
from autograder.grading.answer import Examination
from autograder.grading.budget import Spent
from autograder.grading.judgement import Assessor
from autograder.grading.runs import Job, Outcome, run_alone, run_together
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
    among = _Among(examination, reports)
    return [structs.replace(report, own=among.guarded(report)) for report in reports]


@cache
def assessor_among(exam: Exam, name: str) -> Assessor:
    """Return the assessor for runs with the learner's own functions.

    The assessor makes only a few of the exam's published calls.
    """
    paper = exam.by_name[name].published
    facets = tuple(_thinned(facet) for facet in paper.facets if facet.calls and not facet.joint)
    return Assessor(exam, replace(paper, facets=facets), exam.checks[name].invariant)


def _thinned(facet: Facet) -> Facet:
    """Return a facet with only a few of its calls, from the smallest to the largest."""
    step = max(1, len(facet.calls) // SAMPLE)
    return replace(facet, calls=facet.calls[::step], expected=facet.expected[::step], contrasts=0)


class _Among:
    """A runner of the learner's functions together, which stops after several endless calls."""

    def __init__(self, examination: Examination, reports: list[ExerciseReport]) -> None:
        self.setting, self.submission, self.exam = examination.setting, examination.submission, examination.exam
        self.wrong = {report.name for report in reports if report.state != PASSED}
        self.earned = {report.name for report in reports if report.state == PASSED}
        self.endless = 0

    def guarded(self, report: ExerciseReport) -> Own:
        """Return how an exercise works with the others.

        Return None after an error of the grader, which costs no points.
        """
        try:
            return self._own(report)
        except Spent:
            return NotTried()
        except Exception:
            return None

    def _own(self, report: ExerciseReport) -> Own:
        if report.state != PASSED:
            return None
        others = self._others(report.name)
        if missing := [name for name in others if name not in self.submission.answers]:
            return Waits(tuple(missing))
        if not self.wrong & set(others) or not self._has_no_secret(report.name, others):
            return None
        if self.endless >= MOST_ENDLESS or self.setting.budget.left <= 0:
            return NotTried()
        return self._fit(report.name, others, [name for name in others if name in self.wrong])

    def _fit(self, name: str, others: tuple[str, ...], wrong: list[str]) -> Own:
        """Return how an exercise works with the others, and the functions that cause a failure.

        The functions are tried one by one, and then in pairs.
        """
        if self._fits(name, [others])[0]:
            return Fits()
        right = [other for other in others if other not in wrong]
        alone: list[tuple[str, ...]] = [(other,) for other in wrong + right]
        pairs: list[tuple[str, ...]] = [*combinations(wrong, 2)]
        for suspects in (alone, pairs):
            for each, fits in zip(suspects, self._fits(name, suspects), strict=True):
                if not fits:
                    return Clashes(each)
        return Clashes(others, together=True)

    def _fits(self, name: str, groups: list[tuple[str, ...]]) -> list[bool]:
        """Return for each group of functions whether the exercise works with it."""
        assessor, module = assessor_among(self.exam, name), self.exam.unit.module
        jobs = [Job(assessor.paper, self.setting.plan({name, *group}, assessor.paper), assessor) for group in groups]
        may_share = self.setting.may_share and is_stateless(module) and not assessor.paper.modules
        is_plain = [may_share and can_share_process(sources_of(job.plan), module) for job in jobs]
        shared = iter(run_together(self.setting, [job for job, each in zip(jobs, is_plain, strict=True) if each]))
        return [self._passes(job, next(shared) if each else None) for job, each in zip(jobs, is_plain, strict=True)]

    def _passes(self, job: Job, outcome: Outcome | None) -> bool:
        done = outcome or run_alone(self.setting, job)
        self.endless += done.endless
        return done.passed

    def _has_no_secret(self, name: str, others: Iterable[str]) -> bool:
        """Return whether no run of these answers needs a reference that their author has not earned."""
        paper = assessor_among(self.exam, name).paper
        plans = (self.setting.plan(own, paper) for own in ({name}, {name, *others}))
        needed = {step.name for plan in plans for step in plan if step.is_reference}
        return self.setting.policy.lends or needed <= self.earned

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
