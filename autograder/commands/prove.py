"""`foldem prove`: test everything that an author of a unit relies on, and print a table."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields, replace
from functools import reduce
from operator import add
from typing import Self

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.prove.by_heart import Yield, table_yield
from autograder.prove.laws import Proof, calls_of, mutants_refused, proofs, right_after_all
from autograder.units.mistakes import demand_meant
from autograder.units.unit import Unit, UnitError

HEADINGS = (
    "unit",
    "exercises",
    "examples shown",
    "hidden calls",
    "mistakes refused",
    "right answers accepted",
    "refused by the examples",
    "refused by the kit",
    "accepted by the kit",
    "mutants refused",
    "right after all",
)
KIT_HEADINGS = (
    "unit",
    "mistakes refused by the kit of a course",
    "right answers accepted by that kit",
    "points earned by a table of the kit's calls",
    "exercises left out, where a table is right",
)
LAWS = {
    "wrong": "mistakes refused",
    "right": "right answers accepted",
    "shown_wrong": "mistakes refused by the examples",
    "kit_wrong": "mistakes refused by the kit",
    "kit_right": "right answers accepted by the kit",
    "mutants": "mutants refused",
}
KIT_LAWS = "mistakes refused by the kit of a course", "right answers accepted by the kit of a course"
PROVEN, NOT_PROVEN = 0, 1


IN_A_FILE = 160  # columns of the table, if the output is not a terminal


@dataclass(frozen=True)
class Ratio:
    """A count and its total, printed as `3 of 4`."""

    part: int
    of: int

    def __add__(self, other: Ratio) -> Ratio:
        return Ratio(self.part + other.part, self.of + other.of)

    def __str__(self) -> str:
        return f"{self.part:,} of {self.of:,}"


@dataclass(frozen=True)
class TableRow:
    """A row of a table: one unit, or the sum of several."""

    unit: str

    def __add__(self, other: Self) -> Self:
        columns = [field.name for field in fields(self)[1:]]
        return replace(self, unit="all", **{name: getattr(self, name) + getattr(other, name) for name in columns})

    def cells(self) -> Iterator[str]:
        """Yield the cells of the row as text."""
        values = (getattr(self, field.name) for field in fields(self))
        return (f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in values)


@dataclass(frozen=True)
class Figures(TableRow):
    """The figures of a unit, as in the README."""

    exercises: int
    examples: int
    hidden: int
    wrong: Ratio
    right: Ratio
    shown_wrong: Ratio
    kit_wrong: Ratio
    kit_right: Ratio
    mutants: Ratio
    equivalent: int


@dataclass(frozen=True)
class KitFigures(TableRow):
    """The figures of a course kit with a secret seed: what it refuses, and how much a cheater can learn from it."""

    wrong: Ratio
    right: Ratio
    table: Yield
    left_out: int


def run(units: Sequence[Unit], seed: str, jobs: int, only_mutants: bool, exercise: str | None) -> int:
    """Test units, print failures and a table, and return the exit status."""
    width = None if sys.stdout.isatty() else IN_A_FILE
    console = Console(width=width)
    _demand_sound(units, exercise)
    rows, kits, against = list[Figures](), list[KitFigures](), 0
    with ProcessPoolExecutor(jobs) as pool:
        for unit in units:
            laws = [mutants_refused(unit, pool, seed, exercise)] if only_mutants else ()
            outcomes = [*_printed(console, unit.name, laws or proofs(unit, pool, seed, exercise))]
            ratios = {proof.law: Ratio(proof.held, proof.tried) for proof in outcomes}
            rows.append(_figures(unit, ratios))
            kits += [] if only_mutants else [_kit_figures(console, unit, ratios, pool)]
            against += sum(len(proof.against) for proof in outcomes if proof.is_law)
    for table in (_table(HEADINGS, rows), *([_table(KIT_HEADINGS, kits)] if kits else [])):
        console.print(table)
    return NOT_PROVEN if against else PROVEN


def _demand_sound(units: Sequence[Unit], exercise: str | None) -> None:
    """Raise UnitError if a known mistake is for an unknown exercise, or if no unit has the named exercise."""
    for unit in units:
        demand_meant(unit)
    if exercise and not any(exercise in unit.by_name for unit in units):
        raise UnitError(f"no unit of {', '.join(unit.name for unit in units)} has an exercise {exercise!r}")


def _printed(console: Console, unit: str, outcomes: Iterable[Proof]) -> Iterator[Proof]:
    """Print each proof as soon as it is ready, and yield it."""
    for proof in outcomes:
        sign = "✓" if not proof.against else "✗" if proof.is_law else "·"
        console.print(Text(f"{sign} {unit}: {proof.law} ({proof.held} of {proof.tried})"), soft_wrap=True)
        for line in proof.against:
            console.print(Text(f"    {line}".replace("\n", "\n    ")), soft_wrap=True)
        yield proof


def _figures(unit: Unit, by_law: dict[str, Ratio]) -> Figures:
    ratios = {column: by_law.get(law, Ratio(0, 0)) for column, law in LAWS.items()}
    visible, hidden = calls_of(unit)
    count = len(unit.exercises)
    return Figures(unit.name, count, visible, hidden, equivalent=right_after_all(unit), **ratios)


def _kit_figures(console: Console, unit: Unit, by_law: dict[str, Ratio], pool: ProcessPoolExecutor) -> KitFigures:
    table = table_yield(unit, pool)
    if table.left_out:
        console.print(
            Text(f"· {unit.name}: a table of values is a right answer to {', '.join(table.left_out)}"), soft_wrap=True
        )
    wrong, right = (by_law[law] for law in KIT_LAWS)
    return KitFigures(unit.name, wrong, right, table, len(table.left_out))


def _table(headings: Sequence[str], rows: Sequence[TableRow]) -> Table:
    table = Table(*headings)
    for row in (*rows, *([reduce(add, rows)] if len(rows) > 1 else [])):
        table.add_row(*row.cells())
    return table
