"""Build `notebooks/` from source notebooks, with nbgrader, and `statements/` from their exercises.

`statements/` has what `check` needs if only the course is installed; it never has an answer. `games/` has a recorded
game of each unit.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import nbformat

from autograder.exam.model import judging_of
from autograder.hosts.nbgrader import course_config, generate
from autograder.units.build import notebook_file, source_notebook
from autograder.units.pack import UnitError
from autograder.units.unit import Unit, stated_unit
from autograder.units.written import predictions_in
from course.data import as_data
from course.tables.game import game_of, recorded_game


def products(units: Sequence[Unit]) -> dict[Path, str]:
    """Return all built files, as path -> text."""
    made = dict[Path, str]()
    with tempfile.TemporaryDirectory() as folder:  # nbgrader's `generate_assignment` makes the students' notebooks
        source, release = (Path(folder) / name / "foldem" for name in ("source", "release"))
        source.mkdir(parents=True)
        for unit in units:
            nbformat.write(source_notebook(unit), source / f"{unit.stem}.ipynb")
        generate(Path(folder), "foldem", course_config())
        for unit in units:
            made[notebook_file(unit)] = (release / f"{unit.stem}.ipynb").read_text(encoding="utf-8")
    for unit in units:
        predictions = predictions_in(unit.pack.file("solutions", unit.name), unit.by_name)
        stated = replace(stated_unit(unit), judging=judging_of(unit), predictions=predictions)
        made[unit.pack.statements / f"{unit.name}.json"] = json.dumps(as_data(stated), indent=1) + "\n"
    return made | {path: text for unit in units for path, text in _game(unit)}


def _game(unit: Unit) -> Iterator[tuple[Path, str]]:
    """Yield the file with a complete game played by a unit's references, if the unit has a table that can record it.

    Raises UnitError if the game stops, or does not end.
    """
    game = game_of(unit.pack.given(unit.name))
    if game is not None and game.record is not None:
        try:
            recording = recorded_game(unit.name, game, dict(vars(unit.pack.module("solutions", unit.name))))
        except ValueError as error:
            file = unit.pack.role_file("table", unit.name)
            raise UnitError(f"{file}: the game of GAME cannot be recorded: {error}") from None
        path = unit.pack.course_folder / "games" / f"{unit.name}.json"
        yield path, json.dumps(recording, separators=(",", ":")) + "\n"


def build(units: Sequence[Unit]) -> list[Path]:
    """Write the built files, and return the changed paths."""
    changed = changed_products(products(units))
    for path, text in changed.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return [*changed]


def changed_products(made: Mapping[Path, str]) -> dict[Path, str]:
    """Return the built files that differ from those on disk."""

    def is_current(path: Path, text: str) -> bool:
        return path.exists() and path.read_text(encoding="utf-8", errors="replace") == text

    return {path: text for path, text in made.items() if not is_current(path, text)}
