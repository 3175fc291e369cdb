"""The one place where it is put together what a sandboxed child is told: how everything is defined, what to call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import TypeAlias

from autograder.exam.model import Exam
from autograder.sandbox.inside.orders import Request, Setup, Step
from autograder.submission.model import Helper
from course.exam.calls import FacetOrder
from course.syntax import names_in

Plan: TypeAlias = list[Step]


def planned(
    exam: Exam,
    answers: Mapping[str, str],
    helpers: Sequence[Helper],
    mentions: Iterable[str],
    references: frozenset[str] | None = None,
) -> Plan:
    """Give how everything that is needed is defined, in order: answers (name to source), helpers, references.

    Of the references there are only these `references`, if they are given.
    """
    words = set().union(mentions, *map(names_in, answers.values()), *(helper.uses for helper in helpers))
    needed = exam.unit.with_needs(words - {*answers})
    needed = {*answers} | (needed if references is None else needed & references)
    steps = {name: Step("reference", name, exam.codes[name]) for name in exam.unit.by_name if name in needed}
    steps |= {name: Step("answer", name, source) for name, source in answers.items()}
    return in_order({exam.unit[name].number: step for name, step in steps.items()}, helpers)


def in_order(exercises: Mapping[int, Step], helpers: Iterable[Helper]) -> Plan:
    """Give how exercises are defined, each by its number, and helpers, each behind the exercise that it stands behind.

    >>> late, early = (Helper(name, "", 1, frozenset(), frozenset()) for name in ("late", "early"))
    >>> [step.name for step in in_order({2: Step("answer", "b", ""), 1: Step("answer", "a", "")}, [late, early])]
    ['a', 'late', 'early', 'b']
    """
    steps = [(number, 0, step) for number, step in exercises.items()]
    steps += [(helper.behind, 1, Step("helper", helper.label, helper.source)) for helper in helpers]
    return [step for *_, step in sorted(steps, key=itemgetter(0, 1))]


def request(
    exam: Exam,
    plan: Plan,
    orders: Sequence[FacetOrder],
    *,
    answer: str | None,
    seconds: float | None,
    modules: Iterable[str] = (),
) -> Request:
    """Give what the sandbox is told: how everything is defined and what to call, never what should come out."""
    withheld = [(name, exam.modules[name]) for name in modules]
    setup = Setup(plan, answer, list(exam.unit.by_name), withheld, seconds)
    return Request(exam.unit.module.__name__, setup, orders)
