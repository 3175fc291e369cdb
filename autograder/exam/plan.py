"""Build the requests for sandboxed children. A request contains definitions and calls, but never expected results.

No other module builds such requests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from autograder.exam.model import Exam
from autograder.sandbox.inside.orders import Common, Request, Setup, Step
from autograder.submission.model import Helper
from course.exam.calls import FacetOrder
from course.syntax import names_in

Plan: TypeAlias = list[Step]


def planned(
    exam: Exam,
    answers: Mapping[str, str],
    helpers: Sequence[Helper],
    mentions: Iterable[str],
    subject: str = "",
    references: frozenset[str] | None = None,
) -> Plan:
    """Return the definitions in order: answers (name to source), helpers, references.

    The learner's code that runs for a `subject` may call only the references that this exercise allows. Without a
    subject, answers replace their references everywhere. If `references` are given, no others may be included.
    """
    unit, replaced = exam.unit, {subject} if subject else {*answers}
    words = {*unit.by_name} & set().union(*map(names_in, answers.values()), *(helper.uses for helper in helpers))
    present = {*unit.by_name} if references is None else references
    callable_ = present & unit.callable_by[subject] if subject else present - replaced
    needed = present & unit.with_needs(({*mentions} | words & callable_) - replaced) - replaced
    steps = [Step("reference" if name in callable_ else "support", name, exam.codes[name]) for name in needed]
    steps += [Step("own" if name not in replaced else "answer", name, source) for name, source in answers.items()]
    unwritten = [Step("unwritten", name, "") for name in sorted(words - callable_ - {*answers})]
    return unwritten + in_order(((unit[step.name].number, step) for step in steps), helpers)


def sources_of(plan: Iterable[Step]) -> Iterator[str]:
    """Yield the sources that a learner wrote, in the order of the plan."""
    return (step.source for step in plan if isinstance(step.source, str))


def in_order(exercises: Iterable[tuple[int, Step]], helpers: Iterable[Helper]) -> Plan:
    """Return the definitions of exercises by number, and each helper after its exercise.

    >>> late, early = (Helper(name, "", 1, frozenset(), frozenset()) for name in ("late", "early"))
    >>> [step.name for step in in_order([(2, Step("answer", "b", "")), (1, Step("answer", "a", ""))], [late, early])]
    ['a', 'late', 'early', 'b']
    """
    steps = [(number, 0, step.source.__class__ is str, step) for number, step in exercises]
    steps += [(helper.behind, 1, True, Step("helper", helper.label, helper.source)) for helper in helpers]
    return [step for *_, step in sorted(steps, key=itemgetter(0, 1, 2))]


class Parted(NamedTuple):
    """A plan in two parts: the references that all answers to an exercise need (before and after the answer), and the
    rest.
    """

    before: Plan
    after: Plan
    rest: Plan


def parted(exam: Exam, plan: Plan, answer: str, mentions: Iterable[str]) -> Parted | None:
    """Return a plan in two parts, or None if an answer could notice in which order things are loaded.

    The common part contains the references in the plan that the exercise itself needs.
    """
    needed = exam.unit.with_needs({*mentions} - {answer})
    index = next(index for index, step in enumerate(plan) if step[:2] == ("answer", answer))
    early = [step for step in plan[:index] if not step.is_reference]
    if any(step.kind in ("answer", "own") or names_in(str(step.source)) & {*exam.unit.by_name} for step in early):
        return None
    common = [step for step in plan if step.is_reference and step.name in needed]
    before, after = ([step for step in part if step in common] for part in (plan[:index], plan[index:]))
    own = [step for step in plan if step not in before]
    return Parted(before, after, [step._replace(source="") if step in after else step for step in own])


def usual_parts(exam: Exam, name: str) -> Parted | None:
    """Return the plan, in two parts, for an answer that calls only what the exam of its exercise needs."""
    mentions, others = exam.by_name[name].mentions, frozenset(exam.unit.by_name) - {name}
    return parted(exam, planned(exam, {name: ""}, (), mentions, name, others), name, mentions)


def common_orders(
    exam: Exam, answer: str, parts: Parted, orders: Sequence[FacetOrder], seconds: float, modules: Iterable[str]
) -> Common:
    """Return the common part of the requests for all answers to an exercise, without expected results."""
    withheld = [(name, exam.modules[name]) for name in modules]
    setup = Setup(parts.before, answer, list(exam.unit.by_name), withheld, seconds)
    return Common(exam.unit.module.__name__, setup, parts.after, orders)


def request(
    exam: Exam,
    plan: Plan,
    orders: Sequence[FacetOrder],
    *,
    answer: str | None,
    seconds: float | None,
    modules: Iterable[str] = (),
) -> Request:
    """Return the request for a child: definitions and calls, without expected results."""
    withheld = [(name, exam.modules[name]) for name in modules]
    setup = Setup(plan, answer, list(exam.unit.by_name), withheld, seconds)
    return Request(exam.unit.module.__name__, setup, orders)
