"""Build `notebooks/` from source notebooks, with nbgrader, and `statements/` from their exercises.

`statements/` has what `check` needs if only the course is installed; it never has an answer. `games/` has a recorded
game of each unit.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import nbformat

from autograder.exam.checks import checks_of, judging_of
from autograder.hosts.nbgrader import course_config, generate
from autograder.units.build import notebook_file, source_notebook
from autograder.units.mistakes import demand_meant
from autograder.units.pack import COURSE
from autograder.units.unit import Unit, stated_unit
from course.tables.recorded import PLAYED, recorded_game


def released_notebooks(notebooks: dict[str, object]) -> dict[str, str]:
    """Return the texts of student notebooks by stem, made by nbgrader's `generate_assignment`."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source" / "foldem"
        source.mkdir(parents=True)
        for stem, notebook in notebooks.items():
            nbformat.write(notebook, source / f"{stem}.ipynb")
        generate(Path(folder), "foldem", course_config())
        made = Path(folder) / "release" / "foldem"
        return {stem: (made / f"{stem}.ipynb").read_text(encoding="utf-8") for stem in notebooks}


def products(units: Sequence[Unit]) -> dict[Path, str]:
    """Return all built files, as path -> text."""
    notebooks = released_notebooks({unit.stem: source_notebook(unit) for unit in units})
    made = {notebook_file(unit): notebooks[unit.stem] for unit in units}
    stated = {_statements_file(unit): stated_unit(unit) | judging_of(unit) for unit in units}
    made |= {path: json.dumps(result, indent=1) + "\n" for path, result in stated.items()}
    return made | {path: text for unit in units for path, text in _game(unit)}


def _game(unit: Unit) -> Iterator[tuple[Path, str]]:
    """Yield the file with a complete game played by a unit's references, if the unit has a table that can record it."""
    if unit.pack.course == COURSE.name and unit.name in PLAYED:
        game = recorded_game(unit.name, dict(vars(unit.pack.module("solutions", unit.name))))
        yield COURSE / "games" / f"{unit.name}.json", json.dumps(game, separators=(",", ":")) + "\n"


def _statements_file(unit: Unit) -> Path:
    return unit.pack.statements / f"{unit.name}.json"


def build(units: Sequence[Unit]) -> list[Path]:
    """Write the built files, and return the changed paths.

    Raises UnitError, before anything is written, if a built file no longer belongs to a unit.
    """
    changed = []
    for unit in units:
        checks_of(unit)
        demand_meant(unit)
    for path, text in products(units).items():
        if not path.exists() or path.read_text(encoding="utf-8", errors="replace") != text:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            changed.append(path)
    return changed
