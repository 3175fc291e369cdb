"""`make mutants`: changes every reference in one place at a time and prints what the exams let through."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterable

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Column, Table
from rich.text import Text

from autograder.units.unit import unit_names
from tests.mutants.equivalent import is_right, stale
from tests.mutants.judging import KILLED, SURVIVED, TIMED_OUT, UNJUDGED, fates
from tests.mutants.mutate import Mutant, all_mutants, as_text

EQUIVALENT = "equivalent"
FATES = (KILLED, TIMED_OUT, EQUIVALENT, SURVIVED, UNJUDGED)
Judged = list[tuple[Mutant, str]]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--unit", choices=unit_names(), action="append", help="only this unit")
    parser.add_argument("--exercise", help="only this exercise")
    parser.add_argument("--seed", default="0", help="of the exams: another shows what only luck had killed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many processes judge")
    return parser.parse_args()


def chosen(units: Iterable[str], exercise: str | None) -> list[Mutant]:
    """Give the mutants of these units, or of one exercise of theirs."""
    return [mutant for unit in units for mutant in all_mutants(unit) if exercise in (None, mutant.exercise)]


def judged(mutants: list[Mutant], seed: str, jobs: int, console: Console) -> Judged:
    """Give the mutants with their fates, with a progress bar on the way."""
    columns = (TextColumn("judging mutants"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    found = fates(mutants, seed, jobs)
    with Progress(*columns, console=console, transient=True) as progress:
        return [(mutant, named(mutant, fate)) for mutant, fate in progress.track(found, len(mutants))]


def named(mutant: Mutant, fate: str) -> str:
    """Give the fate, or that a survivor is known to be right."""
    return EQUIVALENT if fate == SURVIVED and is_right(mutant) else fate


def table_of(results: Judged) -> Table:
    """Give the table of fates: a row for each exercise, one for each unit, one for all."""
    table = Table(Column("exercise", no_wrap=True), "all", *FATES)
    for unit in dict.fromkeys(mutant.unit for mutant, _ in results):
        of_unit = [(mutant, fate) for mutant, fate in results if mutant.unit == unit]
        for name in dict.fromkeys(mutant.exercise for mutant, _ in of_unit):
            table.add_row(f"{unit}.{name}", *counts([fate for mutant, fate in of_unit if mutant.exercise == name]))
        table.add_row(unit, *counts([fate for _, fate in of_unit]), style="bold", end_section=True)
    table.add_row("all", *counts([fate for _, fate in results]), style="bold")
    return table


def counts(found: list[str]) -> list[str]:
    counter = Counter(found)
    return [str(len(found)), *(str(counter[fate] or "") for fate in FATES)]


def main() -> int:
    """Print the table and the survivors, and give 1 if there is any, or a listed one that is none."""
    options, console = arguments(), Console()
    mutants = chosen(options.unit or unit_names(), options.exercise)
    results = judged(mutants, options.seed, options.jobs, console)
    console.print(table_of(results))
    wrong = [(mutant, fate) for mutant, fate in results if fate in (SURVIVED, UNJUDGED)]
    lost = stale(results)
    for mutant, fate in wrong:
        console.print(Text(f"\n{fate}: {mutant}"), soft_wrap=True)
    for key in lost:
        console.print(Text(f"\nlisted as equivalent, but refused: {as_text(key)}"), soft_wrap=True)
    return 1 if wrong or lost else 0


if __name__ == "__main__":
    sys.exit(main())
