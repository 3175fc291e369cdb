"""The tables without a browser: complete games as pure functions, questions in the middle of a turn, time travel."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import product
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

import solutions.basra
import solutions.bots
import solutions.dominoes
import solutions.sedma
import solutions.uno
from course import basra, dominoes, sedma, uno, warmup
from course.kernel import borrowed
from course.show.pictures import art
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
from course.tables.game import recording_of
from course.tables.scene import ROOMS, static_view
from course.tables.table import GameTable
from course.uno.pictures import uno_code
from course.uno.table import Sitting, _ready
from course.values import TODO
from tests.classroom import reference_answers
from tests.command import PATIENCE
from tests.lesson import Lesson
from tests.sample import one_in
from tests.units import read_unit

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


def _sitting(names: dict[str, Any], seed: int) -> GameTable[Sitting]:
    """Return a table where you can play nothing and must reshuffle to draw: only wilds are below."""
    table = uno_table(bots=1, names=names, seed=seed)
    you = uno.Player("You", (uno.Crd(uno.Num(1), uno.BLUE), uno.Crd(uno.Num(2), uno.BLUE)), uno.first_playable, False)
    olga = uno.Player("Olga", (uno.Crd(uno.Num(1), uno.GREEN),), uno.first_playable, False)
    pile = (uno.Crd(uno.Num(5), uno.RED), *uno.WILDS, *uno.WILDS, *uno.WILDS)
    desk = uno.Desk((you, olga), pile, (), uno.Proceed(), uno.CLOCKWISE, ())
    table.history, table.at = (_ready(table.learner, Sitting(desk, ("You", "Olga"), seed)),), 0
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
    monkeypatch.setattr("course.tables.table.is_attended", lambda: True)
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
    monkeypatch.setattr(borrowed, "_borrowed", {})
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
    "another player": (lambda: uno_with(_renames), "your_turn(Desk(", "the players must not change"),
    "any card": (lambda: uno_with(_lays_anything), "your_turn(Desk(", "may not be laid"),
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
        "a card is taken twice$",
    ),
    "no card of the floor": (
        lambda: basra_with(capture=lambda *_: ((basra.Card(basra.SPADE, 14),),)),
        "capture(",
        "are on the floor$",
    ),
    "a wrong verdict": (
        lambda: sedma_record(names={**SEDMA, "replay": lambda cards: (sedma.BD, sedma.ONE)}),
        "replay(",
        "the tally",
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
    assert ElementTree.fromstring(base64.b64decode(picture[2])).tag == "{http://www.w3.org/2000/svg}svg"
    assert "<script" not in bundle["text/html"] and "http" not in static_view(table.view()).replace(
        "http://www.w3.org", ""
    )


def test_every_picture_is_well_formed_and_small() -> None:
    items = [each for unit in ("basra", "bots", "dominoes", "uno") for each in recording_of(unit)["items"]]
    for key in {each["a"] for each in items if "a" in each}:
        drawn = f'<svg xmlns="http://www.w3.org/2000/svg">{art(key)}</svg>'
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
from course.learner.answer import answer_among
from course.learner.checking import check_answer
for unit in catalogue.units():
    importlib.import_module(f"course.{unit}")
    names = vars(importlib.import_module(f"solutions.{unit}"))
    for name in catalogue.statements(unit).by_name:
        result = check_answer(answer_among(dict(names), name, unit), None)
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
