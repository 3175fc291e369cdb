"""`foldem build`: inspect the files of units, and build their notebooks and statements."""

from __future__ import annotations

import typer

from autograder.commands.options import BuildOptions
from autograder.exam.store import exam_for
from autograder.hosts.nbgrader import build, products
from autograder.prove.inspection import ensure_sound
from autograder.prove.laws import outdated
from autograder.term.course import units_to_make

UP_TO_DATE, OUT_OF_DATE = 0, 1


def run(options: BuildOptions) -> int:
    """Build units, or name their files that are out of date. Return the exit status."""
    units = units_to_make(options.pack, options.unit)
    ensure_sound(units)
    if options.check:
        lines = [line for unit in units for line in outdated(unit, products([unit]))]
        status = OUT_OF_DATE if lines else UP_TO_DATE
    else:
        for unit in units:
            exam_for(unit)  # raises UnitError if the reference raises exceptions on drawn inputs
        lines = [f"built {path}" for path in build(units)] or ["All notebooks are up to date."]
        status = UP_TO_DATE
    for line in lines:
        typer.echo(line)
    return status
