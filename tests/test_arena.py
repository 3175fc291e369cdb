"""The arena: the rules of a set, fouls, games, and that a tournament depends on its seed alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from random import Random
from typing import Any
from unittest.mock import Mock
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.exams.bots.checks import views
from course.arena import set as arena
from course.arena.arena import Fault, Foul, Game, SetResult, game_seeds
from course.arena.charts import heat_map, rates_chart
from course.arena.contests import wilson
from course.arena.set import ARENA, drive, play_game, play_set, set_steps
from course.arena.tournament import round_robin, tournament
from course.arena.values import (
    BLUE,
    COLORS,
    DECK,
    DRAW_TWO,
    GREEN,
    RED,
    REVERSE,
    SKIP,
    WILD,
    WILD_DRAW_FOUR,
    YELLOW,
    Bot,
    Card,
    View,
    is_wild,
)
from course.bots import QUITTER, score_chart
from solutions.bots import (
    fits,
    is_sound,
    playable_cards,
    smart_player,
    stupid_player,
)

SEEDS = st.integers(0, 2**62)
WILD_CARD, WILD_FOUR, RED_FIVE = Card(None, WILD), Card(None, WILD_DRAW_FOUR), Card(RED, 5)


def bot(**functions: Callable[[View], Any]) -> Bot:
    """Return StupidPlayer with some of its functions replaced."""
    return replace(stupid_player, name="odd", **functions)


def table(*hands: tuple[Card, ...], top: Card = RED_FIVE, stock: tuple[Card, ...] = ()) -> arena._Table:
    chance = Random(0).random
    return arena._Table(chance, chance, list(stock), [], list(map(list, hands)), top, top.color or RED)


def played_from(monkeypatch: pytest.MonkeyPatch, start: arena._Table, *bots: Bot) -> SetResult:
    monkeypatch.setattr(arena, "_deal", lambda _players, _seed: start)
    return play_set(bots, 0)


def legal_answer(question: str, view: View, random: Random) -> Any:
    match question:
        case "play_card":
            return random.choice(playable_cards(view))
        case "play_drawn":
            assert view.drawn is not None
            return (is_wild(view.drawn) or fits(view.drawn, view.top, view.color)) and random.random() < 0.7
    return random.choice(COLORS)


@given(st.integers(2, 10), SEEDS)
@settings(max_examples=60, deadline=None)
def test_the_108_cards_stay_the_same_from_the_deal_to_the_end(players: int, seed: int) -> None:
    steps, random, request = set_steps(players, seed), Random(seed), None
    try:
        request = next(steps)
        while True:
            seat, question, view = request
            inside = steps.gi_frame.f_locals["table"]
            cards = [*inside.stock, *inside.pile, inside.top, *(card for hand in inside.hands for card in hand)]
            drawn = [view.drawn] if view.drawn else []
            assert sorted(map(repr, cards + drawn)) == sorted(map(repr, DECK))
            assert (view.hand, view.counts[0]) == (tuple(inside.hands[seat]), len(view.hand))
            assert sum(view.counts) == sum(map(len, inside.hands)) and 0 <= view.roll < 27720
            request = steps.send(legal_answer(question, view, random))
    except StopIteration as end:
        assert end.value.foul is None and (end.value.winner is not None or end.value.turns == 1000)


def test_the_deck_is_the_classic_one() -> None:
    colored = {Card(color, value): 2 if value else 1 for color in COLORS for value in range(13)}
    assert Counter(DECK) == colored | {WILD_CARD: 4, WILD_FOUR: 4}


LOW_LAST = bot(play_card=lambda view: playable_cards(view)[-1])
BLUE_EIGHTS = (Card(BLUE, 8),) * 5
SETS: dict[str, tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...], Bot, SetResult]] = {
    "points are those left in the losers' hands": (
        ((Card(RED, 1),), (Card(BLUE, SKIP), WILD_FOUR), (Card(BLUE, 7),)),
        (),
        stupid_player,
        SetResult(0, 77, 1),
    ),
    "a reverse changes nothing between two players": (
        ((Card(RED, REVERSE), Card(BLUE, 9)), (Card(RED, 1),)),
        (),
        stupid_player,
        SetResult(1, 9, 2),
    ),
    "a reverse turns the direction among three": (
        ((Card(RED, REVERSE), Card(BLUE, 9)), (Card(RED, 1),), (Card(RED, 2),)),
        (),
        stupid_player,
        SetResult(2, 10, 2),
    ),
    "a skip costs the next player the turn": (
        ((Card(RED, SKIP), Card(RED, 9)), (Card(RED, 1),)),
        BLUE_EIGHTS,
        LOW_LAST,
        SetResult(0, 1, 2),
    ),
    "a draw two costs the next player the turn": (
        ((Card(RED, DRAW_TWO), Card(RED, 9)), (Card(RED, 1),)),
        BLUE_EIGHTS,
        LOW_LAST,
        SetResult(0, 17, 2),
    ),
    "after a wild draw four the next player draws four and is skipped": (
        ((WILD_FOUR, Card(BLUE, 9)), (Card(RED, 1),)),
        (Card(GREEN, 1),) * 5,
        bot(choose_color=lambda view: BLUE),
        SetResult(0, 5, 2),
    ),
    "the last card still makes the next player draw": (
        ((Card(RED, DRAW_TWO),), (Card(RED, 1),)),
        BLUE_EIGHTS,
        stupid_player,
        SetResult(0, 17, 1),
    ),
    "a draw two cannot be passed on": (
        ((Card(RED, DRAW_TWO), Card(RED, 9)), (Card(BLUE, DRAW_TWO),), (Card(RED, 3),)),
        (Card(YELLOW, 8),) * 5,
        LOW_LAST,
        SetResult(2, 45, 2),
    ),
    "without a card anywhere a player passes": (
        ((Card(BLUE, 9),), (Card(RED, 1),)),
        (),
        stupid_player,
        SetResult(1, 9, 2),
    ),
}


@pytest.mark.parametrize("rule", SETS)
def test_a_set_follows_the_rules(monkeypatch: pytest.MonkeyPatch, rule: str) -> None:
    hands, stock, first, result = SETS[rule]
    assert played_from(monkeypatch, table(*hands, stock=stock), first, *[stupid_player] * (len(hands) - 1)) == result


def test_the_pile_below_the_top_card_becomes_the_stock(monkeypatch: pytest.MonkeyPatch) -> None:
    start = table((Card(RED, 1), Card(BLUE, 9)), (Card(GREEN, 2), Card(GREEN, 3)))
    watcher = Mock(return_value=False)
    monkeypatch.setattr(arena, "TURN_LIMIT", 2)
    assert played_from(monkeypatch, start, stupid_player, bot(play_drawn=watcher)) == SetResult(None, 0, 2)
    (view,) = watcher.call_args_list[0].args
    assert (view.drawn, view.hand) == (Card(RED, 5), (Card(GREEN, 2), Card(GREEN, 3)))


def test_a_bot_chooses_a_color_seeing_the_wild_and_the_old_color(monkeypatch: pytest.MonkeyPatch) -> None:
    color, start = Mock(return_value=GREEN), table((WILD_CARD, Card(BLUE, 1)), (Card(GREEN, 3),))
    assert played_from(monkeypatch, start, bot(choose_color=color), stupid_player).winner == 1
    (view,) = color.call_args_list[0].args
    assert (view.top, view.color, view.hand) == (WILD_CARD, RED, (Card(BLUE, 1),))


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError


HAND = (WILD_FOUR, Card(RED, 1), Card(BLUE, 9))
FOULS = {
    "answered Card(GREEN, 1), which is not in the hand": lambda view: Card(GREEN, 1),
    "answered None, which is not in the hand": lambda view: None,
    "answered a Unprintable, which is not in the hand": lambda view: Unprintable(),
    "played Card(BLUE, 9) on Card(RED, 5) when the color was RED": lambda view: Card(BLUE, 9),
    "played Card(None, WILD_DRAW_FOUR), although Card(RED, 1) can be played": lambda view: WILD_FOUR,
    "raised ValueError: no idea": Mock(side_effect=ValueError("no idea")),
    "raised SystemExit: bye": Mock(side_effect=SystemExit("bye")),
    "resigns": lambda view: Fault("resigns"),
}


@pytest.mark.parametrize("reason", FOULS)
def test_a_card_that_may_not_be_played_is_a_foul(monkeypatch: pytest.MonkeyPatch, reason: str) -> None:
    result = played_from(monkeypatch, table(HAND, (Card(RED, 1),)), bot(play_card=FOULS[reason]), stupid_player)
    assert result == SetResult(None, 0, 1, Foul(0, reason))


def is_let_pass(view: View, card: Card | None) -> bool:
    """Return whether the arena lets a player play `card`, or nothing, with no card left to draw."""
    start = table(view.hand, (), top=view.top)
    start.color = view.color
    try:
        return start.play(0, card) == card if start.playable(0) else card is None
    except arena.Illegal:
        return False


@given(views(), st.sampled_from(DECK))
@settings(max_examples=100, deadline=None)
def test_the_arena_accepts_exactly_legal_moves(view: View, other: Card) -> None:
    for card in (*view.hand, other, WILD_FOUR, None):
        assert is_sound(view, card) == is_let_pass(view, card)


DRAWN = [
    (Card(RED, 2), {"play_drawn": 1}, Foul(0, "answered 1, where True or False was asked for")),
    (Card(RED, 2), {"play_drawn": None}, Foul(0, "answered None, where True or False was asked for")),
    (Card(RED, 2), {"play_drawn": "yes"}, Foul(0, "answered 'yes', where True or False was asked for")),
    (
        Card(BLUE, 2),
        {"play_drawn": True},
        Foul(0, "played the card just drawn, Card(BLUE, 2), on Card(RED, 5) when the color was RED"),
    ),
    (WILD_FOUR, {"choose_color": BLUE}, None),
    (WILD_FOUR, {"choose_color": "red"}, Foul(0, "answered 'red', where a color was asked for")),
]


@pytest.mark.parametrize(("drawn", "answers", "foul"), DRAWN)
def test_a_wrong_answer_about_a_drawn_card_is_a_foul(
    monkeypatch: pytest.MonkeyPatch, drawn: Card, answers: dict[str, Any], foul: Foul | None
) -> None:
    start = table((Card(BLUE, 1),), (Card(RED, 1),), stock=(drawn,))
    odd = bot(**{name: Mock(return_value=answer) for name, answer in answers.items()})
    assert played_from(monkeypatch, start, odd, stupid_player).foul == foul


def test_neither_a_set_nor_a_game_goes_on_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "TURN_LIMIT", 3)
    assert play_set((stupid_player, stupid_player), 1) == SetResult(None, 0, 3)
    monkeypatch.setattr(arena, "ARENA", replace(ARENA, sets=4))
    assert play_game((stupid_player, stupid_player), 1) == Game(None, (None,) * 4, ((0, 0),) * 4)


def answer_by_roll(question: str, view: View) -> Any:
    """Return an answer that depends on the roll. Some of these answers break a rule, and a drawn card is often kept."""
    cards = playable_cards(view) if view.roll % 101 else view.hand
    match question:
        case "play_card":
            return copy(cards[view.roll % len(cards)])
        case "play_drawn":
            return view.drawn in playable_cards(view._replace(hand=(view.drawn,))) and view.roll % 3 == 0
    return COLORS[view.roll % 4] if view.roll % 103 else None


def test_a_seed_always_gives_the_same_sets_and_questions() -> None:
    record, ends = sha256(), []

    def answers(*asked: Any) -> Any:
        answer = answer_by_roll(*asked[1:])
        record.update(repr((asked, answer)).encode())
        return answer

    for players in (2, 3, 10):
        ends += [drive(set_steps(players, seed, seed % players), answers) for seed in game_seeds(players, 30)]
    record.update(repr([(end.winner, end.points, end.turns) for end in ends]).encode())
    assert {end.winner is None for end in ends} == {False, True}
    assert record.hexdigest() == "539e45f89bf0585790f32112599930e973f5cd58683dcf29b90f1d9869c53521"


@given(SEEDS)
@settings(max_examples=15, deadline=None)
def test_a_game_goes_to_500_and_its_scores_only_grow(seed: int) -> None:
    game = play_game((smart_player, stupid_player, stupid_player), seed)
    assert game.winner is not None and len(game.set_winners) == len(game.scores)
    assert game.scores[-1][game.winner] >= 500 > max(game.scores[-2] if len(game.scores) > 1 else (0,))
    assert all(before <= after for column in zip(*game.scores, strict=True) for before, after in pairwise(column))


def test_a_disqualified_bot_sits_out_and_the_game_goes_on() -> None:
    game = play_game((stupid_player, QUITTER, smart_player), 3)
    assert game.fouls == (Foul(1, "raised RuntimeError: I give up"),)
    assert game.winner in (0, 2) and game.scores[0] == (0, 0, 0) and game.scores[-1][1] == 0


def test_the_last_one_left_wins_and_seats_rotate() -> None:
    assert play_game((QUITTER, QUITTER, QUITTER), 1).winner == 1
    assert [row.games for row in tournament((stupid_player, QUITTER), 20, 0).standings] == [20, 0]
    rows = tournament((QUITTER, QUITTER), 10, 0).standings
    assert [(row.games, row.fouls, row.reason) for row in rows] == [(5, 5, "raised RuntimeError: I give up")] * 2


def test_an_interrupted_tournament_returns_finished_games() -> None:
    stop, bots = Mock(side_effect=[None, None, KeyboardInterrupt]), (stupid_player, stupid_player)
    assert tournament(bots, 50, 1, stop) == tournament(bots, 3, 1)
    assert [call.args for call in stop.call_args_list] == [(1, 50), (2, 50), (3, 50)]


@pytest.mark.proof
def test_smart_player_wins_95_percent_of_games_and_60_percent_of_sets() -> None:
    smart, stupid = (result := tournament((smart_player, stupid_player), 1000, 2026)).standings
    low, high = wilson(smart.games, result.games)
    assert high >= 0.95 and low > 0.93
    assert 0.59 < smart.sets / result.sets < 0.63 and smart.points / smart.sets > 1.5 * stupid.points / stupid.sets


PICTURES = {
    "rates": lambda: rates_chart(tournament((replace(smart_player, name="<&>"), stupid_player), 6, 1)),
    "scores": lambda: score_chart(("<&>", "b"), play_game((smart_player, stupid_player), 1)),
    "heat": lambda: heat_map(round_robin((replace(smart_player, name="<&>"), stupid_player, QUITTER), 4, 1)),
    "nothing yet": lambda: rates_chart(tournament((smart_player, stupid_player), 0, 1)),
}


@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_is_static_svg_with_words_beside_it(kind: str) -> None:
    picture = PICTURES[kind]()
    bundle = picture._repr_mimebundle_()
    root = ElementTree.fromstring(bundle["image/svg+xml"])
    assert (root.tag, root.get("role")) == ("{http://www.w3.org/2000/svg}svg", "img")
    assert not any("script" in element.tag for element in root.iter())
    image = ElementTree.fromstring(bundle["text/html"].removesuffix(">") + "/>")
    assert image.get("alt") == bundle["text/plain"] == repr(picture)
    assert (image.get("src") or "").startswith("data:image/svg+xml;base64,")
