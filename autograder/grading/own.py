"""Run the learner's own functions together. If right answers fail then, find the function that causes it.

This never changes a mark.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import cache
from itertools import combinations

from msgspec import structs

from autograder.exam.model import Exam, Facet
from autograder.exam.plan import Plan, sources_of
from autograder.grading.budget import Spent
from autograder.grading.judgement import Assessor
from autograder.grading.memory import Verdict
from autograder.grading.series import Series
from autograder.grading.session import Session, Setting
from autograder.grading.trial import why_hidden
from autograder.report.model import PASSED, Clashes, ExerciseReport, FacetReport, Fits, NotTried, Own, Waits
from autograder.submission.plain import can_share_process
from autograder.submission.stateless import is_stateless
from course.graph import reached
from course.syntax import names_in

MOST_ENDLESS = 3
SAMPLE = 24


def with_own_functions(setting: Setting, reports: list[ExerciseReport]) -> list[ExerciseReport]:
    """Return the reports. Each right exercise gets a note on how it works with the learner's own functions."""
    if all(report.state == PASSED for report in reports):
        return reports
    with closing(Series(setting.sandbox, setting.budget)) as series:
        among = _Among(setting, reports, series)
        return [structs.replace(report, own=among.guarded(report)) for report in reports]


@cache
def assessor_among(exam: Exam, name: str) -> Assessor:
    """Return the assessor for runs with the learner's own functions.

    The assessor makes only a few of the exam's calls.
    """
    paper = exam.by_name[name]
    facets = tuple(_thinned(facet) for facet in paper.facets if not facet.joint)
    return Assessor(exam, replace(paper, facets=facets), exam.checks[name].invariant)


def _thinned(facet: Facet) -> Facet:
    """Return a facet with only a few of its calls, from the smallest to the largest."""
    step = max(1, len(facet.calls) // SAMPLE)
    return replace(facet, calls=facet.calls[::step], expected=facet.expected[::step], contrasts=0)


def _until_failed(facets: Iterable[FacetReport]) -> Iterator[FacetReport]:
    for facet in facets:
        yield facet
        if not facet.passed:
            return


class _Among:
    """A runner of the learner's functions together, which stops after several endless calls."""

    def __init__(self, setting: Setting, reports: list[ExerciseReport], series: Series) -> None:
        self.setting, self.submission, self.exam, self.series = setting, setting.submission, setting.exam, series
        self.wrong = {report.name for report in reports if report.state != PASSED}
        self.solved = frozenset(report.name for report in reports if report.state == PASSED)
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
        if not self.wrong & set(others):
            return None
        if self._is_hidden(report.name, others):
            return None
        if self.endless >= MOST_ENDLESS or self.setting.budget.left <= 0:
            return NotTried()
        return self._fit(report.name, others, [name for name in others if name in self.wrong])

    def _is_hidden(self, name: str, others: Iterable[str]) -> bool:
        """Return whether these answers could reveal the reference of an exercise that their author has not solved."""
        paper = assessor_among(self.exam, name).paper
        plans = (self.setting.plan(own, paper) for own in ({name}, {name, *others}))
        return why_hidden(self.setting, [step for plan in plans for step in plan], self.solved) is not None

    def _fit(self, name: str, others: tuple[str, ...], wrong: list[str]) -> Own:
        """Return how an exercise works with the others, and the functions that cause a failure.

        The functions are tried one by one, and then in pairs.
        """
        if self._fits(name, others):
            return Fits()
        right = [other for other in others if other not in wrong]
        for suspects in [*((other,) for other in wrong + right), *combinations(wrong, 2)]:
            if not self._fits(name, suspects):
                return Clashes(suspects)
        return Clashes(others, together=True)

    def _fits(self, name: str, others: Iterable[str]) -> bool:
        assessor = assessor_among(self.exam, name)
        plan = self.setting.plan({name, *others}, assessor.paper)
        what = self.setting.run_of("others with", name, plan)
        if (known := self.setting.recalled(what, plan)) is not None:
            return bool(known)
        before = self.setting.budget.spent
        may_share = self._may_share(plan) and not assessor.paper.modules
        session = Session(self.setting, assessor.paper, plan, name, assessor, series=self.series if may_share else None)
        fits = self._passes(session)
        self.endless += session.endless
        if session.is_orderly:
            verdict = Verdict(fits, self.setting.budget.spent - before)
            self.setting.memory.keep(what, plan, verdict, session.depends_on_lines)
        return fits

    def _passes(self, session: Session) -> bool:
        """Return whether a run passes all facets. A run that is not plain is in no series, and has its own child.

        After an error or a fault, the child of a series makes no other run.
        """
        is_reusable = False
        if session.series is None:
            self.series.close()
        try:
            facets = list(_until_failed(session.facets(session.paper.facets, find_death=False)))
            is_reusable = session.is_clean
        finally:
            self.series.finish_run(is_reusable=is_reusable)
        return all(facet.passed for facet in facets) and not session.unloaded

    def _may_share(self, plan: Plan) -> bool:
        """Return whether the child of a run may make other runs, too."""
        module = self.exam.unit.module
        return is_stateless(module) and can_share_process(sources_of(plan), module)

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
