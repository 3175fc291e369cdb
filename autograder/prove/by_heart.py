"""Measure an attack: a table of everything in a course's kit, with guesses for all other calls.

We assume that the attacker has found the result behind every digest, and knows the best way to guess for each exercise.
Here the similarity of inputs is defined in another way than for building an exam, and there are more neighbors.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

from autograder.exam.kit_world import KitWorld
from autograder.exam.memorized import Guess, Table, guesses_from, known_calls
from autograder.exam.model import Paper
from autograder.exam.reserve import without_reserved
from autograder.exam.store import exam_for
from autograder.units.unit import Unit
from course.exam.calls import Call
from course.exam.wire import Tree

COURSE_SEED = "of a course, and secret"
FEW = 100  # inputs; a table with the results of all of them is a right answer
MORE_NEIGHBOURS = 1, 2, 3, 5, 9


@dataclass(frozen=True)
class Yield:
    """The points that tables of calls earn, and the maximum; `left_out` are exercises for which a table is right."""

    earned: float = 0.0
    points: float = 0.0
    left_out: tuple[str, ...] = ()

    def __add__(self, other: Yield) -> Yield:
        return Yield(self.earned + other.earned, self.points + other.points, self.left_out + other.left_out)

    def __str__(self) -> str:
        return f"{self.earned:.1f} of {self.points:g} ({self.earned / self.points:.1%})" if self.points else "0 of 0"


def table_yield(unit: Unit, pool: Executor) -> Yield:
    """Return the points that tables earn in a unit."""
    exam_for(unit, COURSE_SEED)
    return sum(pool.map(partial(yield_of, unit), unit.by_name), Yield())


def yield_of(unit: Unit, name: str) -> Yield:
    """Return the points that an exercise's table earns in the exam of a secret seed."""
    published, paper = exam_for(unit), exam_for(unit, COURSE_SEED).by_name[name]
    if _has_few_inputs(paper, published.by_name[name]):
        return Yield(left_out=(name,))
    practice = without_reserved(published, COURSE_SEED).by_name[name]
    table = Table(practice, KitWorld(published, name, COURSE_SEED).tells)
    guesses = guesses_from([*table.known.values()], _leaves_of, MORE_NEIGHBOURS)
    passed = max(_passed(table, guess, paper) for guess in guesses)
    points = paper.exercise.points
    return Yield(points * passed / len((*paper.facets, *paper.contests)), points)


def _has_few_inputs(paper: Paper, published: Paper) -> bool:
    """Return whether every seed draws the same few inputs, for example for a value or a pair of colors."""
    inputs, known = ({each.input for each in known_calls(each.facets)} for each in (paper, published))
    return inputs <= known and len(inputs) <= FEW and not paper.contests


def _passed(table: Table, guess: Guess, paper: Paper) -> int:
    """Return how many facets a table passes.

    A facet whose calls are judged together counts as passed. No digest reveals its results, so this overestimates the
    attack.
    """
    failed = [facet for facet in paper.facets if any(table.misses(guess, each) for each in known_calls([facet]))]
    return len(paper.facets) - len(failed)


def _leaves_of(call: Call) -> frozenset[object]:
    return frozenset((*_leaves(call.given, ()), *call.typed, call.chance))


def _leaves(tree: Tree, path: tuple[int, ...]) -> Iterator[object]:
    """Yield each leaf of a tree twice: with its complete path, and with only the first index of the path."""
    if isinstance(tree, list):
        for index, branch in enumerate(tree):
            yield from _leaves(branch, (*path, index))
    else:
        yield from ((path, str(tree)), (path[:1], str(tree)))
