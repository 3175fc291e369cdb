"""The tables without a browser: complete games, questions, time travel, tables of packs, and recorded games."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from base64 import b64decode
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import product
from pathlib import Path
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import nbformat
import pytest
from ipywidgets import HTML, Layout, VBox
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook

import solutions.basra
import solutions.bots
import solutions.dominoes
import solutions.sedma
import solutions.uno
from autograder.hosts.nbgrader import built_files
from autograder.site.pages import notebook_card
from autograder.submission.reading import grade_id
from autograder.units import pack as packs
from autograder.units.build import source_notebook, with_pictures
from autograder.units.pack import UnitError
from course import basra, dominoes, sedma, uno, warmup
from course.diagnoses.failure import Failure, FailureKind
from course.exam.calls import Names
from course.kernel import borrowed, notebook
from course.show.bits import bits_of, code_of
from course.show.blocks import as_html
from course.show.failed import failure_elements
from course.show.pictures import picture_keys_in, picture_svg, spoken
from course.tables import (
    basra_table,
    domino_table,
    fold_steps,
    sedma_record,
    sedma_table,
    try_capture,
    try_order,
    try_tile,
    try_trick,
    try_view,
    uno_table,
    watch_deal,
)
from course.tables.game import RecordedGame, record_game, recording_of, whole_game
from course.tables.scene import ROOMS, view_svg
from course.tables.table import GameTable
from course.tables.widget import TableWidget
from course.uno.pictures import uno_code
from course.uno.table import UnoGame, _with_question
from course.values import TODO
from course.watch.record import record_run
from course.watch.viewer import Viewer
from tests.classroom import reference_answers
from tests.command import CELL_PATIENCE, PATIENCE
from tests.lesson import Lesson
from tests.sample import one_in
from tests.units import WAR, blank_notebook, read_unit, table_cells, unit_names

DOMINOES, BASRA, SEDMA, UNO = map(vars, (solutions.dominoes, solutions.basra, solutions.sedma, solutions.uno))


def choices(table: GameTable[Any]) -> list[Any]:
    """Return the actions that are possible now, by click or tick, except starting again."""
    view, aside = table.view(), (["new"], ["leave"], ["auto"], ["manual"], ["undo"])
    actions = [each["do"] for each in (*view["items"], *view["bar"]) if "do" in each and each["do"] not in aside]
    return [["tick"]] if "wait" in view else actions


def play(table: GameTable[Any], seed: int, most: int = 5000) -> GameTable[Any]:
    """Play at random until no action is possible, checking each view on the way."""
    random = Random(seed)
    for _ in range(most):
        table.receive(["room", random.choice(sorted(ROOMS))], table.revision)
        view = table.view()
        assert all(0 <= each["x"] <= view["w"] and 0 <= each["y"] <= view["h"] for each in view["items"])
        json.dumps(view, allow_nan=False)
        keys = [each["k"] for each in view["items"]]
        assert len(keys) == len({*keys}), keys
        todo = choices(table)
        if not todo or table.fault:
            return table
        table.receive(random.choice(todo), table.revision)
    return table


SMALL = {
    "fold": lambda: fold_steps(lambda total, card: total + len(repr(card)), 0, (warmup.Joker(), 3), names={}),
    "tile": lambda: try_tile(dominoes.Chain(6, "6-1 1-5", 5), names=DOMINOES),
    "trick": lambda: try_trick(names=SEDMA),
    "capture": lambda: try_capture(names=BASRA),
    "order": lambda: try_order(names=UNO),
    "deal": lambda: watch_deal(names=UNO),
    "view": lambda: try_view("playable_cards", "follow_color", names=vars(solutions.bots)),
}


GAMES: dict[str, Callable[[int], GameTable[Any]]] = {
    **{seats: partial(domino_table, seats, names=DOMINOES) for seats in ("HB", "BBB", "HH", "BHBB")},
    "uno": lambda seed: uno_table(*(uno.first_playable, solutions.uno.naive)[: seed % 2], names=UNO, seed=seed),
    "uno of ten": lambda seed: uno_table(bots=9, names=UNO, seed=seed),
    "basra": lambda seed: basra_table(names=BASRA, seed=seed),
    "sedma": lambda seed: sedma_table(names=SEDMA, seed=seed),
}


@pytest.mark.parametrize(("game", "seed"), one_in(7, [*product(GAMES, range(8))]))
def test_a_game_comes_to_an_end(game: str, seed: int) -> None:
    table = play(GAMES[game](seed=seed), seed)
    state = table.state
    assert table.fault is None and table.view()["over"]
    if game == "sedma":
        assert state.verdict == solutions.sedma.replay(state.played)
    elif "uno" in game:
        assert dict(state.result[1])[state.result[0]] == 0
    elif game != "basra":
        laid = [tuple(map(int, tile)) for tile in re.findall(r"(\d)-(\d)", state.chain.text)]
        rest = [(tile.left, tile.right) for hand in (state.stock, *state.hands) for tile in hand]
        assert len(laid + rest) == len({tuple(sorted(tile)) for tile in laid + rest}) == 28


def test_a_record_is_stepped_through_trick_by_trick_to_the_verdict() -> None:
    table = play(sedma_record(names=SEDMA), 0)
    assert len(table.history) == 10 and table.state.verdict == (sedma.AC, sedma.THREE)


@pytest.mark.parametrize("name", SMALL)
def test_small_tables_take_any_click(name: str) -> None:
    table = play(SMALL[name](), 1, most=40)
    assert table.fault is None and table.view()["items"]


# ---------------------------------------------------------------------------------------------------- Ask


def _sitting(names: dict[str, Any], seed: int) -> GameTable[UnoGame]:
    """Return a table where you can play nothing and must reshuffle to draw: only wilds are below."""
    table = uno_table(bots=1, names=names, seed=seed)
    you = uno.Player("You", (uno.Crd(uno.Num(1), uno.BLUE), uno.Crd(uno.Num(2), uno.BLUE)), uno.first_playable, False)
    olga = uno.Player("Olga", (uno.Crd(uno.Num(1), uno.GREEN),), uno.first_playable, False)
    pile = (uno.Crd(uno.Num(5), uno.RED), *uno.WILDS, *uno.WILDS, *uno.WILDS)
    desk = uno.Desk((you, olga), pile, (), uno.Proceed(), uno.CLOCKWISE, ())
    table.history, table.at = (_with_question(table.learner, UnoGame(desk, ("You", "Olga"), seed)),), 0
    return table


@pytest.mark.parametrize("seed", range(3))
def test_a_drawn_wild_asks_its_color_within_a_turn_with_a_reshuffle(seed: int) -> None:
    table = _sitting(UNO, seed)
    before = table.state
    assert before.desk.deck == () and before.args is not None
    (drawn,) = before.args.playable
    assert "You drew" in table.view()["status"]
    table.receive(["card", "W" if drawn == uno.Wild() else "F"], table.revision)
    assert table.state.picked == drawn and table.state.desk == before.desk and table.state.seed == before.seed
    assert {each["k"] for each in table.view()["items"]} >= {"c:red", "c:blue", "c:green", "c:yellow"}
    table.receive(["color", "GREEN"], table.revision)
    after = table.state.desk
    assert after.pile[0] == drawn and after.state == uno.Give(uno.GREEN)
    assert len((*after.pile, *after.deck, *after.players[0].cards, *after.players[1].cards)) == 10


def test_no_except_of_a_learner_swallows_the_question() -> None:
    def your_turn(desk: uno.Desk) -> uno.Desk:
        try:
            return solutions.uno.your_turn(desk)
        except Exception:
            return desk

    assert _sitting({**UNO, "your_turn": your_turn}, 3).state.args is not None


# ---------------------------------------------------------------------------------------------------- time


def _walk(table: GameTable[Any], steps: int) -> list[Any]:
    for _ in range(steps):
        table.receive(choices(table)[0], table.revision)
    return list(table.history)


def test_looking_back_changes_nothing_and_playing_on_is_the_same_future() -> None:
    table = uno_table(names=UNO, seed=5)
    history = _walk(table, 9)
    for action, kept in ((["go", 4], history), (["card", "R1"], history), (["play on"], history[:5])):
        table.receive(action, table.revision)
        assert table.state == history[4] and list(table.history) == kept
        assert action != ["go", 4] or table.view()["past"]
    _walk(table, len(history) - 5)
    assert list(table.history)[:-1] == history[:-1]


PLAYABLE = {
    "dominoes": lambda: domino_table("HBB", names=DOMINOES, seed=5),
    "uno": lambda: uno_table(bots=3, names=UNO, seed=2),
    "sedma": lambda: sedma_table(names=SEDMA, seed=5),
    "basra": lambda: basra_table(names=BASRA, seed=7),
}


@pytest.mark.parametrize("name", PLAYABLE)
def test_undo_leads_back_to_the_last_choice(name: str) -> None:
    table = PLAYABLE[name]()
    while not any("do" in each for each in table.view()["items"]):
        _walk(table, 1)
    before = table.state.number
    assert ["undo"] not in [each["do"] for each in table.view()["bar"]]
    while table.state.number == before:
        _walk(table, 1)
    table.receive(["undo"], table.revision)
    assert table.state.number == before and table.is_live and not getattr(table.state, "picked", None)


@pytest.mark.parametrize("name", PLAYABLE)
def test_nobody_thinks_on_the_players_turn_and_the_last_view_shows_all(name: str) -> None:
    table, random = PLAYABLE[name](), Random(3)
    while not (view := table.view())["over"]:
        assert "wait" in view or "thinking" not in view["status"], view["status"]
        table.receive(random.choice(choices(table)), table.revision)
    assert view["bar"][0] == {"l": "New game", "do": ["leave"], "c": "strong"}
    items = {each["k"]: each for each in view["items"]}
    hidden = [key for key, each in items.items() if re.match("(tile|card|uno):back|fan:", each.get("a", ""))]
    assert all(re.match(r"s\d|deck", key) for key in hidden), hidden
    if name == "uno":
        assert f"uno:{uno_code(table.state.desk.pile[0])}" in {each.get("a") for each in items.values()}
        assert all(f": {loss}" in items[f"n:{who}"]["t"] for who, loss in table.state.result[1])


def test_before_a_person_nothing_is_dealt_until_the_table_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("course.tables.table.is_interactive", lambda: True)
    table = domino_table("HB", names=DOMINOES, seed=4, pace=0)
    assert table.history == () and table.view()["begins"]
    table.begin()
    assert table.history and "begins" not in table.view()


def test_a_click_on_an_old_table_is_refused() -> None:
    table = domino_table("HB", names=DOMINOES, seed=5)
    old = table.revision
    click = choices(table)[0]
    table.receive(click, old)
    before = table.history, table.revision
    table.receive(click, old)
    assert (table.history, table.revision) == before and before[1] > old


def test_a_new_game_during_another_asks_for_confirmation() -> None:
    table = sedma_table(names=SEDMA, seed=5)
    history = _walk(table, 6)
    table.receive(["leave"], table.revision)
    view = table.view()
    assert [each["l"] for each in view["bar"]] == ["Keep playing", "Yes, a new game"]
    assert not any("do" in each for each in view["items"]) and "wait" not in view
    table.receive(["stay"], table.revision)
    assert list(table.history) == history and choices(table)
    for action in ("leave", "new"):
        table.receive([action], table.revision)
    assert len(table.history) == 1 and table.state.hands != history[0].hands


# ---------------------------------------------------------------------------------------------------- what is wrong


def without(names: dict[str, Any], *gone: str) -> dict[str, Any]:
    return {name: it for name, it in names.items() if name not in gone}


def test_a_closed_table_names_the_missing_exercises() -> None:
    stub = "def player_loss(player):\n    raise NotImplementedError"
    answers, number = reference_answers(read_unit("uno")), read_unit("uno")["player_loss"].number
    lesson = Lesson("uno", *(answers | {"player_loss": stub}).values())
    table = uno_table(names=lesson.names)
    assert not table.history and table.view()["status"] == "Not ready: `player_loss` is missing."
    assert table.view()["note"]["text"] == f"You can play here after exercise {number}."
    lesson.run(answers["player_loss"])
    table.receive(["new"], table.revision)
    assert table.history


def test_a_table_waits_for_the_functions_that_its_cell_names() -> None:
    names = vars(solutions.bots) | {"In": ["", "try_view(follow_color)\nplayable_cards = len"], "follow_color": TODO}
    assert try_view("smart_play_card", names=names).missing == ("follow_color",)


def test_a_table_opens_without_functions_that_nobody_calls() -> None:
    """`char_list_of_string` is such a function: only some learners use it in `players_of_string`."""
    answers = reference_answers(read_unit("dominoes"))
    stub = "def char_list_of_string(text):\n    raise NotImplementedError"
    using = Lesson("dominoes", *(answers | {"char_list_of_string": stub}).values())
    assert domino_table(names=using.names).missing == ("char_list_of_string",)
    own = answers["players_of_string"].replace("char_list_of_string(players)", "tuple(players)")
    without = Lesson("dominoes", *(answers | {"char_list_of_string": stub, "players_of_string": own}).values())
    assert domino_table(names=without.names).history


def test_a_table_plays_with_references_only_if_borrowing_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    names = without(DOMINOES, "make_dominoes", "take")
    monkeypatch.setattr(borrowed, "_borrowed_references", {})
    borrow = "Play with the reference solutions for now"
    assert [each["l"] for each in domino_table(names=names).view()["bar"]] == [borrow, "Try again"]
    monkeypatch.setattr("course.tables.table.may_borrow", lambda names: False)
    assert [each["l"] for each in domino_table(names=names).view()["bar"]] == ["Try again"]


def test_a_table_shows_the_failing_call_and_goes_on_after_a_fix() -> None:
    names = dict(DOMINOES)
    table = domino_table("BB", names=names, seed=2)
    _walk(table, 3)
    names["input_bot_move"] = lambda chain, hand: 1 // 0
    table.receive(["tick"], table.revision)
    view = table.view()
    assert "ZeroDivisionError" in view["note"]["text"] and "input_bot_move(Chain(" in view["note"]["code"]
    assert "wait" not in view and len(table.history) == 4
    names["input_bot_move"] = solutions.dominoes.input_bot_move
    table.receive(["again"], table.revision)
    assert table.fault is None and len(table.history) == 5


LONG = ["x" * 3_000_000]
LONG_RESULTS: dict[str, Callable[[], GameTable[Any]]] = {
    "a move": lambda: dominoes_with(input_bot_move=lambda *_: LONG),
    "a desk": lambda: uno_table(names={**UNO, "deal": lambda _: LONG}, seed=1),
    "a player": lambda: sedma_table(names={**SEDMA, "next_leader": lambda *_: LONG}, seed=1),
    "captures": lambda: basra_with(capture=lambda *_: LONG),
    "a score": lambda: uno_table(names={**UNO, "check_winner": lambda _: ("You", (("You", LONG[0]),))}, seed=6),
    "chains": lambda: try_tile(names={**DOMINOES, "legal_adds": lambda *_: LONG[0]}),
}


@pytest.mark.parametrize("name", LONG_RESULTS)
def test_long_results_are_cut(name: str) -> None:
    assert len(json.dumps(play(LONG_RESULTS[name](), 1, most=50).view())) < 50_000


class _Mute(Exception):
    def __str__(self) -> str:
        raise SystemExit(2)


def _renames(desk: uno.Desk) -> uno.Desk:
    first, *others = solutions.uno.your_turn(desk).players
    return solutions.uno.your_turn(desk).with_players((replace(first, name="Eve"), *others))


def _lays_anything(desk: uno.Desk) -> uno.Desk:
    player, *others = desk.players
    bad = next((card for card in player.cards if card not in solutions.uno.cards_to_play(desk)), None)
    if bad is None or not isinstance(bad, uno.Crd) or player.name == "You":
        return solutions.uno.your_turn(desk)
    rest = solutions.uno.remove_card(player.cards, bad, ValueError())
    moved = desk.with_players((player.with_cards(rest), *others)).with_pile((bad, *desk.pile)).add_memo(uno.Simple(bad))
    return solutions.uno.move_action(uno.Simple(bad), moved, True)


def _raising(error: BaseException) -> Callable[..., Any]:
    def broken(*_: Any) -> Any:
        raise error

    return broken


def _twice(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: function(*given) and function(*given)


BROKEN: dict[str, tuple[Callable[[], GameTable[Any]], str, str]] = {
    "a chain of one": (
        lambda: dominoes_with(input_bot_move=lambda chain, hand: (hand[1:], dominoes.Chain(0, "0-0", 0))),
        "input_bot_move(",
        "the new chain must be the old chain",
    ),
    "a hand that stays": (
        lambda: dominoes_with(input_bot_move=lambda chain, hand: (hand, dominoes.Chain(0, "0-0", 0))),
        "input_bot_move(",
        "must take one tile",
    ),
    "a text": (
        lambda: dominoes_with(input_bot_move=lambda *_: "no"),
        "input_bot_move(",
        "must return a hand and a chain",
    ),
    "lost tiles": (
        lambda: dominoes_with(take=lambda hand, n, stock: (hand, stock[n:])),
        "take(",
        "some tiles are missing after this move",
    ),
    "an interrupt": (
        lambda: dominoes_with(input_bot_move=_raising(KeyboardInterrupt())),
        "input_bot_move(EMPTY",
        r"stopped before it returned \(in broken",
    ),
    "an exit": (lambda: dominoes_with(input_bot_move=_raising(SystemExit(3))), "input_bot_move(", "^SystemExit"),
    "an exit of a generator": (
        lambda: dominoes_with(input_bot_move=_raising(GeneratorExit())),
        "input_bot_move(",
        "^GeneratorExit",
    ),
    "a text that exits": (lambda: dominoes_with(input_bot_move=_raising(_Mute())), "input_bot_move(", "^_Mute"),
    "a lost card": (
        lambda: uno_with(lambda desk: solutions.uno.your_turn(desk).with_pile(desk.pile[:1])),
        "your_turn(Desk(",
        "are missing",
    ),
    "no second player": (
        lambda: uno_table(names={**UNO, "deal": lambda players: solutions.uno.deal(players[:1])}, seed=1),
        "deal((Player(",
        "some players are missing",
    ),
    "another player": (lambda: uno_with(_renames), "your_turn(Desk(", "the desk must keep its players"),
    "any card": (lambda: uno_with(_lays_anything), "your_turn(Desk(", "cannot be laid"),
    "no desk": (lambda: uno_with(lambda desk: None), "your_turn(Desk(", "not a Desk"),
    "no capture": (lambda: basra_with(capture=lambda floor, card: ()), "capture(", "can still be captured"),
    "a generator": (
        lambda: basra_with(capture=lambda *_: (some for some in ())),
        "capture(",
        "not a tuple of captures",
    ),
    "a long text": (
        lambda: basra_with(capture=lambda *_: "x" * 3_000_000),
        "capture(",
        "… x+.*not a tuple of captures$",
    ),
    "a card taken twice": (
        lambda: basra_with(capture=lambda floor, card: 2 * solutions.basra.capture(floor, card)),
        "capture(",
        "a card is captured twice$",
    ),
    "no card of the floor": (
        lambda: basra_with(capture=lambda *_: ((basra.Card(basra.SPADE, 14),),)),
        "capture(",
        "are on the floor$",
    ),
    "a wrong verdict": (
        lambda: sedma_record(names={**SEDMA, "replay": lambda cards: (sedma.BD, sedma.ONE)}),
        "replay(",
        "the scores of the teams",
    ),
    "two questions in a turn of Uno": (
        lambda: uno_with(_twice(solutions.uno.your_turn)),
        "your_turn(",
        "asked the player twice",
    ),
    "two questions in a turn of dominoes": (
        lambda: domino_table("HB", names={**DOMINOES, "input_move": _twice(solutions.dominoes.input_move)}, seed=1),
        "input_move(",
        "asked the player twice",
    ),
    "a move that cannot be shown": (
        lambda: domino_table("HB", names={**DOMINOES, "input_move": lambda ask, *_: ask(None)}, seed=1),
        "input_move(",
        "cannot show",
    ),
    "chains that cannot be shown": (
        lambda: try_tile(names={**DOMINOES, "legal_adds": lambda *_: (1, 2)}),
        "legal_adds(",
        "cannot show",
    ),
    "captures that cannot be shown": (
        lambda: try_capture(names={**BASRA, "capture": lambda floor, card: floor}),
        "capture(",
        "cannot show",
    ),
    "a deal that cannot be shown": (lambda: watch_deal(names={**UNO, "deal": lambda _: None}), "deal(", "cannot show"),
    "an error": (
        lambda: sedma_table(names={**SEDMA, "next_leader": lambda leader, trick: 1 // 0}, seed=5),
        "next_leader(",
        "ZeroDivisionError",
    ),
}


def dominoes_with(**functions: Any) -> GameTable[Any]:
    return domino_table("BB", names={**DOMINOES, **functions}, seed=1)


def uno_with(your_turn: Callable[[uno.Desk], uno.Desk | None]) -> GameTable[Any]:
    return uno_table(names={**UNO, "your_turn": your_turn}, seed=6)


def basra_with(**functions: Any) -> GameTable[Any]:
    return basra_table(names={**BASRA, **functions}, seed=3)


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_rule_is_shown_with_the_call(name: str) -> None:
    make, call, trouble = BROKEN[name]
    table = play(make(), 2)
    assert table.fault and re.search(trouble, table.fault.trouble) and table.fault.call.startswith(call)
    view = table.view()
    assert view["status"] == "The game has stopped." and table.fault.trouble in view["note"]["text"]


# ---------------------------------------------------------------------------------------------------- without widgets


@pytest.mark.parametrize(
    "table", [domino_table(names=DOMINOES, seed=1), uno_table(names=UNO, seed=1), *(m() for m in SMALL.values())]
)
def test_outside_a_notebook_a_table_is_a_still_picture_with_its_words(table: GameTable[Any]) -> None:
    bundle = table._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    picture = re.search(r'<img alt="([^"]+)" src="data:image/svg\+xml;base64,([^"]+)"', bundle["text/html"])
    assert picture and table.view()["title"] in picture[1]
    assert ElementTree.fromstring(b64decode(picture[2])).tag == "{http://www.w3.org/2000/svg}svg"
    assert "<script" not in bundle["text/html"] and "http" not in view_svg(table.view()).replace(
        "http://www.w3.org", ""
    )


def test_every_picture_is_well_formed_and_small() -> None:
    items = [each for unit in ("basra", "bots", "dominoes", "uno") for each in recording_of(unit)["items"]]
    for key in {each["a"] for each in items if "a" in each}:
        drawn = f'<svg xmlns="http://www.w3.org/2000/svg">{picture_svg(key)}</svg>'
        assert ElementTree.fromstring(drawn) is not None and len(drawn) < 6000, key


BLOCKED = """
import builtins, importlib, json, sys
blocked = {"subprocess", "threading", "signal", "resource", "socket", "multiprocessing", "anywidget", "ipywidgets"}
true_import = builtins.__import__

def watched(name, globals=None, locals=None, fromlist=(), level=0):
    importer = (globals or {}).get("__name__", "")
    mine = importer.partition(".")[0] == "course" and importer != "course.kernel.limits"  # which asks what there is
    if not level and name.partition(".")[0] in blocked and mine:
        raise ImportError(f"{importer} imports {name}")
    return true_import(name, globals, locals, fromlist, level)

forbidden = {"subprocess.Popen", "os.fork", "os.exec", "os.posix_spawn", "socket.__new__", "_thread.start_new_thread"}

def forbid(event, args):
    if event in forbidden:
        raise RuntimeError(event)

builtins.__import__ = watched
sys.addaudithook(forbid)
import course.tables
from course.kernel import catalogue
from course.learner.answer import answer_in_namespace
from course.learner.checking import check_answer
for unit in catalogue.units():
    importlib.import_module(f"course.{unit}")
    names = vars(importlib.import_module(f"solutions.{unit}"))
    for name in catalogue.statements(unit).by_name:
        result = check_answer(answer_in_namespace(dict(names), name, unit), None)
        assert result.state == "good", result
print(len(course.tables.uno_table(names=vars(sys.modules["solutions.uno"]))._repr_mimebundle_()))
"""


def test_course_examples_run_without_processes_threads_and_sockets() -> None:
    done = subprocess.run([sys.executable, "-c", BLOCKED], capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout.strip() == "2", done.stderr


def test_a_domino_game_that_is_blocked_is_a_draw() -> None:
    table, tile = domino_table("BB", names=DOMINOES, seed=1), dominoes.Domino
    chain, hands = dominoes.Chain(0, "0-5 5-5", 5), ((tile(1, 2),), (tile(3, 4),))
    table.history, table.at = (replace(table.state, hands=hands, stock=(tile(1, 1),), chain=chain),), 0
    play(table, 0)
    assert table.state.over.startswith("It's a draw") and table.state.number == 3
    assert table.state.log == (
        "Player 1 (bot) passes.",
        "Player 2 (bot) passes.",
        "Player 1 (bot) draws 1 and passes.",
    )


# ---------------------------------------------------------------------------------------------------- recorded games

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
    assert view_svg(game.view()).startswith("<svg")


def test_without_a_widget_it_is_shown_in_words(game: RecordedGame) -> None:
    data = game._mime_bundle()
    assert all(line in data["text/plain"] for line in game.lines)
    assert "data:image/svg+xml" in data["text/html"]


# ---------------------------------------------------------------------------------------------------- tables of packs


@pytest.fixture
def war(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setenv(packs.VARIABLE, str(WAR))
    return read_unit("war").module


def drawings(html: str) -> list[str]:
    return [b64decode(code).decode() for code in re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', html)]


def test_a_value_of_a_pack_is_written_with_its_own_picture(war: ModuleType) -> None:
    (bracket, card, *_) = bits_of((war.Card(7, war.SPADES),))
    assert (bracket.text, card.text, card.picture) == ("(", "Card(7, SPADES)", "shield:7-SPADES")
    assert spoken(card.picture) == "shield 7 of spades" and "SPADES</text>" in picture_svg(card.picture)


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
    return dict(vars(read_unit("war").pack.import_role_module("solutions", "war")))


def test_a_watched_run_has_pictures_of_the_pack_with_their_sizes(war: ModuleType) -> None:
    names = war_names(war)
    view = Viewer(record_run(names["outranks"], (war.Card(7, war.SPADES), war.Card(9, war.HEARTS)), names)).view()
    assert {"shield:7-SPADES", "shield:9-HEARTS"} <= picture_keys_in(view)
    assert view["sizes"] == {"shield": (24, 28, 0.467, 0)}


def test_built_game_of_a_pack_is_current_and_can_be_stepped_through(war: ModuleType) -> None:
    made = {path.name: text for path, text in built_files([read_unit("war")]).items() if path.parent.name == "games"}
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
        record_game("war", endless, war_names(war))
    monkeypatch.setattr(tables, "GAME", replace(endless, record=lambda names, seed: tables.war_table(names={})))
    with pytest.raises(
        UnitError, match=r"war/table\.py: foldem build cannot record the game in `GAME`: war: deal, outranks"
    ):
        built_files([read_unit("war")])


# ---------------------------------------------------------------------------------------------------- with widgets


@pytest.fixture
def in_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        notebook, "shell", lambda: SimpleNamespace(user_ns=DOMINOES, history_manager=SimpleNamespace(input_hist_raw=[]))
    )


@pytest.mark.usefixtures("in_notebook")
def test_pictures_of_the_first_view_are_sent_with_it() -> None:
    table = whole_game("dominoes")
    table.begin()
    assert isinstance(table, TableWidget) and table.model_id
    pictures = {each["a"] for each in table.scene["items"] if "a" in each}
    assert pictures and pictures <= {*table.art} and all(table.art.values())


def table_of_one() -> Any:
    return domino_table("HB", names=DOMINOES, seed=3, pace=0)


@pytest.mark.usefixtures("in_notebook")
def test_table_fits_into_a_box_with_other_widgets() -> None:
    table, game = table_of_one(), whole_game("dominoes")
    table.layout = Layout(width="30%")
    box = VBox([HTML("<h2>My table</h2>"), table, game])
    assert box.get_state()["children"][1:] == [f"IPY_MODEL_{each.model_id}" for each in (table, game)]
    assert table.scene == table.view() and game.scene["time"]["last"] > 10


@pytest.mark.usefixtures("in_notebook")
def test_table_can_be_observed() -> None:
    table, statuses = table_of_one(), list[str]()
    table.observe(lambda change: statuses.append(change.new["status"]), "scene")
    assert table.model_id
    (first, *_) = (each["do"] for each in table.view()["items"] if "do" in each)
    click = {"method": "custom", "content": {"do": first, "rev": table.revision}}
    table._handle_msg({"content": {"data": click}, "buffers": []})
    assert statuses[-1] == table.view()["status"] and len({*statuses}) == 2


@pytest.mark.usefixtures("in_notebook")
def test_table_that_nobody_shows_opens_no_channel_to_the_browser() -> None:
    table = table_of_one()
    assert "text/html" in table._repr_mimebundle_() and table.comm is None and table.display is None


def test_table_outside_of_a_notebook_is_no_widget() -> None:
    assert type(table_of_one()) is GameTable and not isinstance(whole_game("dominoes"), TableWidget)


# ---------------------------------------------------------------------------------------------------- executed

WIDGET = "application/vnd.jupyter.widget-view+json"


def executed(*cells: str) -> Any:
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    return NotebookClient(notebook, timeout=CELL_PATIENCE, allow_errors=True).execute()


def test_sliders_of_an_unwritten_function_say_what_to_write_first() -> None:
    cells = [cell.source for cell in blank_notebook("dominoes").cells]
    stub, sliders = (next(cell for cell in cells if text in cell) for text in ("def append", "import interact"))
    notebook = executed("from course.check import *\nfrom course.dominoes import *", stub, sliders)
    shown = str(notebook.metadata.widgets)
    assert "append is not written yet" in shown and "most recent call" not in shown


def test_an_executed_notebook_has_a_still_picture_and_no_widget() -> None:
    notebook = executed("from solutions.uno import *", "from course.tables import uno_table\nuno_table(bots=3, seed=1)")
    (output,) = notebook.cells[1].outputs
    assert WIDGET not in output.data and output.data["text/plain"].startswith("Uno: ")
    page, _ = HTMLExporter().from_notebook_node(nbformat.from_dict(notebook))
    assert 'src="data:image/svg+xml;base64,' in page and 'alt="Uno. ' in page
    assert "application/vnd.jupyter.widget-state" not in page


@pytest.mark.proof
@pytest.mark.parametrize("unit", unit_names())
def test_a_notebook_in_which_nothing_is_written_shows_no_traceback(unit: str) -> None:
    notebook = executed(*(cell.source for cell in blank_notebook(unit).cells if cell.cell_type == "code"))
    outputs = [output for cell in notebook.cells for output in cell.outputs]
    results = [output.data["text/plain"] for output in outputs if output.output_type == "display_data"]
    unwritten = {result.partition(": not written yet")[0] for result in results}
    assert unwritten >= {f"○ {exercise.name}" for exercise in read_unit(unit).exercises}
    assert {len(output.traceback) for output in outputs if output.output_type == "error"} == {1}


@pytest.mark.parametrize("unit", one_in(6, unit_names()))
def test_tables_stay_closed_with_a_message_until_functions_are_written(unit: str) -> None:
    tables = table_cells(unit)
    stubs = [cell.source for cell in blank_notebook(unit).cells if grade_id(cell) in read_unit(unit).by_name]
    assert tables
    for cell in executed(f"from course.{unit} import *", *stubs, *tables).cells[-len(tables) :]:
        (output,) = cell.outputs
        assert output.output_type == "display_data", output
        assert "<img" in output.data["text/html"] and "could not begin" not in output.data["text/plain"]
