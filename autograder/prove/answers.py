"""Make submissions of a pack's own answers, and judge them with the code that judges submissions.

For an import, count the changed solutions that the teacher's tests let pass, and those that the exam refuses.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from autograder.config import OWN_ANSWERS
from autograder.exam.model import Exam, Facet
from autograder.exam.plan import planned
from autograder.exam.store import exam_for
from autograder.grading.run import grade_in, open_sandbox
from autograder.grading.runs import Budget, RunResult, Setting, job_for, run_alone
from autograder.prove.mutate import Mutant, mutants_of
from autograder.report.model import PASSED, UNGRADED, Graded
from autograder.sandbox.host import Sandbox
from autograder.submission.model import Submission
from autograder.submission.reading import grade_id
from autograder.submission.sort import submission_of
from autograder.units.build import source_notebook, student_stub
from autograder.units.mistakes import Mistake
from autograder.units.unit import Unit, UnitError
from autograder.units.written import location_of, written_statements
from course.limits import SECONDS_FOR_EXTRAS
from course.syntax import bound_names, names_in


@dataclass(frozen=True)
class RightSolution:
    """A full solution in one style: answers by exercise, and other definitions, in order."""

    unit: Unit
    style: str
    answers: dict[str, str]
    helpers: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.unit.name}-{self.style}"

    def location(self, exercise: str) -> str:
        """Return the file and line of an answer."""
        path = self.unit.pack.folder("right") / f"{self.unit.name}_{self.style}.py"
        return location_of(path, exercise)


@cache
def right_answers(unit: Unit) -> tuple[RightSolution, ...]:
    """Return the full solutions of a unit."""
    return tuple(_right_solution_in(unit, path) for path in sorted(unit.pack.folder("right").glob(f"{unit.name}_*.py")))


def _right_solution_in(unit: Unit, path: Path) -> RightSolution:
    answers: dict[str, str] = {}
    helpers: list[str] = []
    for node, _, text in written_statements(path):
        own = bound_names(node) & set(unit.by_name)
        if own:
            answers[own.pop()] = text
        elif not isinstance(node, ast.Expr):
            helpers.append(text)
    if missing := [name for name in unit.by_name if name not in answers]:
        raise UnitError(f"{path}:1: there is no answer to {missing[0]}: a right answer is a solution of the whole unit")
    return RightSolution(unit, path.stem.removeprefix(f"{unit.name}_"), answers, tuple(helpers))


@cache
def _blank(unit: Unit) -> NotebookNode:
    notebook = source_notebook(unit)
    for cell in notebook.cells:
        if grade_id(cell) in unit.by_name:
            cell.source = student_stub(unit[grade_id(cell)])
    return nbformat.reads(nbformat.writes(notebook), as_version=4)


def blank_notebook(unit: Unit) -> NotebookNode:
    """Return the student's notebook, as released."""
    return deepcopy(_blank(unit))


def reference_answers(unit: Unit) -> dict[str, str]:
    """Return the reference solutions by exercise."""
    return {exercise.name: exercise.source for exercise in unit.exercises}


def names_with(unit: Unit, answers: Mapping[str, str], helpers: Sequence[str] = ()) -> dict[str, object]:
    """Return a notebook's namespace after its cells have run: given names, helpers and answers."""
    names: dict[str, object] = {"__name__": "__main__"}
    exec(f"from {unit.module.__name__} import *", names)
    for source in (*helpers, *(answers[each] for each in unit.by_name if each in answers)):
        exec(compile(source, "<cell>", "exec", dont_inherit=True), names)
    return names


def notebook_with(unit: Unit, answers: dict[str, str], helpers: tuple[str, ...] = ()) -> NotebookNode:
    """Return the student's notebook with answers filled in, and helpers in a cell at the top."""
    return deepcopy(_filled(unit, answers, helpers))


def _filled(unit: Unit, answers: Mapping[str, str], helpers: Sequence[str]) -> NotebookNode:
    """Return a notebook that shares everything but the sources of answered cells with other notebooks of the unit."""
    blank = _blank(unit)
    cells = [NotebookNode(cell | {"source": answers.get(grade_id(cell) or "", cell.source)}) for cell in blank.cells]
    if helpers:
        cells.insert(1, new_code_cell("\n".join(helpers), id="helpers"))
    return NotebookNode(blank | {"cells": cells})


def submission_with(unit: Unit, answers: dict[str, str], helpers: tuple[str, ...] = ()) -> Submission:
    """Return a submission with these answers and helpers; all other exercises are unwritten."""
    return submission_of(_filled(unit, answers, helpers), unit.catalogue)


def submission_of_right(right: RightSolution) -> Submission:
    """Return a full solution as a submission."""
    return submission_with(right.unit, right.answers, right.helpers)


def submission_of_wrong(wrong: Mistake) -> Submission:
    """Return a submission whose only answer is this mistake."""
    return submission_with(wrong.unit, {wrong.exercise: wrong.source})


KILLED, SURVIVED, UNJUDGED = "refuses", "accepts", "cannot judge"
STILL_OPEN = ExitStack()


def sandbox_of(unit: Unit) -> Sandbox:
    """Return this process's own sandbox for a unit. The answers in it are trusted."""
    return _open_for_process(unit, os.getpid())


@cache
def _open_for_process(unit: Unit, _process: int) -> Sandbox:
    return STILL_OPEN.enter_context(open_sandbox(unit, OWN_ANSWERS))


def graded(submission: Submission, *exercises: str, seed: str = "0") -> Graded:
    """Return the report on these exercises of a submission, or on all exercises."""
    policy = replace(OWN_ANSWERS, exercises=exercises, seed=seed)
    return grade_in(sandbox_of(submission.unit), submission, policy)


def mutant_outcome(mutant: Mutant, seed: str = "0") -> str:
    """Return the outcome of a submission whose only answer is the mutant."""
    submission = submission_with(mutant.unit, {mutant.exercise: mutant.source})
    state = graded(submission, mutant.exercise, seed=seed)[mutant.exercise].state
    return {UNGRADED: UNJUDGED, PASSED: SURVIVED}.get(state, KILLED)


class Route(NamedTuple):
    """An answer that leaves its work to `{other}`, with what it needs: a helper, or an answer to `{between}`."""

    answer: str
    helper: str = ""
    between: str = ""


CALL = "def {name}(*args):\n    return {other}(*args)"
# Answers that leave all their work to another exercise.
SIMPLE = (
    Route(CALL),
    Route("def {name}(*args):\n    return bool({other}(*args))"),
    Route("def {name}(*args):\n    return {other}(*args) is not None"),
)


def closed_exercises(unit: Unit, name: str) -> list[str]:
    """Return the exercises whose references an answer may not call."""
    return [other for other in unit.by_name if other not in (name, *unit.callable_by[name])]


def earns_by_used(unit: Unit, name: str) -> list[str]:
    """Report the later exercises that can do all the work of an exercise. The reference of the exercise uses them."""
    later = [other for other in unit[name].needs if unit[other].number > unit[name].number]
    earning = [other for other in later if any(earns(unit, name, other, route) for route in SIMPLE)]
    return [f"{name} earns points only by calling the later {other}" for other in earning]


def earns(unit: Unit, name: str, other: str, route: Route, answers: Mapping[str, str] = MappingProxyType({})) -> bool:
    """Return whether an answer that leaves its work to another exercise earns points."""
    between = next((each for each in closed_exercises(unit, name) if each != other), name)
    names = {"name": name, "other": other, "between": between, "first": next(iter(unit.by_name))}
    answer, helper, own = (code.format(**names) for code in route)
    written = {**answers, **({between: own} if own else {}), name: answer}
    report = graded(submission_with(unit, written, (helper,) if helper else ()), name)[name]
    return bool(report.points) or report.state == PASSED


# ------------------------------------------------------------------------------------------- changed solutions

VARIANT_POLICY = replace(OWN_ANSWERS, seconds_per_call=0.1)
VARIANTS_TRIED = 20  # of a solution
CATCHABLE_VARIANTS = 6  # of them, for `catch`


@dataclass(frozen=True)
class VariantCounts:
    """The numbers of solutions with one change: those that were tried, and those that pass the teacher's tests.

    `refused` is the number of passing ones that the exam refuses. `wrong` are some that the exam refuses, and that end.
    """

    tried: int = 0
    passing: int = 0
    refused: int = 0
    wrong: tuple[str, ...] = ()

    def __add__(self, other: VariantCounts) -> VariantCounts:
        return VariantCounts(self.tried + other.tried, self.passing + other.passing, self.refused + other.refused)

    def __str__(self) -> str:
        return (
            f"of {self.tried} small changes to your solutions, your tests notice {self.tried - self.passing}, "
            f"and the exam {self.tried - self.passing + self.refused}"
        )


def count_variants(unit: Unit, name: str, facets: Collection[str]) -> VariantCounts:
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
    return VariantCounts(len(chosen), len(passing), len(refused), tuple(wrong[:CATCHABLE_VARIANTS]))


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
