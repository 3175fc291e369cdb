"""Build the requests for sandboxed children. A request contains definitions and calls, but never expected results.

No other module builds such requests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import TypeAlias

from autograder.exam.model import Exam
from autograder.sandbox.inside.orders import LoadStep, Setup
from autograder.submission.model import Helper, Submission
from course.syntax import global_names_in, reachable_from

Plan: TypeAlias = list[LoadStep]


def plan_definitions(
    exam: Exam,
    answers: Mapping[str, str],
    helpers: Sequence[Helper],
    mentions: Iterable[str],
    subject: str = "",
    references: frozenset[str] | None = None,
) -> Plan:
    """Return the definitions to run, in order.

    The definitions come from the answers (a dict of sources by name), the helpers and the references. If `subject`
    names an exercise, its answer is tested, and may call only the references that the exercise allows. If there is no
    subject, each answer replaces the reference of its exercise. If `references` is given, only the references of these
    exercises are included. For each other exercise that is needed, the plan contains the student's answer or a
    placeholder.
    """
    unit, replaced = exam.unit, {subject} if subject else {*answers}
    words = {*unit.by_name} & set().union(*map(global_names_in, answers.values()), *(helper.uses for helper in helpers))
    present = {*unit.by_name} if references is None else references
    callable_ = present & unit.callable_by[subject] if subject else present - replaced
    wanted = unit.with_needed_exercises(({*mentions} | words & callable_) - replaced) - replaced
    needed = present & wanted
    steps = [
        LoadStep("reference" if name in callable_ else "support", name, exam.reference_codes[name]) for name in needed
    ]
    steps += [LoadStep("own" if name not in replaced else "answer", name, source) for name, source in answers.items()]
    lacking = words - callable_ | wanted - needed
    unwritten = [LoadStep("unwritten", name, "") for name in sorted(lacking - {*answers})]
    return unwritten + definitions_in_order(((unit[step.name].number, step) for step in steps), helpers)


def needed_own_answers(exam: Exam, submission: Submission, name: str, references: frozenset[str]) -> set[str]:
    """Return the names of the student's other answers that must run together with the answer to `name`.

    The answer to `name` needs the answers that it calls, directly or not, unless an allowed reference replaces them.
    Only the references of the exercises in `references` can replace answers. If a reference needs an answer of the
    student, the name of this answer is also returned.
    """
    unit, closed = exam.unit, references & exam.unit.callable_by[name]

    def directly_needed(each: str) -> Iterable[str]:
        if each != name and each in closed:
            return unit.with_needed_exercises({each}) - references
        if each not in submission.answers:
            return ()
        uses = (helper.uses for helper in submission.helpers_of[each])
        return unit.by_name.keys() & global_names_in(submission.answers[each].source).union(*uses)

    needed = unit.with_needed_exercises(exam.by_name[name].mentions) - references
    return (reachable_from({name, *needed}, directly_needed) - closed - {name}) & submission.answers.keys()


def sources_of(plan: Iterable[LoadStep]) -> Iterator[str]:
    """Yield the learner's own sources in a plan, in the plan's order."""
    return (step.source for step in plan if isinstance(step.source, str))


def definitions_in_order(exercises: Iterable[tuple[int, LoadStep]], helpers: Iterable[Helper]) -> Plan:
    """Return the definitions in order: exercises by number, and each helper after the exercise above it.

    >>> late, early = (Helper(name, "", 1, frozenset(), frozenset()) for name in ("late", "early"))
    >>> answers = [(2, LoadStep("answer", "b", "")), (1, LoadStep("answer", "a", ""))]
    >>> [step.name for step in definitions_in_order(answers, [late, early])]
    ['a', 'late', 'early', 'b']
    """
    steps = [(number, 0, step.source.__class__ is str, step) for number, step in exercises]
    steps += [(helper.behind, 1, True, LoadStep("helper", helper.label, helper.source)) for helper in helpers]
    return [step for *_, step in sorted(steps, key=itemgetter(0, 1, 2))]


def setup_for(exam: Exam, plan: Plan, answer: str | None, seconds: float | None, modules: Iterable[str] = ()) -> Setup:
    """Return the definitions for the `answer` to an exercise, in the form that a child process receives."""
    withheld = [(name, exam.withheld_code[name]) for name in modules]
    return Setup(plan, answer, list(exam.unit.by_name), withheld, seconds)
