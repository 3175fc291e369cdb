"""`foldem prove`: test everything that an author of a unit relies on, and print a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial, reduce
from operator import add
from typing import TypeAlias

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.commands.chosen import chosen_catalogue, chosen_units, names_to_make, packs_or_own
from autograder.commands.options import ProveOptions
from autograder.commands.proving import NOT_PROVEN, PROVEN, begun_laws, print_proofs, proving_console, with_bar
from autograder.exam.impostors import impostors_of, practice_impostors
from autograder.exam.store import exam_for
from autograder.prove.by_heart import COURSE_SEED, table_yield
from autograder.prove.laws import count_calls, right_after_all
from autograder.prove.sound import demand_sound
from autograder.units.unit import Unit, UnitError

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
KIT_LAWS = "mistakes refused by the kit of a course", "right answers accepted by the kit of a course"
KIT_HEADINGS = (
    "unit",
    "mistakes refused by the kit of a course",
    "right answers accepted by that kit",
    "points earned by a table of the kit's calls",
    "exercises left out, where a table is right",
)


@dataclass(frozen=True)
class Ratio:
    """A count and its total, printed as `3 of 4`."""

    part: int
    of: int

    def __add__(self, other: Ratio) -> Ratio:
        return Ratio(self.part + other.part, self.of + other.of)

    def __str__(self) -> str:
        return f"{self.part:,} of {self.of:,}"


def run(options: ProveOptions) -> int:
    """Test units, print failures and a table, and return the exit status."""
    packs = packs_or_own(options.pack)
    catalogue = chosen_catalogue(packs)
    names = names_to_make(catalogue, packs, options.unit)
    return _prove_once(chosen_units(catalogue, None, names), options)


def _prove_once(units: Sequence[Unit], options: ProveOptions) -> int:
    console = proving_console()
    demand_provable(units, options.exercise)
    rows, kits, against = list[UnitFigures](), list[UnitFigures](), 0
    chosen = [each for each in units if options.exercise in (None, *each.by_name)]
    with ProcessPoolExecutor(options.jobs) as pool:
        exams = with_bar(console, "exams", len(chosen), pool.map(partial(_build_exams, options), chosen))
        built = zip(chosen, exams, strict=True)
        begun = [(unit, begun_laws(unit, options, pool)) for unit, _ in built]  # so that the pool never has to wait
        for unit, laws in begun:
            outcomes = [*print_proofs(console, unit, options, laws)]
            against += sum(len(proof.against) for proof in outcomes if proof.is_law)
            ratios = {proof.law: Ratio(proof.held, proof.tried) for proof in outcomes}
            rows += [] if options.exercise else [_figures(unit, ratios)]
            kits += [] if options.exercise or options.mutants else [_kit_figures(console, unit, ratios, pool)]
    for table in [_table(HEADINGS, rows)] * bool(rows) + [_table(KIT_HEADINGS, kits)] * bool(kits):
        console.print(table)
    return NOT_PROVEN if against else PROVEN


def _build_exams(options: ProveOptions, unit: Unit) -> None:
    """Build and cache what the proofs of a unit need, so that several processes build for several units at once."""
    exam_for(unit, options.seed)
    impostors_of(unit)
    if not options.exercise and not options.mutants:
        practice_impostors(unit, COURSE_SEED)
        exam_for(unit, COURSE_SEED)


def demand_provable(units: Sequence[Unit], exercise: str | None = None) -> None:
    """Raise UnitError if an author has made a mistake, or if no unit has the named exercise."""
    demand_sound(units)
    if exercise and not any(exercise in unit.by_name for unit in units):
        raise UnitError(f"no unit of {', '.join(unit.name for unit in units)} has an exercise {exercise!r}")


def _figures(unit: Unit, ratios: Mapping[str, Ratio]) -> UnitFigures:
    by_law = (ratios.get(law, Ratio(0, 0)) for law in LAWS.values())
    return unit.name, len(unit.exercises), len(impostors_of(unit)), *count_calls(unit), *by_law, right_after_all(unit)


def _kit_figures(console: Console, unit: Unit, ratios: Mapping[str, Ratio], pool: Executor) -> UnitFigures:
    table = table_yield(unit, pool)
    if table.left_out:
        console.print(
            Text(f"· {unit.name}: a table of values is a right answer to {', '.join(table.left_out)}"), soft_wrap=True
        )
    return unit.name, *(ratios[law] for law in KIT_LAWS), table, len(table.left_out)


def _table(headings: Sequence[str], rows: Sequence[UnitFigures]) -> Table:
    table = Table(*headings)
    total = ("all", *(reduce(add, column) for column in [*zip(*rows, strict=True)][1:]))
    for row in (*rows, *[total] * (len(rows) > 1)):
        table.add_row(*(f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row))
    return table
