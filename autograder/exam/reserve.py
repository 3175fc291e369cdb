"""Calls that a course reserves for its graded exam. The practice exam in its kits and sites does not have them.

A kit shows its inputs, and if a call has few possible results, the right one can be found from its digest. The secret
seed alone chooses the reserved calls, so all kits of a course are equal. A comparison with a self-study kit of the same
unit shows which inputs are missing, but none of their results.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from autograder.exam.model import Exam, Facet, Paper, derived_seed
from autograder.units.unit import Exercise
from course.exam import wire
from course.exam.calls import Call


def input_of(call: Call) -> str:
    """Return a text that is equal for calls with the same input, whether or not they are curried."""
    given = call.given if call.kind == "args" else [call.kind, call.what]
    return wire.text_of([given, [name for name, _ in call.keywords], list(call.typed), call.chance])


def reserved_inputs(paper: Paper, seed: str) -> frozenset[str]:
    """Return the inputs that a course reserves: a third of each facet's, chosen by its seed.

    A facet that is judged together has no digests of single calls, and so reveals nothing.
    """
    calls = (facet.calls[: facet.own] for facet in paper.facets if not facet.joint)
    inputs = ({input_of(call) for call in each if call.kind == "args"} for each in calls)
    return frozenset().union(*(third_of(each, paper.exercise, seed) for each in inputs))


def third_of(inputs: Iterable[str], exercise: Exercise, seed: str) -> Iterable[str]:
    """Return a third of the inputs. The chosen inputs are the same for the same seed, and unpredictable without it.

    The exercise's name does not matter: otherwise the calls of a similar exercise would show the result of a reserved
    input, as those of `replay_at_once` for `replay` in Sedma.
    """
    ranked = sorted(inputs, key=lambda text: derived_seed(seed, "reserved", exercise.unit, text))
    return ranked[: round(len(ranked) / 3)]


def without_reserved(exam: Exam, seed: str) -> Exam:
    """Return an exam without the calls that a course's seed reserves, and without known mistakes."""
    return replace(exam, by_name={name: practice_paper(paper, seed) for name, paper in exam.by_name.items()})


def practice_paper(paper: Paper, seed: str) -> Paper:
    """Return a paper without the calls that a course's seed reserves, and without known mistakes."""
    reserved = reserved_inputs(paper, seed)
    facets = (facet if facet.joint else _without(facet, reserved) for facet in paper.facets)
    return replace(paper, facets=tuple(facet for facet in facets if facet.own), mistakes=())


def _without(facet: Facet, reserved: frozenset[str]) -> Facet:
    remaining = [index for index, call in enumerate(facet.calls) if input_of(call) not in reserved]
    calls, expected = (
        tuple(facet.calls[index] for index in remaining),
        tuple(facet.expected[index] for index in remaining),
    )
    return replace(facet, calls=calls, expected=expected, contrasts=sum(index >= facet.own for index in remaining))
