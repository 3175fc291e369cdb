"""The order in which answers are examined, so that no process can reveal a reference to a later process.

A process could pass on secrets in an unknown way. So an exercise is examined before every exercise whose process
contains its reference. A process contains the references that the exam needs, and those of exercises that the answer
may call. If answers name each other in a circle, the author's own functions are used instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from autograder.exam.model import Exam
from autograder.submission.model import Submission
from course.graph import reached
from course.syntax import names_in


@dataclass(frozen=True)
class Turn:
    """An exercise's turn: the `references` that its process may contain, and the `own` answers loaded with it."""

    name: str
    references: frozenset[str]
    own: frozenset[str] = frozenset()


def turns(exam: Exam, submission: Submission, names: Iterable[str]) -> Iterator[Turn]:
    """Yield the turns of the answered exercises. Each turn comes as early as the order of the unit allows."""
    waiting, everything = [name for name in names if name in submission.answers], frozenset(exam.unit.by_name)
    needed = {name: _needed(exam, name) for name in waiting}
    wanted = {name: needed[name] | _wanted(exam, submission, name) for name in waiting}
    while waiting:
        name = _next(waiting, (wanted, needed))
        references = everything - ({*waiting} - needed[name])
        met = _met(exam, submission, name, references) & {*submission.answers}
        yield Turn(name, references, met - (references & exam.unit.callable_by[name]))
        waiting.remove(name)


def _next(waiting: list[str], graphs: Iterable[dict[str, frozenset[str]]]) -> str:
    for graph in graphs:
        for name in waiting:
            if not graph[name] & {*waiting}:
                return name
    return waiting[0]


def _needed(exam: Exam, name: str) -> frozenset[str]:
    """Return the references that an exercise's exam needs."""
    unit = exam.unit
    return frozenset({*unit.reached[name], *unit.with_needs(exam.by_name[name].mentions)} - {name})


def _wanted(exam: Exam, submission: Submission, name: str) -> frozenset[str]:
    """Return the references that an answer calls, and those that they need."""
    unit = exam.unit
    called = _met(exam, submission, name, unit.callable_by[name]) & unit.callable_by[name]
    return frozenset(unit.with_needs(called) - {name})


def _met(exam: Exam, submission: Submission, name: str, references: frozenset[str]) -> frozenset[str]:
    """Return the exercises that an answer names, directly or through its author's other answers.

    Answers that are replaced by these `references` are not followed.
    """
    closed = references & exam.unit.callable_by[name]

    def named(each: str) -> set[str]:
        if each in closed or each not in submission.answers:
            return set()
        uses = (helper.uses for helper in submission.helpers_of[each])
        return exam.unit.by_name.keys() & names_in(submission.answers[each].source).union(*uses)

    return frozenset(reached({name}, named) - {name})
