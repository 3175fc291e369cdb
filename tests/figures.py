"""`make figures`: counts the whole course (or the units that are named), and what its exams refuse and accept."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from functools import reduce
from operator import add
from time import perf_counter

from rich.console import Console
from rich.table import Table

from autograder.exam.model import EXAMPLES
from autograder.exam.store import exam_for
from autograder.report.model import PASSED, WRONG
from autograder.units.mistakes import Mistake, mistakes_of
from autograder.units.unit import read_unit, unit_names
from tests.classroom import Right, right_answers, submission_of_right, submission_of_wrong
from tests.mutants.equivalent import is_right
from tests.mutants.judging import KILLED, TIMED_OUT, fate, graded
from tests.mutants.mutate import all_mutants

HEADINGS = ("unit", "exercises", "examples", "hidden calls", "wrong refused", "right accepted", "mutants killed", "s")


@dataclass(frozen=True)
class Ratio:
    """So many of so many."""

    part: int
    of: int

    def __add__(self, other: Ratio) -> Ratio:
        return Ratio(self.part + other.part, self.of + other.of)

    def __str__(self) -> str:
        return f"{self.part}/{self.of}"


@dataclass(frozen=True)
class Figures:
    """The figures of a unit."""

    unit: str
    exercises: int
    examples: int
    hidden: int
    wrong: Ratio
    right: Ratio
    mutants: Ratio
    seconds: int

    @property
    def is_sound(self) -> bool:
        return all(ratio.part == ratio.of for ratio in (self.wrong, self.right, self.mutants))


def is_refused(wrong: Mistake) -> bool:
    return graded(submission_of_wrong(wrong), wrong.exercise)[wrong.exercise].state == WRONG


def is_accepted(right: Right) -> bool:
    return all(exercise.state == PASSED for exercise in graded(submission_of_right(right)).exercises)


def count_of(found: Iterator[bool]) -> Ratio:
    """Give how many of the answers are true, and how many there are."""
    answers = list(found)
    return Ratio(sum(answers), len(answers))


def calls_of(unit: str) -> tuple[int, int]:
    """Give the number of visible examples and of hidden calls in a unit's exam."""
    facets = [facet for paper in exam_for(unit).papers.values() for facet in paper.facets]
    visible = sum(len(exercise.examples) for exercise in read_unit(unit).exercises)
    return visible, sum(len(facet.calls) for facet in facets if facet.name != EXAMPLES)


def figures_of(unit: str, pool: ProcessPoolExecutor) -> Figures:
    """Give the figures of a unit; mutants that are right answers are not counted."""
    begun, calls = perf_counter(), calls_of(unit)
    mutants = [mutant for mutant in all_mutants(unit) if not is_right(mutant)]
    refused = count_of(pool.map(is_refused, mistakes_of(unit)))
    accepted = count_of(pool.map(is_accepted, right_answers(unit)))
    killed = count_of(seen in (KILLED, TIMED_OUT) for seen in pool.map(fate, mutants, chunksize=4))
    spent = round(perf_counter() - begun)
    return Figures(unit, len(read_unit(unit).exercises), *calls, refused, accepted, killed, spent)


def total(rows: list[Figures]) -> Figures:
    """Give the figures of all units together."""
    columns = ([getattr(row, field.name) for row in rows] for field in fields(Figures)[1:])
    return Figures("all", *(reduce(add, column) for column in columns))


def main() -> int:
    """Print the table, and give 0 if every wrong answer was refused and every right one accepted."""
    console, table = Console(), Table(*HEADINGS)
    with ProcessPoolExecutor(os.cpu_count()) as pool, console.status("judging answers, unit by unit"):
        rows = [figures_of(unit, pool) for unit in sys.argv[1:] or unit_names()]
    for row in (*rows, total(rows)):
        table.add_row(*(str(getattr(row, field.name)) for field in fields(row)))
    console.print(table)
    return 0 if all(row.is_sound for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
