"""Complete games to step through: they are recorded when notebooks are built, and need no function of the learner."""

from __future__ import annotations

import json

import pytest

from autograder.units.build import source_notebook
from course.tables.game import RecordedGame, whole_game
from course.tables.scene import static_view
from tests.units import read_unit, unit_names

UNITS = unit_names()  # before any other test has added a pack


@pytest.fixture(params=UNITS[1:])
def game(request: pytest.FixtureRequest) -> RecordedGame:
    return whole_game(request.param)


def test_every_unit_from_dominoes_on_has_its_game_near_its_beginning() -> None:
    for unit in UNITS[1:]:
        cells = [cell.source for cell in source_notebook(read_unit(unit)).cells if cell.cell_type == "code"]
        assert f'whole_game("{unit}")' in "\n".join(cells[:4])


def test_it_opens_at_its_beginning_and_goes_on_and_back_by_its_buttons(game: RecordedGame) -> None:
    assert game.at == 0 and len(game.history) >= 9
    for label, position in (("Next", 1), ("Next", 2), ("Back", 1), ("To the end", len(game.history) - 1)):
        (action,) = (each["do"] for each in game.view()["bar"] if each["l"] == label)
        game.receive(action, game.revision)
        assert game.at == position
    assert [each["l"] for each in game.view()["bar"]] == ["Back", "From the start"]


def test_every_moment_can_be_drawn_and_nothing_of_it_can_be_played(game: RecordedGame) -> None:
    for place in range(len(game.history)):
        game.receive(["go", place], game.revision)
        view = game.view()
        assert "do" not in json.dumps(view["items"]) and "wait" not in view and not view["why"]
        assert view["time"] == {"at": place, "last": len(game.history) - 1}
    assert static_view(game.view()).startswith("<svg")


def test_without_a_widget_it_is_shown_in_words(game: RecordedGame) -> None:
    data = game._bundle()
    assert all(line in data["text/plain"] for line in game.lines)
    assert "data:image/svg+xml" in data["text/html"]
