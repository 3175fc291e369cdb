"""`foldem prove`: test everything that the author of a unit relies on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from itertools import chain
from typing import TypeAlias

import typer

from autograder.commands.options import ProveOptions
from autograder.exam.store import exam_for
from autograder.prove.answers import COURSE_SEED
from autograder.prove.inspection import ensure_files_valid
from autograder.prove.laws import MUTANT_LAW_NAME, Law, Proof, immediate_proofs, law_proof, laws_of, mutant_law
from autograder.prove.mutate import EQUIVALENT_FILE
from autograder.term.course import units_to_make
from autograder.units.unit import Unit, UnitError
from course.kernel.catalogue import has_unit, statements

LawsWithResults: TypeAlias = Sequence[tuple[Law, Iterable[list[str]]]]
PROVEN, NOT_PROVEN = 0, 1
MUTANT_ADVICE = """\
    If such a change is wrong, add a `Case` to {}, with an input that shows the mistake.
    If it is as right as your solution, leave it, and add these lines to {} (a new file, if it is missing):
        [[equivalent]]
        unit = "{unit}"
        exercise = "the name after {unit}."
        line = "the code after -"
        becomes = ["the code after +"]
        because = "why both are right"
    Write `\\n` for the end of a line of code, or write the code between ''' and '''."""


def run(options: ProveOptions) -> int:
    """Test units, print the result of each test, and return the exit status."""
    units = units_to_make(options.pack, options.unit)
    ensure_provable(units, options.exercise)
    chosen = [each for each in units if options.exercise in (None, *each.by_name)]
    with ProcessPoolExecutor(options.jobs) as pool:
        built = zip(chosen, pool.map(partial(_build_exams, options), chosen), strict=True)
        begun = [(unit, _start_laws(unit, options, pool)) for unit, _ in built]  # so that the pool never has to wait
        proofs = [proof for unit, laws in begun for proof in _print_proofs(unit, options, laws)]
    return NOT_PROVEN if any(proof.against for proof in proofs if proof.is_law) else PROVEN


def _start_laws(unit: Unit, options: ProveOptions, pool: Executor) -> LawsWithResults:
    """Start to test the requested laws in the pool. Return the laws with their results, the law on mutants last."""
    name = options.exercise
    exam_for(unit)
    exam_for(unit, options.seed)
    mutants = mutant_law(unit, [unit[name]] if name else unit.exercises, options.seed)
    return [(law, pool.map(law.check, law.things)) for law in (*laws_of(unit, name), mutants)]


def _print_proofs(unit: Unit, options: ProveOptions, begun: LawsWithResults) -> Iterator[Proof]:
    """Print each requested proof as soon as it is ready, and yield it."""
    label = f"{unit.name}.{options.exercise}" if options.exercise else unit.name
    at_once = immediate_proofs(unit, options.exercise)
    for proof in chain(at_once, (law_proof(law.name, results, law.is_law) for law, results in begun)):
        sign = "✓" if not proof.against else "✗" if proof.is_law else "·"
        if proof.tried:
            typer.echo(f"{sign} {label}: {proof.law} ({proof.number_held} of {proof.tried})")
        for line in proof.against:
            typer.echo(f"    {line}".replace("\n", "\n    "))
        if proof.law == MUTANT_LAW_NAME and proof.against:
            right = unit.pack.folder("right") / EQUIVALENT_FILE
            typer.echo(MUTANT_ADVICE.format(unit.pack.file("checks", unit.name), right, unit=unit.name))
        yield proof


def _build_exams(options: ProveOptions, unit: Unit) -> None:
    """Build the exams that the proofs of a unit need, and store them in the cache."""
    exam_for(unit, options.seed)
    if not options.exercise:
        exam_for(unit, COURSE_SEED)


def ensure_provable(units: Sequence[Unit], exercise: str | None = None) -> None:
    """Raise UnitError for a mistake in a unit's files, for a unit that is not built, or for an unknown exercise."""
    ensure_files_valid(units)
    for unit in units:
        package = unit.module.__name__.partition(".")[0]  # `module` imports the pack, as `statements` needs it
        built = has_unit(package, unit.name)
        if not built or unit.by_name.keys() - statements(unit.name).by_name.keys():
            raise UnitError(f"{unit.name} must be built first: run `foldem build --pack {unit.pack.root}`")
    if exercise and not any(exercise in unit.by_name for unit in units):
        raise UnitError(f"there is no exercise {exercise!r} in {', '.join(unit.name for unit in units)}")
