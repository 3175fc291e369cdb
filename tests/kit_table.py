"""The points that a table of everything in a course's kit would earn: an attack on exams that reserve calls."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from autograder.exam.contrast import (
    Guess,
    KitWorld,
    KnownCall,
    Table,
    guessing_functions,
    input_of,
    known_calls,
    without_reserved,
)
from autograder.exam.impostors import impostors_of
from autograder.exam.model import Exam, Facet, Paper
from autograder.exam.store import exam_for
from autograder.grading.judgement import assessor_for
from autograder.grading.run import TENTH
from autograder.units.unit import Unit
from course.diagnoses.failure import EXAMPLES
from course.exam.calls import Call
from course.exam.impostors import ExampleVerdict, Referee, known_world_in
from course.exam.wire import Tree

FEW = 100  # inputs; a table with the results of all of them is a right answer
MORE_NEIGHBOURS = 1, 2, 3, 5, 9


def table_yield(unit: Unit, seed: str) -> float:
    """Return the share of a unit's points that tables of everything in a course's kit earn, with guesses for the rest.

    We assume that the attacker has found the result behind every digest, and knows the best way to guess for each
    exercise. They also know which calls and catch worlds of other exercises have the same result. Here the similarity
    of inputs is defined in another way than for building an exam, and there are more neighbors.
    """
    exam_for(unit, seed)
    impostors_of(unit, seed)
    earned, points = map(sum, zip(*(yield_of(unit, seed, name) for name in unit.by_name), strict=True))
    return earned / points


def yield_of(unit: Unit, seed: str, name: str) -> tuple[float, float]:
    """Return the points that an exercise's table earns in the exam of a secret seed, and all of its points."""
    published, exam = exam_for(unit), exam_for(unit, seed)
    paper = exam.by_name[name]
    if _has_few_inputs(paper, published.by_name[name]):
        return 0.0, 0.0  # a table of all inputs is a right answer
    table = Table(without_reserved(published, seed), name, _tells(published, seed, name))
    guesses = guessing_functions([*table.known.values()], _leaves_of, MORE_NEIGHBOURS)
    tried = [[each.name for each in paper.facets if _passes(exam, paper, each, table, guess)] for guess in guesses]
    passed = max(len(names) * (TENTH if names == [EXAMPLES] else 1) for names in tried)  # as `marked` counts
    points = paper.exercise.points
    return points * passed / len((*paper.facets, *paper.contests)), points


def _tells(published: Exam, seed: str, name: str) -> Callable[[KnownCall], bool]:
    """Return whether the catch world of an exercise tells the result of a call, or that of another has the same one."""
    unit = published.unit
    worlds = impostors_of(unit, seed).items()
    own = KitWorld(published, name, seed)
    others = [Referee(unit.module, other, known_world_in(data)) for other, data in worlds if other != name]

    def tells(known: KnownCall) -> bool:
        args, result = published.case(known.call).args, published.observation(json.loads(known.gives))
        outcome = type(result.raised, (Exception,), {}) if result.raised else result.value
        return own.tells(known) or any(each.judged(args, outcome).state is ExampleVerdict.RIGHT for each in others)

    return tells


def _has_few_inputs(paper: Paper, published: Paper) -> bool:
    """Return whether every seed draws the same few inputs, for example for a value or a pair of colors."""
    inputs, known = ({each.input for each in known_calls(each.facets)} for each in (paper, published))
    return inputs <= known and len(inputs) <= FEW and not paper.contests


def _passes(exam: Exam, paper: Paper, facet: Facet, table: Table, guess: Guess) -> bool:
    """Return whether a table passes a facet. No digest reveals the results of calls that are judged together."""
    if not facet.joint:
        return not any(table.misses(guess, each) for each in known_calls([facet]))
    guessed = (guess(KnownCall(call, input_of(call), "")) for call in facet.calls)
    frame = f"[{','.join(guessed)}]".encode()
    return assessor_for(exam, paper.exercise.name).judge(facet, frame, b"{}").report.passed


def _leaves_of(call: Call) -> frozenset[object]:
    return frozenset((*_leaves(call.given, ()), *call.typed, call.chance))


def _leaves(tree: Tree, path: tuple[int, ...]) -> Iterator[object]:
    """Yield each leaf of a tree twice: with its complete path, and with only the first index of the path."""
    if isinstance(tree, list):
        for index, branch in enumerate(tree):
            yield from _leaves(branch, (*path, index))
    else:
        yield from ((path, str(tree)), (path[:1], str(tree)))
