"""What a sandboxed child is told: how everything is defined and what to call, never what should come out."""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from autograder.exam.model import Exam
from autograder.submission.model import Helper
from course.syntax import names_in

Plan = list[tuple[Any, ...]]


def planned(exam: Exam, answers: Mapping[str, str], helpers: Sequence[Helper], mentions: Iterable[str]) -> Plan:
    """Give how everything that is needed is defined, in order: answers (name to source), helpers, references."""
    words = set().union(mentions, *map(names_in, answers.values()), *(helper.uses for helper in helpers))
    needed = {*answers} | exam.unit.with_needs(words - {*answers})
    steps: list[tuple[int, int, tuple[Any, ...]]] = [(h.behind, 1, ("helper", h.label, h.source)) for h in helpers]
    for name, exercise in exam.unit.by_name.items():
        if name in answers:
            steps.append((exercise.number, 0, ("answer", name, answers[name])))
        elif name in needed:
            steps.append((exercise.number, 0, ("reference", name, exam.codes[name])))
    return [step for _, _, step in sorted(steps, key=lambda step: step[:2])]


def request(
    exam: Exam,
    answer: str | None,
    plan: list[tuple[Any, ...]],
    facets: list[dict[str, Any]],
    *,
    seconds: float | None,
    one_by_one: bool = False,
    modules: Iterable[str] = (),
) -> dict[str, Any]:
    """Give what the sandbox is told: how everything is defined and what to call, never what should come out.

    If `answer` is named, nothing is run should its cell fail to load.
    """
    return {
        "given": exam.unit.module.__name__,
        "answer": answer,
        "exercises": [exercise.name for exercise in exam.unit.exercises],
        "modules": [(name, exam.modules[name]) for name in modules],
        "plan": plan,
        "facets": facets,
        "seconds": seconds,
        "one_by_one": one_by_one,
    }


def packed(order: dict[str, Any]) -> bytes:
    """Give a request as the bytes that the sandbox takes; only the grader's own data is ever unpacked from such."""
    return marshal.dumps(order)
