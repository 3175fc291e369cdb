"""The tables without a browser: complete games as pure functions, questions in the middle of a turn, time travel."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

import solutions.basra
import solutions.bots
import solutions.dominoes
import solutions.sedma
import solutions.uno
import solutions.warmup
from course import basra, dominoes, sedma, uno, warmup
from course.kernel import borrowed
from course.kernel.borrowed import borrow_into
from course.learner import hints
from course.show.drawing import art
from course.show.pictures import uno_code
from course.show.widgets import show_in
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
    watch_set,
)
from course.tables.basra import ways
from course.tables.scene import NARROW, ROOMS, item_texts, still
from course.tables.table import GameTable
from course.tables.uno import Sitting, act
from course.values import TODO
from tests.classroom import reference_answers
from tests.command import PATIENCE
from tests.lesson import Lesson
from tests.sample import one_in
from tests.units import read_unit

DOMINOES, BASRA, SEDMA, UNO, BOTS, WARMUP = (
    vars(module)
    for module in (
        solutions.dominoes,
        solutions.basra,
        solutions.sedma,
        solutions.uno,
        solutions.bots,
        solutions.warmup,
    )
)


def choices(table: GameTable[Any]) -> list[Any]:
    """Return the actions that are possible now, by click or tick, except starting again."""
    view = table.view()
    if "wait" in view:
        return [["tick"]]
    clicks = [each["do"] for each in view["items"] if "do" in each]
    aside = (["new"], ["leave"], ["other"], ["auto"], ["manual"], ["undo"])
    return clicks + [each["do"] for each in view["bar"] if each["do"] not in aside]


def play(table: GameTable[Any], seed: int, most: int = 5000) -> GameTable[Any]:
    """Play at random until no action is possible, checking each view on the way."""
    random = Random(seed)
    for _ in range(most):
        table.receive(["room", random.choice(sorted(ROOMS))], table.revision)
        view = table.view()
        assert all(0 <= each["x"] <= view["w"] and 0 <= each["y"] <= view["h"] for each in view["items"])
        json.dumps(view, allow_nan=False)
        assert {each["a"] for each in view["items"] if "a" in each} <= set(table.game.art)
        keys = Counter(each["k"] for each in view["items"])
        assert max(keys.values(), default=1) == 1, keys.most_common(2)
        todo = choices(table)
        if not todo or table.fault:
            return table
        assert table.receive(random.choice(todo), table.revision)
    return table


def test_a_table_opens_when_the_functions_in_its_cell_are_written() -> None:
    cell = "try_view(follow_color)\nplayable_cards = len"

    def follow_color(view: object) -> object:
        raise NotImplementedError

    names = {"In": ["", cell], "follow_color": follow_color, "playable_cards": TODO}
    table = try_view(follow_color, names=names)
    assert table.missing == ("follow_color",)
    names["follow_color"] = solutions.bots.follow_color
    table.receive(["new"], table.revision)
    assert table.fault is None and table.history


SMALL = {
    "fold": lambda: fold_steps(lambda total, card: total + len(repr(card)), 0, (warmup.Joker(), 3), names={}),
    "tile": lambda: try_tile(dominoes.Chain(6, "6-1 1-5", 5), names=DOMINOES),
    "trick": lambda: try_trick(names=SEDMA),
    "capture": lambda: try_capture(names=BASRA),
    "order": lambda: try_order(names=UNO),
    "deal": lambda: watch_deal(names=UNO),
    "view": lambda: try_view(solutions.bots.playable_cards, solutions.bots.follow_color, names={}),
}
SEEDS = range(8)


@pytest.mark.parametrize("seats", ["HB", "BBB", "HH", "BHBB"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_game_of_dominoes_comes_to_an_end(seats: str, seed: int) -> None:
    table = play(domino_table(seats, names=DOMINOES, seed=seed), seed)
    assert table.fault is None and table.state.over
    tiles = Counter(map(str, map(sorted, _halves(table.state))))
    assert len(tiles) == sum(tiles.values()) == 28


def _halves(state: Any) -> list[tuple[int, int]]:
    laid = re.findall(r"(\d)-(\d)", state.chain.text)
    held = [(tile.left, tile.right) for tile in (*state.stock, *(tile for hand in state.hands for tile in hand))]
    return [(int(left), int(right)) for left, right in laid] + held


@pytest.mark.parametrize("bots", [1, 3, 9])
@pytest.mark.parametrize("seed", one_in(4, SEEDS))
def test_a_game_of_uno_comes_to_an_end(bots: int, seed: int) -> None:
    players = (solutions.bots.smart_player, solutions.uno.naive)[: 1 + seed % 2]
    table = play(uno_table(*players, bots=bots, names=UNO, seed=seed), seed)
    assert table.fault is None and table.state.result
    assert dict(table.state.result[1])[table.state.result[0]] == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_games_of_basra_and_sedma_come_to_an_end(seed: int) -> None:
    basra, sedma_game = basra_table(names=BASRA, seed=seed), sedma_table(names=SEDMA, seed=seed)
    assert play(basra, seed).fault is None and basra.state.over
    assert play(sedma_game, seed).fault is None and sedma_game.state.over
    assert sedma_game.state.verdict == solutions.sedma.replay(sedma_game.state.played)


def test_a_record_is_stepped_through_trick_by_trick_to_the_verdict() -> None:
    table = play(sedma_record(names=SEDMA), 0)
    assert len(table.history) == 10 and table.state.verdict == (sedma.AC, sedma.THREE)


def test_a_set_of_bots_can_be_watched_with_each_view() -> None:
    table = watch_set(solutions.bots.smart_player, solutions.bots.stupid_player, seed=3, names={})
    table.receive(["run"], table.revision)
    assert table.view()["bar"][0]["l"] == "Stop"
    assert play(table, 0).state.is_over
    assert "wins the set" in table.view()["status"]


def test_a_set_of_bots_is_described_in_words() -> None:
    table = watch_set(solutions.bots.smart_player, solutions.bots.stupid_player, seed=3, names={})
    table.receive(["run"], table.revision)
    play(table, 0)
    shown = [" ".join(item_texts(table.game.view(state, NARROW)["items"])) for state in table.history]
    assert not [text for text in shown if re.search(r"direction|roll|-\d|cards:", text)]
    assert all(re.search(r"\d cards? against \d+ play goes (counter)?clockwise", text) for text in shown)
    assert {"counter" in text for text in shown} == {True, False}


def test_a_view_looks_at_no_earlier_state_a_second_time() -> None:
    table = play(watch_set(solutions.bots.smart_player, solutions.bots.stupid_player, seed=3, names={}), 0, most=30)
    viewed: list[object] = []
    view = table.game.view
    table.game = replace(table.game, view=lambda state, room: [viewed.append(state), view(state, room)][1])
    table.view()
    assert len(table.history) > 10 and len(viewed) <= 3


@pytest.mark.parametrize("name", SMALL)
def test_small_tables_take_any_click(name: str) -> None:
    table = play(SMALL[name](), 1, most=40)
    assert table.fault is None and table.view()["items"]


# ---------------------------------------------------------------------------------------------------- Ask


def _desk(hand: tuple[uno.Card, ...]) -> uno.Desk:
    """Return a desk where you can play nothing and must reshuffle to draw: only wilds are below."""
    you = uno.Player("You", hand, uno.first_playable, False)
    olga = uno.Player("Olga", (uno.Crd(uno.Num(1), uno.GREEN),), uno.first_playable, False)
    pile = (uno.Crd(uno.Num(5), uno.RED), *uno.WILDS, *uno.WILDS, *uno.WILDS)
    return uno.Desk((you, olga), pile, (), uno.Proceed(), uno.CLOCKWISE, ())


def _sitting(names: dict[str, Any], seed: int) -> GameTable[Sitting]:
    table = uno_table(bots=1, names=names, seed=seed)
    desk = _desk((uno.Crd(uno.Num(1), uno.BLUE), uno.Crd(uno.Num(2), uno.BLUE)))
    table.history = (act(table.learner, Sitting(desk, ("You", "Olga"), seed), ["manual"]),)
    table.at = 0
    return table


@pytest.mark.parametrize("seed", range(10))
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
    assert _all_cards(after) == _all_cards(before.desk)


def _all_cards(desk: uno.Desk) -> Counter[uno.Card]:
    return Counter((*desk.pile, *desk.deck, *(card for player in desk.players for card in player.cards)))


def test_no_except_of_a_learner_swallows_the_question() -> None:
    def your_turn(desk: uno.Desk) -> uno.Desk:
        try:
            return solutions.uno.your_turn(desk)
        except Exception:
            return desk

    table = _sitting({**UNO, "your_turn": your_turn}, 3)
    assert table.state.args is not None


def test_automatic_mode_plays_on_and_can_be_left() -> None:
    table = uno_table(bots=2, names=UNO, seed=4)
    table.receive(["auto"], table.revision)
    assert choices(table) == [["tick"]]
    table.receive(["tick"], table.revision)
    table.receive(["manual"], table.revision)
    assert not table.state.auto


# ---------------------------------------------------------------------------------------------------- time


def _walk(table: GameTable[Any], steps: int) -> list[Any]:
    for _ in range(steps):
        table.receive(choices(table)[0], table.revision)
    return list(table.history)


@pytest.mark.parametrize(
    "make", [lambda: domino_table("HB", names=DOMINOES, seed=5), lambda: uno_table(names=UNO, seed=5)]
)
def test_looking_back_changes_nothing_and_playing_on_is_the_same_future(make: Any) -> None:
    table = make()
    history = _walk(table, 9)
    middle = len(history) // 2
    table.receive(["go", middle], table.revision)
    view = table.view()
    assert not any(each.get("c") == "glow" for each in view["items"]) and view["past"] and "wait" not in view
    assert table.state == history[middle] and list(table.history) == history
    table.receive(["card", "R1"], table.revision)
    assert list(table.history) == history
    table.receive(["play on"], table.revision)
    assert list(table.history) == history[: middle + 1]
    while len(table.history) < len(history):
        _walk(table, 1)
    assert list(table.history)[:-1] == history[:-1]


def test_a_click_on_an_earlier_moment_continues_from_there() -> None:
    table = domino_table("HB", names=DOMINOES, seed=4, pace=0)
    history = _walk(table, 9)
    table.receive(["go", 2], table.revision)
    click = next(each["do"] for each in table.view()["items"] if "do" in each)
    assert table.receive(click, table.revision)
    assert list(table.history)[:2] == history[:2] and len(table.history) < len(history) and table.is_live
    assert ["as it was"] in [each["do"] for each in table.view()["bar"]]


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
    before, view = table.state, table.view()
    assert "Undo" not in [each["l"] for each in view["bar"]]
    for _ in range(5):
        if table.state.number == before.number:
            _walk(table, 1)
    assert ["undo"] in [each["do"] for each in table.view()["bar"]]
    table.receive(["undo"], table.revision)
    assert table.state.number == before.number and table.is_live and not getattr(table.state, "picked", None)
    assert [each["k"] for each in table.view()["items"] if "do" in each]
    assert table.fault is None


@pytest.mark.parametrize("name", PLAYABLE)
def test_nobody_thinks_on_the_players_turn(name: str) -> None:
    table, random = PLAYABLE[name](), Random(3)
    for _ in range(300):
        view = table.view()
        if view["over"]:
            break
        assert "wait" in view or "thinking" not in view["status"], view["status"]
        table.receive(random.choice(choices(table)), table.revision)
    assert table.view()["bar"][0] == {"l": "New game", "do": ["leave"], "c": "strong"}


@pytest.mark.parametrize("name", PLAYABLE)
def test_the_last_view_shows_every_hand_and_the_last_card(name: str) -> None:
    table, random = PLAYABLE[name](), Random(3)
    for _ in range(300):
        if not table.view()["over"]:
            table.receive(random.choice(choices(table)), table.revision)
    items = {each["k"]: each for each in table.view()["items"]}
    hidden = [key for key, each in items.items() if re.match("(tile|card|uno):back|fan:", each.get("a", ""))]
    assert all(re.match(r"s\d|deck", key) for key in hidden), hidden
    if name == "uno":
        assert f"uno:{uno_code(table.state.desk.pile[0])}" in {each.get("a") for each in items.values()}
        assert all(f": {loss}" in items[f"n:{who}"]["t"] for who, loss in table.state.result[1])


def test_playing_on_from_an_earlier_moment_can_be_taken_back() -> None:
    table = domino_table("HB", names=DOMINOES, seed=4, pace=0)
    history = _walk(table, 9)
    table.receive(["go", 2], table.revision)
    table.receive(["play on"], table.revision)
    _walk(table, 2)
    assert ["as it was"] in [each["do"] for each in table.view()["bar"]]
    table.receive(["as it was"], table.revision)
    assert list(table.history) == history and table.at == len(history) - 1
    assert ["as it was"] not in [each["do"] for each in table.view()["bar"]]


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
    assert table.receive(click, old)
    before = table.history
    assert not table.receive(click, old) and table.history == before


def test_a_new_game_during_another_asks_for_confirmation() -> None:
    table = sedma_table(names=SEDMA, seed=5)
    table.receive(["leave"], table.revision)
    assert "New game" in [each["l"] for each in table.view()["bar"]], "nothing was played yet"
    history = _walk(table, 6)
    table.receive(["leave"], table.revision)
    view = table.view()
    assert [each["l"] for each in view["bar"]] == ["Keep playing", "Yes, a new game"]
    assert not any("do" in each for each in view["items"]) and "wait" not in view
    table.receive(["stay"], table.revision)
    assert list(table.history) == history and choices(table)
    table.receive(["leave"], table.revision)
    table.receive(["new"], table.revision)
    assert len(table.history) == 1


def test_a_game_that_is_over_is_left_without_asking() -> None:
    table = play(sedma_table(names=SEDMA, seed=5), 0)
    table.receive(["leave"], table.revision)
    assert len(table.history) == 1


def test_a_table_that_shows_an_error_does_not_say_that_somebody_thinks() -> None:
    names = dict(SEDMA, next_leader=lambda leader, trick: 1 // 0)
    table = play(sedma_table(names=names, seed=5), 0)
    assert table.fault and table.view()["status"] == "The game has stopped."


def test_an_interrupted_call_is_a_fault_that_names_the_call() -> None:
    def interrupted(chain: object, hand: object) -> None:
        raise KeyboardInterrupt

    table = domino_table("BB", names=dict(DOMINOES, input_bot_move=interrupted), seed=2)
    table.receive(["tick"], table.revision)
    view = table.view()
    assert "stopped before it returned (in interrupted" in view["note"]["text"]
    assert "input_bot_move(EMPTY" in view["note"]["code"]


def test_new_games_differ_and_equal_seeds_give_equal_games() -> None:
    table = domino_table("HB", names=DOMINOES, seed=5)
    first = table.state
    table.receive(["new"], table.revision)
    assert table.state != first
    assert domino_table("HB", names=DOMINOES, seed=5).state == first


# ---------------------------------------------------------------------------------------------------- what is wrong


def without(names: dict[str, Any], *gone: str) -> dict[str, Any]:
    return {name: it for name, it in names.items() if name not in gone}


def test_a_closed_table_names_the_missing_exercises() -> None:
    stub = "def player_loss(player):\n    raise NotImplementedError"
    answers, number = reference_answers(read_unit("uno")), read_unit("uno")["player_loss"].number
    lesson = Lesson("uno", *(answers | {"player_loss": stub}).values())
    table = uno_table(names=lesson.names)
    assert not table.history
    assert table.view()["status"] == "Not ready: `player_loss` is missing."
    assert table.view()["note"]["text"] == f"You can play here after exercise {number}."
    lesson.run(answers["player_loss"])
    table.receive(["new"], table.revision)
    assert table.history


def test_a_table_opens_without_functions_that_nobody_calls() -> None:
    """`char_list_of_string` is such a function: only some learners use it in `players_of_string`."""
    answers = reference_answers(read_unit("dominoes"))
    stub = "def char_list_of_string(text):\n    raise NotImplementedError"
    using = Lesson("dominoes", *(answers | {"char_list_of_string": stub}).values())
    assert domino_table(names=using.names).missing == ("char_list_of_string",)
    own = answers["players_of_string"].replace("char_list_of_string(players)", "tuple(players)")
    without = Lesson("dominoes", *(answers | {"char_list_of_string": stub, "players_of_string": own}).values())
    assert domino_table(names=without.names).history


def test_a_borrowed_reference_replaces_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    names = without(DOMINOES, "make_dominoes", "take")
    monkeypatch.setattr("course.tables.table.lender", lambda names: None)
    assert [each["l"] for each in domino_table(names=names).view()["bar"]] == ["Try again"]
    monkeypatch.undo()

    def lend(name: str) -> None:
        borrow_into(names, "dominoes", name, DOMINOES[name])

    monkeypatch.setattr(hints, "borrow", lend)
    monkeypatch.setattr(borrowed, "_borrowed", {})
    table = domino_table(names=names)
    assert [each["l"] for each in table.view()["bar"]] == ["Try again", "Use our versions for now"]
    table.receive(["borrow"], table.revision)
    assert table.view()["note"]["text"] == "Borrowed, not yours: make_dominoes, take."


def test_a_table_shows_the_failing_call_and_goes_on_after_a_fix() -> None:
    names = dict(DOMINOES)
    table = domino_table("BB", names=names, seed=2)
    _walk(table, 3)
    names["input_bot_move"] = lambda chain, hand: 1 // 0
    table.receive(["tick"], table.revision)
    view = table.view()
    assert "ZeroDivisionError" in view["note"]["text"] and "input_bot_move(Chain(" in view["note"]["code"]
    assert "wait" not in view and len(table.history) == 4
    table.receive(["go", 1], table.revision)
    assert "note" not in table.view()
    table.receive(["go", 3], table.revision)
    names["input_bot_move"] = solutions.dominoes.input_bot_move
    table.receive(["again"], table.revision)
    assert table.fault is None and len(table.history) == 5


@pytest.mark.parametrize(
    ("name", "broken", "trouble"),
    [
        (
            "input_bot_move",
            lambda chain, hand: (hand[1:], dominoes.Chain(0, "0-0", 0)),
            "the new chain must be the old chain",
        ),
        ("input_bot_move", lambda chain, hand: (hand, dominoes.Chain(0, "0-0", 0)), "must take one tile"),
        ("input_bot_move", lambda chain, hand: "no", "not a hand and a chain"),
        ("take", lambda hand, n, stock: (hand, stock[n:]), "some tiles are missing after this move"),
    ],
)
def test_a_broken_rule_of_dominoes_is_shown(name: str, broken: Any, trouble: str) -> None:
    table = play(domino_table("BB", names={**DOMINOES, name: broken}, seed=1), 1)
    assert table.fault and trouble in table.fault.trouble


@pytest.mark.parametrize("got", [["x" * 3_000_000], ("x" * 3_000_000,)])
def test_long_results_are_cut(got: Any) -> None:
    for table in (
        domino_table("BB", names={**DOMINOES, "input_bot_move": lambda *_: got}, seed=1),
        uno_table(names={**UNO, "deal": lambda _: got}, seed=1),
        sedma_table(names={**SEDMA, "next_leader": lambda *_: got}, seed=1),
        basra_table(names={**BASRA, "capture": lambda *_: got}, seed=3),
    ):
        assert len(json.dumps(play(table, 1).view())) < 50_000
        assert table.fault and re.search("… x+.*(on the floor|, not .*)$", table.fault.trouble)
    bill = "You", tuple((name, got[0]) for name in ("You", *uno.NAMES[:3]))
    table = play(uno_table(names={**UNO, "check_winner": lambda _: bill}, seed=6), 1)
    assert table.state.result and len(json.dumps(table.view())) < 50_000
    small = try_tile(names={**DOMINOES, "legal_adds": lambda *_: got[0]})
    small.receive(["pick", 0], small.revision)
    assert len(json.dumps(small.view())) < 50_000


@pytest.mark.parametrize(
    ("table", "call"),
    [
        (domino_table("HB", names={**DOMINOES, "input_move": lambda ask, *_: ask(None)}, seed=1), "input_move("),
        (try_tile(names={**DOMINOES, "legal_adds": lambda *_: (1, 2)}), "legal_adds("),
        (try_capture(names={**BASRA, "capture": lambda floor, card: floor}), "capture("),
        (watch_deal(names={**UNO, "deal": lambda _: None}), "deal("),
    ],
)
def test_unprintable_results_are_faults_with_their_call(table: GameTable[Any], call: str) -> None:
    table = play(table, 1)
    assert table.fault and table.fault.call.startswith(call) and "cannot show" in table.fault.trouble


def test_a_function_that_asks_the_player_twice_in_a_turn_is_a_fault() -> None:
    def turn(desk: uno.Desk) -> uno.Desk:
        return solutions.uno.your_turn(desk) and solutions.uno.your_turn(desk)

    def move(*given: Any) -> Any:
        return solutions.dominoes.input_move(*given) and solutions.dominoes.input_move(*given)

    for table in (
        uno_table(names={**UNO, "your_turn": turn}, seed=6),
        domino_table("HB", names={**DOMINOES, "input_move": move}, seed=1),
    ):
        play(table, 1)
        assert table.fault and "asked the player twice" in table.fault.trouble


class _Mute(Exception):
    def __str__(self) -> str:
        raise SystemExit(2)


@pytest.mark.parametrize("error", [SystemExit(3), GeneratorExit(), _Mute()])
def test_a_table_reports_a_function_that_exits_python(error: BaseException) -> None:
    def broken(_: Any, __: Any) -> Any:
        raise error

    table = play(domino_table("BB", names={**DOMINOES, "input_bot_move": broken}, seed=1), 1)
    assert table.fault and table.fault.trouble.startswith(type(error).__name__)
    assert table.fault.call.startswith("input_bot_move(")


def _loses_a_card(desk: uno.Desk) -> uno.Desk:
    after = solutions.uno.your_turn(desk)
    return after.with_pile(after.pile[:1])


def _lays_anything(desk: uno.Desk) -> uno.Desk:
    player, *others = desk.players
    bad = next((card for card in player.cards if card not in solutions.uno.cards_to_play(desk)), None)
    if bad is None or not isinstance(bad, uno.Crd) or player.name == "You":
        return solutions.uno.your_turn(desk)
    rest = solutions.uno.remove_card(player.cards, bad, ValueError())
    moved = desk.with_players((player.with_cards(rest), *others)).with_pile((bad, *desk.pile)).add_memo(uno.Simple(bad))
    return solutions.uno.move_action(uno.Simple(bad), moved, True)


@pytest.mark.parametrize(
    ("broken", "trouble"),
    [
        (_loses_a_card, "are missing"),
        (_lays_anything, "may not be laid"),
        (lambda desk: None, "not a Desk"),
    ],
)
def test_a_broken_rule_of_uno_is_shown_with_the_call(broken: Any, trouble: str) -> None:
    table = play(uno_table(names={**UNO, "your_turn": broken}, seed=6), 2)
    assert table.fault and trouble in table.fault.trouble and table.fault.call.startswith("your_turn(Desk(")


def test_a_capture_that_leaves_something_is_shown() -> None:
    table = play(basra_table(names={**BASRA, "capture": lambda floor, card: ()}, seed=3), 3)
    assert table.fault and "can still be captured" in table.fault.trouble


@pytest.mark.parametrize("wrong", ["x" * 3_000_000, ((basra.Card(basra.SPADE, 14),),)])
def test_wrong_captures_of_the_bonus_are_shown(wrong: Any) -> None:
    table = play(basra_table(names={**BASRA, "produce_all_captures": lambda *_: wrong}, seed=3), 3)
    assert table.fault and table.fault.call.startswith("produce_all_captures(")
    assert re.search("(are on the floor|not a tuple of captures)$", table.fault.trouble)


def test_a_generator_of_captures_is_shown() -> None:
    table = play(basra_table(names={**BASRA, "capture": lambda *_: (some for some in ())}, seed=3), 3)
    assert table.fault and "not a tuple of captures" in table.fault.trouble


def test_a_wrong_verdict_is_shown() -> None:
    table = play(sedma_record(names={**SEDMA, "replay": lambda cards: (sedma.BD, sedma.ONE)}), 0)
    assert table.fault and "the tally" in table.fault.trouble


def test_captures_that_overlap_can_be_chosen_when_the_bonus_is_solved() -> None:
    from course.basra import HEART, SPADE, Card

    ones, twos = (Card(SPADE, 1), Card(HEART, 1)), (Card(SPADE, 2), Card(HEART, 2))
    found = solutions.basra.produce_all_captures((*ones, *twos), Card(SPADE, 3))
    assert len(found) == 4 and len(list(ways(found))) == 2


# ---------------------------------------------------------------------------------------------------- without widgets


@pytest.mark.parametrize(
    "table", [domino_table(names=DOMINOES, seed=1), uno_table(names=UNO, seed=1), *(m() for m in SMALL.values())]
)
def test_outside_a_notebook_a_table_is_a_still_picture_with_its_words(table: GameTable[Any]) -> None:
    bundle = table._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    picture = re.search(r'<img alt="([^"]+)" src="data:image/svg\+xml;base64,([^"]+)"', bundle["text/html"])
    assert picture and table.view()["title"] in picture[1]
    drawn = ElementTree.fromstring(base64.b64decode(picture[2]))
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
    assert "<script" not in bundle["text/html"] and "http" not in still(table.view()).replace("http://www.w3.org", "")


def test_every_picture_is_well_formed_and_small() -> None:
    keys = {
        key
        for table in (domino_table(names=DOMINOES), uno_table(names=UNO), basra_table(names=BASRA))
        for key in table.game.art
    }
    for key in sorted(keys):
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
    for exercise in catalogue.statements(unit)["exercises"]:
        result = check_answer(answer_among(dict(names), exercise["name"], unit), None, None)
        assert result.state == "good", result
print(len(course.tables.uno_table(names=vars(sys.modules["solutions.uno"]))._repr_mimebundle_()))
"""


def test_course_examples_run_without_processes_threads_and_sockets() -> None:
    done = subprocess.run([sys.executable, "-c", BLOCKED], capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout.strip() == "2", done.stderr


def test_a_domino_game_that_is_blocked_is_a_draw() -> None:
    table = domino_table("BB", names=DOMINOES, seed=1)
    tile = dominoes.Domino
    blocked = replace(
        table.state,
        hands=((tile(1, 2),), (tile(3, 4),)),
        stock=(tile(1, 1),),
        chain=dominoes.Chain(0, "0-5 5-5", 5),
    )
    table.history, table.at = (blocked,), 0
    play(table, 0)
    assert table.state.over.startswith("It's a draw") and table.state.number == 3
    assert table.state.log == (
        "Player 1 (bot) passes.",
        "Player 2 (bot) passes.",
        "Player 1 (bot) draws 1 and passes.",
    )


def test_no_line_of_a_log_is_taken_for_a_picture() -> None:
    shown = SimpleNamespace(art={}, view={})
    view = {"log": ["Ann plays 7♥", "Bob plays 7♠", "Trick 2: to Ann", "Bob plays 8♠"]}
    show_in(shown, view, view.get("run"))
    assert (shown.art, shown.view) == ({}, view)
