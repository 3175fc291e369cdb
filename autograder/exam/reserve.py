"""Calls that a course reserves for its graded exam. The practice exam in its kits and sites does not have them.

A kit shows its inputs, and if a call has few possible results, the right one can be found from its digest. The secret
seed alone chooses the reserved calls, so all kits of a course are equal. A comparison with a self-study kit of the same
unit shows which inputs are missing, but none of their results.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from autograder.exam.model import Exam, Facet, Paper, derived_seed
from course.exam import wire
from course.exam.calls import Call

MOST_EXAMS = 8  # whose reserved inputs are remembered


def input_of(call: Call) -> str:
    """Return a text that is equal for calls with the same input, whether or not they are curried."""
    given = call.given if call.kind == "args" else [call.kind, call.what]
    return wire.text_of([given, [name for name, _ in call.keywords], list(call.typed), call.chance])


@lru_cache(MOST_EXAMS)
def reserved_inputs(exam: Exam, seed: str) -> frozenset[str]:
    """Return the inputs that a course reserves: a third of each facet's, chosen by its seed.

    An input that one exercise reserves is reserved in all. Otherwise the calls of a similar exercise would show its
    result: Sedma's `replay_at_once` has many inputs of `replay`. A facet that is judged together has no digests of
    single calls, and so reveals nothing.
    """
    facets = (facet for paper in exam.by_name.values() for facet in paper.facets if not facet.joint)
    inputs = ({input_of(call) for call in each.calls[: each.own] if call.kind == "args"} for each in facets)
    return frozenset().union(*(third_of(each, exam, seed) for each in inputs))


def third_of(inputs: Iterable[str], exam: Exam, seed: str) -> Iterable[str]:
    """Return a third of the inputs. The chosen inputs are the same for the same seed, and unpredictable without it."""
    ranked = sorted(inputs, key=lambda text: derived_seed(seed, "reserved", exam.unit.name, text))
    return ranked[: round(len(ranked) / 3)]


@lru_cache(MOST_EXAMS)
def without_reserved(exam: Exam, seed: str) -> Exam:
    """Return an exam without the calls that a course's seed reserves, and without known mistakes."""
    reserved = reserved_inputs(exam, seed)
    return replace(exam, by_name={name: _practised(paper, reserved) for name, paper in exam.by_name.items()})


def _practised(paper: Paper, reserved: frozenset[str]) -> Paper:
    facets = (facet if facet.joint else _without(facet, reserved) for facet in paper.facets)
    return replace(paper, facets=tuple(facet for facet in facets if facet.own), mistakes=())


def _without(facet: Facet, reserved: frozenset[str]) -> Facet:
    remaining = [index for index, call in enumerate(facet.calls) if input_of(call) not in reserved]
    calls, expected = (
        tuple(facet.calls[index] for index in remaining),
        tuple(facet.expected[index] for index in remaining),
    )
    return replace(facet, calls=calls, expected=expected, contrasts=sum(index >= facet.own for index in remaining))
