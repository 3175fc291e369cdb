"""Count the changed solutions that a teacher's tests let pass, and how many of them the exam refuses."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from autograder.config import OWN_ANSWERS
from autograder.exam.model import Exam, Facet
from autograder.exam.plan import planned
from autograder.exam.store import exam_for
from autograder.grading.runs import Budget, RunResult, Setting, job_for, run_alone
from autograder.prove.answers import sandbox_of, submission_with
from autograder.prove.mutate import mutants_of
from autograder.units.unit import Unit
from course.limits import SECONDS_FOR_EXTRAS
from course.syntax import names_in

VARIANT_POLICY = replace(OWN_ANSWERS, seconds_per_call=0.1)
VARIANTS_TRIED = 20  # of a solution
CATCHABLE_VARIANTS = 6  # of them, for `catch`


@dataclass(frozen=True)
class Variants:
    """The numbers of solutions with one change: those that were tried, and those that pass the teacher's tests.

    `refused` is the number of passing ones that the exam refuses. `wrong` are some that the exam refuses, and that end.
    """

    tried: int = 0
    passing: int = 0
    refused: int = 0
    wrong: tuple[str, ...] = ()

    def __add__(self, other: Variants) -> Variants:
        return Variants(self.tried + other.tried, self.passing + other.passing, self.refused + other.refused)

    def __str__(self) -> str:
        return (
            f"of {self.tried} small changes to your solutions, your tests notice {self.tried - self.passing}, "
            f"and the exam {self.tried - self.passing + self.refused}"
        )


def count_variants(unit: Unit, name: str, facets: Collection[str]) -> Variants:
    """Return what becomes of the changed solutions of an exercise. The teacher's calls are those of the facets."""
    exam, mutants = exam_for(unit), mutants_of(unit, unit[name])
    chosen = [each.source for each in mutants[:: -(-len(mutants) // VARIANTS_TRIED) or 1]]
    paper = exam.by_name[name]
    calls = tuple(_without_contrasts(each) for each in paper.facets if each.name in facets)
    tests = replace(exam, by_name=exam.by_name | {name: replace(paper, facets=calls)})
    failing = {source: ran for source in chosen if calls and not (ran := run_in_exam(tests, name, source)).passed}
    passing = {source: run_in_exam(exam, name, source) for source in chosen if source not in failing}
    refused = {source: ran for source, ran in passing.items() if not ran.passed}
    needs = names_in(unit[name].source)
    ended = (source for source, ran in (refused | failing).items() if not (ran.endless or ran.unloaded))
    wrong = [source for source in ended if names_in(source) <= needs]
    return Variants(len(chosen), len(passing), len(refused), tuple(wrong[:CATCHABLE_VARIANTS]))


def _without_contrasts(facet: Facet) -> Facet:
    """Return a facet with the teacher's calls only."""
    own, more = facet.rule_calls, facet.rule_calls + facet.contrasts
    calls, expected = facet.calls[:own] + facet.calls[more:], facet.expected[:own] + facet.expected[more:]
    return replace(facet, calls=calls, expected=expected, contrasts=0)


def run_in_exam(exam: Exam, name: str, source: str) -> RunResult:
    """Return the outcome of an answer in an exam."""
    unit, paper = exam.unit, exam.by_name[name]
    plan = planned(exam, {name: source}, (), paper.mentions, name, frozenset(unit.by_name))
    setting = Setting(sandbox_of(unit), submission_with(unit, {}), VARIANT_POLICY, exam, Budget(SECONDS_FOR_EXTRAS))
    return run_alone(setting, job_for(setting, paper, plan))
