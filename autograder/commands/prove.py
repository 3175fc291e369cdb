"""`foldem prove`: tries all that the author of a unit relies on, and ends in a table."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from functools import reduce
from operator import add

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.prove.laws import Proof, calls_of, mutants_refused, proofs, right_after_all
from autograder.units.mistakes import demand_meant
from autograder.units.unit import Unit, UnitError, read_unit

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
LAWS = {
    "wrong": "mistakes refused",
    "right": "right answers accepted",
    "shown_wrong": "mistakes refused by the examples",
    "kit_wrong": "mistakes refused by the kit",
    "kit_right": "right answers accepted by the kit",
    "mutants": "mutants refused",
}
PROVEN, NOT_PROVEN = 0, 1


IN_A_FILE = 160  # columns of the table, where no window tells how many there are


@dataclass(frozen=True)
class Ratio:
    """So many of so many."""

    part: int
    of: int

    def __add__(self, other: Ratio) -> Ratio:
        return Ratio(self.part + other.part, self.of + other.of)

    def __str__(self) -> str:
        return f"{self.part:,} of {self.of:,}"


@dataclass(frozen=True)
class Figures:
    """The figures of a unit, as the README has them."""

    unit: str
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

    def __add__(self, other: Figures) -> Figures:
        columns = [field.name for field in fields(Figures)[1:]]
        return Figures("all", *(getattr(self, column) + getattr(other, column) for column in columns))

    def row(self) -> Iterator[str]:
        """Give the cells of its row."""
        found = (getattr(self, field.name) for field in fields(self))
        return (f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in found)


def run(units: Sequence[str], seed: str, jobs: int, only_mutants: bool, exercise: str | None) -> int:
    """Prove units, print what speaks against them and a table, and give the exit status."""
    width = None if sys.stdout.isatty() else IN_A_FILE
    console, chosen = Console(width=width), [_meant(name) for name in units]
    if exercise and not any(exercise in unit.by_name for unit in chosen):
        raise UnitError(f"there is no exercise {exercise!r} in {', '.join(units)}")
    rows, against = list[Figures](), 0
    with ProcessPoolExecutor(jobs) as pool:
        for unit in chosen:
            found = list[Proof]()
            laws = [mutants_refused(unit.name, pool, seed, exercise)] if only_mutants else ()
            for proof in laws or proofs(unit.name, pool, seed, exercise):
                found.append(proof)
                _tell(console, unit.name, proof)
            rows.append(_figures(unit.name, {proof.law: Ratio(proof.held, proof.tried) for proof in found}))
            against += sum(len(proof.against) for proof in found if proof.is_law)
    console.print(_table(rows))
    return NOT_PROVEN if against else PROVEN


def _meant(name: str) -> Unit:
    unit = read_unit(name)
    demand_meant(unit)
    return unit


def _tell(console: Console, unit: str, proof: Proof) -> None:
    sign = "✓" if not proof.against else "✗" if proof.is_law else "·"
    console.print(Text(f"{sign} {unit}: {proof.law} ({proof.held} of {proof.tried})"), soft_wrap=True)
    for line in proof.against:
        console.print(Text(f"    {line}".replace("\n", "\n    ")), soft_wrap=True)


def _figures(unit: str, found: dict[str, Ratio]) -> Figures:
    ratios = {column: found.get(law, Ratio(0, 0)) for column, law in LAWS.items()}
    visible, hidden = calls_of(unit)
    count = len(read_unit(unit).exercises)
    return Figures(unit, count, visible, hidden, equivalent=right_after_all(unit), **ratios)


def _table(rows: list[Figures]) -> Table:
    table = Table(*HEADINGS)
    for row in (*rows, *([reduce(add, rows)] if len(rows) > 1 else [])):
        table.add_row(*row.row())
    return table
