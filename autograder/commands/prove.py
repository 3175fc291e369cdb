"""`foldem prove`: test everything that an author of a unit relies on, and print a table."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial, reduce
from itertools import chain
from operator import add
from pathlib import Path
from typing import TypeAlias

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.classroom.groups import groups
from autograder.commands.chosen import chosen_catalogue, units_to_make
from autograder.commands.options import ProveOptions
from autograder.commands.report import shown_of, store_of
from autograder.exam.impostors import impostors_of
from autograder.exam.store import exam_for
from autograder.prove.answers import COURSE_SEED
from autograder.prove.inspection import ensure_sound
from autograder.prove.laws import (
    Law,
    Proof,
    laws_of,
    mutants_refused,
    proofs_at_once,
)
from autograder.prove.mutate import EQUIVALENT_FILE, all_mutants, equivalent_toml, is_right
from autograder.term.course import read_course
from autograder.units.unit import Unit, UnitError
from course.diagnoses.failure import EXAMPLES
from course.kernel.catalogue import has_unit, statements

LEAST_GROUP = 3  # students with the same wrong answer


def unexplained(folder: Path, options: ProveOptions) -> Iterator[str]:
    """Yield a line for each large group of equal wrong answers that no known mistake explains."""
    course = read_course(folder, chosen_catalogue(options.pack, folder))
    for hand_ins in shown_of(course, store_of(course, options.store)).by_unit.values():
        for each in (each for each in groups(hand_ins) if not each.belief and len(each.students) >= LEAST_GROUP):
            yield f"{len(each.students):4}  {each.exercise}  {each.verdict}"


BegunLaws: TypeAlias = Sequence[tuple[Law, Iterable[list[str]]]]
PROVEN, NOT_PROVEN = 0, 1
IN_A_FILE = 160  # columns of the table, if the output is not a terminal
TO_DO = """\
    If such a change is wrong, add a `Case` to {}, with an input that shows the mistake.
    If it is as right as your solution, leave it. `foldem prove --mutants` prints the lines that list it in {}.
"""
UnitFigures: TypeAlias = Sequence[object]  # the name of a unit, and numbers or other things that can be added
LAWS = {  # the laws that have a column in the table, by its heading
    "mistakes refused": "mistakes refused",
    "right answers accepted": "right answers accepted",
    "refused by the examples": "mistakes refused by the examples",
    "refused by the kit": "mistakes refused by the kit",
    "accepted by the kit": "right answers accepted by the kit",
    "mutants refused": "mutants refused",
}
HEADINGS = ("unit", "exercises", "with `catch`", "examples shown", "hidden calls", *LAWS, "right after all")


@dataclass(frozen=True)
class Ratio:
    """A count and its total, printed as `3 of 4`."""

    part: int
    of: int

    def __add__(self, other: Ratio) -> Ratio:
        return Ratio(self.part + other.part, self.of + other.of)

    def __str__(self) -> str:
        return f"{self.part:,} of {self.of:,}"


def run(options: ProveOptions) -> int | Iterator[str]:
    """Test units, print failures and a table, and return the exit status; or yield the mistakes of a class."""
    if options.mistakes:
        return unexplained(options.mistakes, options)
    units = units_to_make(options.pack, options.unit)
    console = Console(width=None if sys.stdout.isatty() else IN_A_FILE)
    ensure_provable(units, options.exercise)
    rows, against = list[UnitFigures](), 0
    chosen = [each for each in units if options.exercise in (None, *each.by_name)]
    with ProcessPoolExecutor(options.jobs) as pool:
        built = zip(chosen, pool.map(partial(_build_exams, options), chosen), strict=True)
        begun = [(unit, _begun_laws(unit, options, pool)) for unit, _ in built]  # so that the pool never has to wait
        for unit, laws in begun:
            outcomes = [*_print_proofs(console, unit, options, laws)]
            against += sum(len(proof.against) for proof in outcomes if proof.is_law)
            ratios = {proof.law: Ratio(proof.held, proof.tried) for proof in outcomes}
            rows += [] if options.exercise else [_figures(unit, ratios)]
    if rows:
        table = Table(*HEADINGS)
        total = ("all", *(reduce(add, column) for column in [*zip(*rows, strict=True)][1:]))
        for row in (*rows, *[total] * (len(rows) > 1)):
            table.add_row(*(f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row))
        console.print(table)
    return NOT_PROVEN if against else PROVEN


def _begun_laws(unit: Unit, options: ProveOptions, pool: Executor) -> BegunLaws:
    """Start to try the requested laws in the pool, and return them with their results. Mutants come last."""
    name, laws = options.exercise, list[Law]()
    exam_for(unit)
    exam_for(unit, options.seed)
    if not options.mutants:
        laws += laws_of(unit, name)
    laws.append(mutants_refused(unit, [unit[name]] if name else unit.exercises, options.seed))
    return [(law, pool.map(law.check, law.things)) for law in laws]


def _print_proofs(console: Console, unit: Unit, options: ProveOptions, begun: BegunLaws) -> Iterator[Proof]:
    """Print each requested proof as soon as it is ready, and yield it."""
    label = f"{unit.name}.{options.exercise}" if options.exercise else unit.name
    at_once = () if options.mutants else proofs_at_once(unit, options.exercise)
    later = (law.proof(results) for law, results in begun)
    for proof in chain(at_once, later):
        sign = "✓" if not proof.against else "✗" if proof.is_law else "·"
        console.print(Text(f"{sign} {label}: {proof.law} ({proof.held} of {proof.tried})"), soft_wrap=True)
        for line in proof.against:
            console.print(Text(f"    {line}".replace("\n", "\n    ")), soft_wrap=True)
        if proof.survivors:
            files = unit.pack.file("checks", unit.name), unit.pack.folder("right") / EQUIVALENT_FILE
            text = equivalent_toml(proof.survivors) if options.mutants else ""
            console.print(Text((TO_DO.format(*files) + text).rstrip()), soft_wrap=True)
        yield proof


def _build_exams(options: ProveOptions, unit: Unit) -> None:
    """Build the exams that the proofs of a unit need, and store them in the cache."""
    exam_for(unit, options.seed)
    impostors_of(unit)
    if not options.exercise and not options.mutants:
        impostors_of(unit, COURSE_SEED)
        exam_for(unit, COURSE_SEED)


def ensure_provable(units: Sequence[Unit], exercise: str | None = None) -> None:
    """Raise UnitError if an author has made a mistake, if a unit is not built, or if no unit has the named exercise."""
    ensure_sound(units)
    for unit in units:
        package = unit.module.__name__.partition(".")[0]  # `module` imports the pack, as `statements` needs it
        built = has_unit(package, unit.name)
        if not built or unit.by_name.keys() - statements(unit.name).by_name.keys():
            raise UnitError(f"{unit.name} must be built first: run `foldem build --pack {unit.pack.root}`")
    if exercise and not any(exercise in unit.by_name for unit in units):
        raise UnitError(f"no unit of {', '.join(unit.name for unit in units)} has an exercise {exercise!r}")


def _figures(unit: Unit, ratios: Mapping[str, Ratio]) -> UnitFigures:
    visible = sum(len(exercise.examples) for exercise in unit.exercises)
    facets = chain.from_iterable(paper.facets for paper in exam_for(unit).by_name.values())
    hidden = sum(len(facet.calls) for facet in facets if facet.name != EXAMPLES)
    by_law = (ratios.get(law, Ratio(0, 0)) for law in LAWS.values())
    right = sum(map(is_right, all_mutants(unit)))
    return unit.name, len(unit.exercises), len(impostors_of(unit)), visible, hidden, *by_law, right
