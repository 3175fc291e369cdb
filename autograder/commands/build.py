"""`foldem build`: inspect the files of units, and build their notebooks and statements."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.commands.options import BuildOptions
from autograder.exam.store import exam_for
from autograder.hosts.nbgrader import build_files
from autograder.prove.inspection import ensure_files_valid
from autograder.term.course import units_to_make


def run(options: BuildOptions) -> Iterator[str]:
    """Build units, and yield a line of output about each changed file."""
    units = units_to_make(options.pack, options.unit)
    ensure_files_valid(units)
    for unit in units:
        exam_for(unit)  # raises UnitError if the reference raises exceptions on drawn inputs
    yield from [f"built {path}" for path in build_files(units)] or ["All notebooks are up to date."]
