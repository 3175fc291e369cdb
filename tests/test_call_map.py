"""The map of calls between exercises: derived, each name a link with its state."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from course.kernel import catalogue
from course.kernel.workspace import Workspace
from course.learner.progress import map_of, unit_progress
from course.show.results import BAD, GOOD, HUES, OPEN
from tests.units import read_unit, unit_names


@pytest.fixture(params=unit_names())
def unit(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_map_has_a_link_to_every_exercise_and_every_call(unit: str, tmp_path: Path) -> None:
    shown, stated = map_of(unit_progress(Workspace({}, tmp_path), unit)), catalogue.statements(unit)
    for exercise in read_unit(unit).exercises:
        assert f'href="{stated.notebook}#cell-id={exercise.name}-lesson"' in shown.markup
        calls = f" calls {', '.join(exercise.needs)}" if exercise.needs else ""
        assert f"○ {exercise.name}{calls}\n" in f"{shown.plain}\n"


def test_right_and_wrong_parts_have_their_colors_and_signs(tmp_path: Path) -> None:
    part = replace(
        unit_progress(Workspace({}, tmp_path), "dominoes"), states={"flip": GOOD, "append": BAD, "deck": OPEN}
    )
    shown = map_of(part)
    assert shown.markup.count(f"solid {HUES[GOOD]}") == shown.markup.count(f"solid {HUES[BAD]}") == 1
    assert "✓ flip\n✗ append" in shown.plain and "○ deck" in shown.plain
