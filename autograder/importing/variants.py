"""Count the changed solutions that a teacher's tests let pass, and how many of them the exam refuses."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from autograder.config import OWN_ANSWERS
from autograder.exam.model import Exam, Facet
from autograder.exam.plan import planned
from autograder.exam.store import exam_for
from autograder.grading.runs import Setting, job_for, run_alone
from autograder.importing.deciding import Decision
from autograder.prove.answers import sandbox_of, submission_with
from autograder.prove.mutate import mutants_of
from autograder.units.unit import Unit

MOST_VARIANTS = 20  # of a solution


@dataclass(frozen=True)
class Variants:
    """How many solutions with one change were tried, how many of them the tests accept, and how many only the tests."""

    tried: int = 0
    passing: int = 0
    refused: int = 0

    def __add__(self, other: Variants) -> Variants:
        return Variants(self.tried + other.tried, self.passing + other.passing, self.refused + other.refused)

    def __str__(self) -> str:
        return (
            f"your tests let {self.passing} of {self.tried} changed solutions pass; "
            f"the exam refuses {self.refused} of them"
        )


def variants_of(unit: Unit, decision: Decision) -> dict[str, Variants]:
    """Return for each function of a question what becomes of its changed solutions."""
    useless = {f"tests of {cell}" for cell, _ in decision.catches}
    return {
        each.name: _counted(unit, each.name, each.facets.keys() - useless) for each in decision.exercises if each.facets
    }


def _counted(unit: Unit, name: str, facets: Collection[str]) -> Variants:
    """Return what becomes of the changed solutions of an exercise. The teacher's calls are those of the facets."""
    exam, mutants = exam_for(unit), mutants_of(unit, unit[name])
    chosen = [each.source for each in mutants[:: -(-len(mutants) // MOST_VARIANTS) or 1]]
    paper = exam.by_name[name]
    calls = tuple(_without_contrasts(each) for each in paper.facets if each.name in facets)
    tests = replace(exam, by_name=exam.by_name | {name: replace(paper, facets=calls)})
    passing = [source for source in chosen if not calls or _passes(tests, name, source)]
    return Variants(len(chosen), len(passing), sum(not _passes(exam, name, source) for source in passing))


def _without_contrasts(facet: Facet) -> Facet:
    """Return a facet with the teacher's calls only."""
    own, more = facet.own, facet.own + facet.contrasts
    calls, expected = facet.calls[:own] + facet.calls[more:], facet.expected[:own] + facet.expected[more:]
    return replace(facet, calls=calls, expected=expected, contrasts=0)


def _passes(exam: Exam, name: str, source: str) -> bool:
    unit, paper = exam.unit, exam.by_name[name]
    plan = planned(exam, {name: source}, (), paper.mentions, name, frozenset(unit.by_name))
    setting = Setting(sandbox_of(unit), submission_with(unit, {}), OWN_ANSWERS, exam)
    return run_alone(setting, job_for(setting, paper, plan)).passed
