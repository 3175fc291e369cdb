"""In whose turn an answer is examined, so that no earlier one has held the reference of a later one.

What an answer's process holds, it could tell those after it, if it found a way that is not shut. So an exercise comes
before all those in whose process its reference is: before whose paper needs it, and before whose answer names it where
it is open to that. What is not open, the answer runs with its author's own functions. So do answers that name each
other in a circle, as no paper needs it.
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
    """An exercise's turn: the `references` that may be in its process, and whose answers are there besides its own."""

    name: str
    references: frozenset[str]
    own: frozenset[str] = frozenset()


def turns(exam: Exam, submission: Submission, names: Iterable[str]) -> Iterator[Turn]:
    """Yield the turns of the exercises that are answered, each as early in the unit's order as can be."""
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
    """Return the references that an exercise's paper needs."""
    unit = exam.unit
    return frozenset({*unit.reached[name], *unit.with_needs(exam.papers[name].mentions)} - {name})


def _wanted(exam: Exam, submission: Submission, name: str) -> frozenset[str]:
    """Return the references that an answer calls, with those that they need."""
    unit = exam.unit
    called = _met(exam, submission, name, unit.callable_by[name]) & unit.callable_by[name]
    return frozenset(unit.with_needs(called) - {name})


def _met(exam: Exam, submission: Submission, name: str, references: frozenset[str]) -> frozenset[str]:
    """Return the exercises that an answer names, or that its author's other answers name which it runs with.

    Nothing is met through what these `references` stand for.
    """
    closed = references & exam.unit.callable_by[name]

    def named(each: str) -> set[str]:
        if each in closed or each not in submission.answers:
            return set()
        uses = (helper.uses for helper in submission.helpers_of[each])
        return exam.unit.by_name.keys() & names_in(submission.answers[each].source).union(*uses)

    return frozenset(reached({name}, named) - {name})
