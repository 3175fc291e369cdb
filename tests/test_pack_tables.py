"""Packs can declare pictures of their types, a table, and a recorded game."""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from autograder.hosts.nbgrader import products
from autograder.site.pages import notebook_card
from autograder.units import pack as packs
from autograder.units.build import with_pictures
from autograder.units.pack import UnitError
from course.diagnoses.failure import Failure, FailureKind
from course.exam.calls import Names
from course.kernel import notebook
from course.show.bits import bits_of, code_of
from course.show.blocks import as_html
from course.show.failed import failure_elements
from course.show.pictures import art, spoken
from course.show.widgets import pictures_in
from course.tables.game import recorded_game, whole_game
from course.tables.widget import TableWidget
from course.watch.record import record
from course.watch.viewer import Viewer
from tests.units import WAR, read_unit


@pytest.fixture
def war(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setenv(packs.VARIABLE, str(WAR))
    return read_unit("war").module


def drawings(html: str) -> list[str]:
    return [b64decode(code).decode() for code in re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', html)]


def test_a_value_of_a_pack_is_written_with_its_own_picture(war: ModuleType) -> None:
    (bracket, card, *_) = bits_of((war.Card(7, war.SPADES),))
    assert (bracket.text, card.text, card.picture) == ("(", "Card(7, SPADES)", "shield:7-SPADES")
    assert spoken(card.picture) == "shield 7 of spades" and "SPADES</text>" in art(card.picture)


def test_a_value_of_a_pack_is_written_by_its_own_repr(war: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(war.Card, "__repr__", lambda card: f"card({card.rank}, {card.suit})")
    assert code_of([war.Card(7, war.SPADES)]) == "[card(7, SPADES)]"


def test_a_lesson_of_a_pack_draws_its_own_pictures(war: ModuleType) -> None:
    lesson = with_pictures("```draw\nCard(7, SPADES) | is not red\n```", Path())
    assert 'alt="shield 7 of spades"' in lesson and "is not red" in lesson
    assert ["SPADES</text>" in drawing for drawing in drawings(lesson)] == [True]


def test_a_unit_of_a_pack_shows_its_own_picture_on_the_start_page(war: ModuleType) -> None:
    (drawing,) = drawings(notebook_card("0_war.ipynb", {}, {"picture": "shield:7-SPADES"}).picture)
    assert "SPADES</text>" in drawing and 'viewBox="-38 -56 76 112"' in drawing


def test_a_failed_call_is_shown_with_pictures_of_the_pack(war: ModuleType) -> None:
    failure = Failure("outranks(Card(7, SPADES), Card(9, HEARTS))", FailureKind.GAVE, "True", "False")
    page = as_html(failure_elements(failure, is_drawn=True))
    assert 'alt="shield 7 of spades, shield 9 of hearts"' in page
    assert [drawing.count("<rect") for drawing in drawings(page)] == [2]


def war_names(war: ModuleType) -> Names:
    return dict(vars(read_unit("war").pack.module("solutions", "war")))


def test_a_watched_run_has_pictures_of_the_pack_with_their_sizes(war: ModuleType) -> None:
    names = war_names(war)
    view = Viewer(record(names["outranks"], (war.Card(7, war.SPADES), war.Card(9, war.HEARTS)), names)).view()
    assert {"shield:7-SPADES", "shield:9-HEARTS"} <= pictures_in(view)
    assert view["sizes"] == {"shield": (24, 28, 0.467, 0)}


def test_built_game_of_a_pack_is_current_and_can_be_stepped_through(war: ModuleType) -> None:
    made = {path.name: text for path, text in products([read_unit("war")]).items() if path.parent.name == "games"}
    assert made == {"war.json": (WAR / "war_course" / "games" / "war.json").read_text(encoding="utf-8")}
    game = whole_game("war")
    assert game.view()["title"] == "War: a whole game" and len(game.history) == 9
    game.receive(["go", 8], game.revision)
    assert (game.view()["status"], game.view()["sizes"]) == ("The war is over.", {"shield": (50, 60)})


def test_table_of_a_pack_waits_for_functions_and_names_a_broken_rule(war: ModuleType) -> None:
    war_table = import_module("war_course.war.table").war_table
    assert war_table(names={}, seed=1).view()["status"] == "Not ready: 2 functions are missing."
    whole, short = (war_names(war) | {"deal": lambda pack, most=most: (pack[:most], ())} for most in (None, 1))
    assert war_table(names=whole, seed=1).fault is None
    assert "cards are missing" in war_table(names=short, seed=1).view()["note"]["text"]


def test_a_game_that_stops_or_never_ends_is_not_built(war: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = import_module("war_course.war.table")
    endless = replace(tables.GAME, drive=lambda table: ["nothing"])
    with pytest.raises(ValueError, match="war: the game has not ended after 400 actions"):
        recorded_game("war", endless, war_names(war))
    monkeypatch.setattr(tables, "GAME", replace(endless, record=lambda names, seed: tables.war_table(names={})))
    with pytest.raises(UnitError, match=r"war/table\.py: the game of GAME cannot be recorded: war: deal, outranks"):
        products([read_unit("war")])


def test_pictures_of_the_first_view_are_sent_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook, "shell", lambda: SimpleNamespace(user_ns={}))
    table = whole_game("dominoes")
    table.begin()
    assert isinstance(table, TableWidget) and table.model_id
    pictures = {each["a"] for each in table.scene["items"] if "a" in each}
    assert pictures and pictures <= {*table.art} and all(table.art.values())
