"""`foldem build`: inspect the files of units, and build their notebooks and statements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import typer

from autograder.commands.chosen import chosen_catalogue, chosen_units, names_to_make, packs_or_own
from autograder.commands.options import BuildOptions
from autograder.exam.store import exam_for
from autograder.hosts.products import build, products
from autograder.prove.inspection import ensure_sound
from autograder.prove.laws import outdated
from autograder.units.unit import Unit

UP_TO_DATE, OUT_OF_DATE = 0, 1


def run(options: BuildOptions) -> int:
    """Build units, or name their files that are out of date. Return the exit status."""
    packs = packs_or_own(options.pack)
    catalogue = chosen_catalogue(packs)
    units = chosen_units(catalogue, None, names_to_make(catalogue, packs, options.unit))
    lines = check_built(units) if options.check else build_units(units)
    for line in lines:
        typer.echo(line)
    return OUT_OF_DATE if options.check and lines else UP_TO_DATE


def build_units(units: Sequence[Unit]) -> Iterator[str]:
    """Build units, and yield a line for each changed file. Raises UnitError for a mistake of their author."""
    yield from ensure_sound(units)
    for unit in units:
        exam_for(unit)  # raises UnitError if the reference raises exceptions on drawn inputs
    changed = build(units)
    yield from (f"built {path}" for path in changed)
    if not changed:
        yield "All notebooks are up to date."


def check_built(units: Sequence[Unit]) -> list[str]:
    """Return a line for each built file that is out of date. Raises UnitError for a mistake of the units' author."""
    ensure_sound(units)
    return [line for unit in units for line in outdated(unit, products([unit]))]
