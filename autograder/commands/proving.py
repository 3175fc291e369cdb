"""The output of `foldem prove` while it runs: proofs and a progress bar."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from typing import TypeAlias, TypeVar

from rich.console import Console
from rich.progress import track
from rich.text import Text

from autograder.commands.options import ProveOptions
from autograder.exam.store import exam_for
from autograder.prove.equivalent import EQUIVALENT_FILE, equivalent_toml
from autograder.prove.laws import (
    Law,
    Proof,
    examples_hold,
    laws_of,
    laws_of_exercise,
    mutants_refused,
    proofs_at_once,
)
from autograder.units.unit import Unit

T = TypeVar("T")
BegunLaws: TypeAlias = Sequence[tuple[Law, Iterable[list[str]]]]
PROVEN, NOT_PROVEN = 0, 1
IN_A_FILE = 160  # columns of the table, if the output is not a terminal


def proving_console() -> Console:
    """Return the console of the command. A file gets lines of one length."""
    return Console(width=None if sys.stdout.isatty() else IN_A_FILE)


def begun_laws(unit: Unit, options: ProveOptions, pool: Executor) -> BegunLaws:
    """Return the requested laws with their results, on which the pool works from now on. Mutants come last."""
    name, laws = options.exercise, list[Law]()
    exam_for(unit)
    exam_for(unit, options.seed)
    if not options.mutants:
        laws += laws_of_exercise(unit, name) if name else laws_of(unit)
    laws.append(mutants_refused(unit, [unit[name]] if name else unit.exercises, options.seed))
    return [(law, pool.map(law.check, law.things)) for law in laws]


def _proofs(console: Console, unit: Unit, options: ProveOptions, begun: BegunLaws) -> Iterator[Proof]:
    """Yield the outcomes of the requested laws."""
    if not options.mutants:
        yield from [examples_hold(unit, options.exercise)] if options.exercise else proofs_at_once(unit)
    for law, results in begun:
        yield law.proof(with_bar(console, f"{unit.name}: {law.name}", len(law.things), results))


def with_bar(console: Console, label: str, total: int, results: Iterable[T]) -> Iterable[T]:
    """Return results for which a terminal shows a progress bar. No thread draws the bar, because the pool forks."""
    is_hidden = not console.is_terminal
    return track(results, label, total, auto_refresh=False, console=console, transient=True, disable=is_hidden)


def print_proofs(console: Console, unit: Unit, options: ProveOptions, begun: BegunLaws) -> Iterator[Proof]:
    """Print each requested proof as soon as it is ready, and yield it."""
    label = f"{unit.name}.{options.exercise}" if options.exercise else unit.name
    for proof in _proofs(console, unit, options, begun):
        sign = "✓" if not proof.against else "✗" if proof.is_law else "·"
        console.print(Text(f"{sign} {label}: {proof.law} ({proof.held} of {proof.tried})"), soft_wrap=True)
        for line in proof.against:
            console.print(Text(f"    {line}".replace("\n", "\n    ")), soft_wrap=True)
        if proof.survivors:
            file = unit.pack.folder("right") / EQUIVALENT_FILE
            console.print(Text(f"    If one of them is right, write why, and add it to {file}:"), soft_wrap=True)
            console.print(Text(equivalent_toml(proof.survivors)), soft_wrap=True)
        yield proof
