"""The arena: the rules of a set, fouls, games, and that a tournament depends on its seed alone."""

from __future__ import annotations

import sys
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.checks.bots import views
from course.arena import set as arena
from course.arena.charts import heat_map, rates_chart, score_chart
from course.arena.set import answers_of, drive, play_game, play_set, set_steps
from course.arena.tournament import best_of, duel, merge, played, round_robin, sign_test, tournament, wilson
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
    Color,
    Fault,
    Foul,
    Game,
    SetResult,
    View,
    game_seeds,
    is_action,
    is_wild,
    points,
)
from course.bots import QUITTER
from solutions.bots import (
    champion,
    fits,
    is_sound,
    playable_cards,
    smart_choose_color,
    smart_play_card,
    smart_play_drawn,
    smart_player,
    stupid_choose_color,
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
            cards += [view.drawn] * (view.drawn is not None)
            assert sorted(map(repr, cards)) == sorted(map(repr, DECK))
            assert view.hand == tuple(inside.hands[seat])
            assert view.counts[0] == len(view.hand)
            assert sum(view.counts) == sum(map(len, inside.hands))
            assert 0 <= view.roll < 27720
            request = steps.send(legal_answer(question, view, random))
    except StopIteration as end:
        assert end.value.foul is None
        assert end.value.winner is not None or end.value.turns == 1000


def test_the_deck_is_the_classic_one() -> None:
    assert len(DECK) == 108
    assert all(sum(card == Card(color, 0) for card in DECK) == 1 for color in COLORS)
    assert all(sum(card == Card(color, n) for card in DECK) == 2 for color in COLORS for n in range(1, 13))
    assert DECK.count(WILD_CARD) == DECK.count(WILD_FOUR) == 4


def test_points_are_those_left_in_the_losers_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    start = table((Card(RED, 1),), (Card(BLUE, SKIP), WILD_FOUR), (Card(BLUE, 7),))
    assert played_from(monkeypatch, start, *[stupid_player] * 3) == SetResult(0, 77, 1)


def test_a_reverse_changes_nothing_between_two_players(monkeypatch: pytest.MonkeyPatch) -> None:
    start = table((Card(RED, REVERSE), Card(BLUE, 9)), (Card(RED, 1),))
    assert played_from(monkeypatch, start, stupid_player, stupid_player) == SetResult(1, 9, 2)


def test_a_reverse_turns_the_direction_among_three(monkeypatch: pytest.MonkeyPatch) -> None:
    start = table((Card(RED, REVERSE), Card(BLUE, 9)), (Card(RED, 1),), (Card(RED, 2),))
    assert played_from(monkeypatch, start, *[stupid_player] * 3) == SetResult(2, 10, 2)


@pytest.mark.parametrize(("value", "drawn"), [(SKIP, 0), (DRAW_TWO, 2)])
def test_skip_and_draw_two_cost_the_next_player_the_turn(
    monkeypatch: pytest.MonkeyPatch, value: int, drawn: int
) -> None:
    start = table((Card(RED, value), Card(RED, 9)), (Card(RED, 1),), stock=(Card(BLUE, 8),) * 5)
    low_last = bot(play_card=lambda view: playable_cards(view)[-1])
    assert played_from(monkeypatch, start, low_last, stupid_player) == SetResult(0, 1 + 8 * drawn, 2)


def test_after_a_wild_draw_four_the_next_player_draws_four_and_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    start = table((WILD_FOUR, Card(BLUE, 9)), (Card(RED, 1),), stock=(Card(GREEN, 1),) * 5)
    blue = bot(choose_color=lambda view: BLUE)
    assert played_from(monkeypatch, start, blue, stupid_player) == SetResult(0, 5, 2)


def test_the_last_card_still_makes_the_next_player_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    start = table((Card(RED, DRAW_TWO),), (Card(RED, 1),), stock=(Card(BLUE, 8),) * 5)
    assert played_from(monkeypatch, start, stupid_player, stupid_player) == SetResult(0, 17, 1)


def test_draw_two_cannot_be_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    start = table(
        (Card(RED, DRAW_TWO), Card(RED, 9)), (Card(BLUE, DRAW_TWO),), (Card(RED, 3),), stock=(Card(YELLOW, 8),) * 5
    )
    low_last = bot(play_card=lambda view: playable_cards(view)[-1])
    assert played_from(monkeypatch, start, low_last, stupid_player, stupid_player).winner == 2


def test_without_a_card_anywhere_a_player_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    start = table((Card(BLUE, 9),), (Card(RED, 1),))
    assert played_from(monkeypatch, start, stupid_player, stupid_player) == SetResult(1, 9, 2)


def test_the_pile_below_the_top_card_becomes_the_stock(monkeypatch: pytest.MonkeyPatch) -> None:
    start = table((Card(RED, 1), Card(BLUE, 9)), (Card(GREEN, 2), Card(GREEN, 3)))
    asked: list[View] = []
    watcher = bot(play_drawn=lambda view: bool(asked.append(view)))
    monkeypatch.setattr(arena, "TURN_LIMIT", 2)
    assert played_from(monkeypatch, start, stupid_player, watcher) == SetResult(None, 0, 2)
    assert asked[0].drawn == Card(RED, 5)
    assert asked[0].hand == (Card(GREEN, 2), Card(GREEN, 3))


def test_a_bot_chooses_a_color_seeing_the_wild_and_the_old_color(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[View] = []

    def color(view: View) -> Color:
        asked.append(view)
        return GREEN

    start = table((WILD_CARD, Card(BLUE, 1)), (Card(GREEN, 3),))
    assert played_from(monkeypatch, start, bot(choose_color=color), stupid_player).winner == 1
    assert (asked[0].top, asked[0].color, asked[0].hand) == (WILD_CARD, RED, (Card(BLUE, 1),))


def give_up(_view: View) -> Any:
    raise ValueError("no idea")


def leave(_view: View) -> Any:
    sys.exit("bye")


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError


HAND = (WILD_FOUR, Card(RED, 1), Card(BLUE, 9))
FOULS = {
    "answered Card(GREEN, 1), which is not in the hand": lambda view: Card(GREEN, 1),
    "answered None, which is not in the hand": lambda view: None,
    "answered a Unprintable, which is not in the hand": lambda view: Unprintable(),
    "played Card(BLUE, 9) on Card(RED, 5) when the color was RED": lambda view: Card(BLUE, 9),
    "played Card(None, WILD_DRAW_FOUR), but Card(RED, 1) can be played": lambda view: WILD_FOUR,
    "raised ValueError: no idea": give_up,
    "raised SystemExit: bye": leave,
}


@pytest.mark.parametrize("reason", FOULS)
def test_a_card_that_may_not_be_played_is_a_foul(monkeypatch: pytest.MonkeyPatch, reason: str) -> None:
    start = table(HAND, (Card(RED, 1),))
    result = played_from(monkeypatch, start, bot(play_card=FOULS[reason]), stupid_player)
    assert result == SetResult(None, 0, 1, Foul(0, reason))


def is_let_pass(view: View, card: Card | None) -> bool:
    """Return whether the arena lets a player play `card`, or nothing, with no card left to draw."""
    start = table(view.hand, (), top=view.top)
    start.color = view.color
    try:
        return start.play(0, card) == card if start.playable(0) else card is None
    except arena._Illegal:
        return False


@given(views(), st.sampled_from(DECK))
@settings(max_examples=100, deadline=None)
def test_the_arena_accepts_exactly_legal_moves(view: View, other: Card) -> None:
    for card in (*view.hand, other, WILD_FOUR, None):
        assert is_sound(view, card) == is_let_pass(view, card)


@pytest.mark.parametrize("answer", [1, None, "yes"])
def test_the_answer_about_a_drawn_card_is_true_or_false(monkeypatch: pytest.MonkeyPatch, answer: Any) -> None:
    start = table((Card(BLUE, 1),), (Card(RED, 1),), stock=(Card(RED, 2),))
    result = played_from(monkeypatch, start, bot(play_drawn=lambda view: answer), stupid_player)
    assert result.foul == Foul(0, f"answered {answer!r}, where True or False was asked for")


def test_a_drawn_card_that_does_not_go_may_not_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    start = table((Card(BLUE, 1),), (Card(RED, 1),), stock=(Card(BLUE, 2),))
    result = played_from(monkeypatch, start, bot(play_drawn=lambda view: True), stupid_player)
    assert result.foul == Foul(0, "played the card just drawn, Card(BLUE, 2), on Card(RED, 5) when the color was RED")


def test_a_drawn_wild_draw_four_may_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    start = table((Card(BLUE, 1),), (Card(RED, 1),), stock=(WILD_FOUR,))
    assert played_from(monkeypatch, start, bot(choose_color=lambda view: BLUE), stupid_player).foul is None


def test_a_call_that_is_no_color_is_a_foul(monkeypatch: pytest.MonkeyPatch) -> None:
    start = table((WILD_CARD, Card(RED, 1)), (Card(RED, 1),))
    eager = bot(play_card=lambda view: WILD_CARD, choose_color=lambda view: "red")
    assert played_from(monkeypatch, start, eager, stupid_player).foul == Foul(
        0, "answered 'red', where a color was asked for"
    )


def test_a_slow_bot_is_disqualified(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 10000, 2))
    monkeypatch.setattr(arena, "perf_counter", lambda: next(clock))
    assert play_set((stupid_player, stupid_player), 1).foul == Foul(0, "took longer than 1 s")


def test_a_set_cannot_go_on_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "TURN_LIMIT", 3)
    assert play_set((stupid_player, stupid_player), 1) == SetResult(None, 0, 3)


def test_a_game_cannot_go_on_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "TURN_LIMIT", 3)
    monkeypatch.setattr(arena, "SET_LIMIT", 4)
    assert play_game((stupid_player, stupid_player), 1) == Game(None, (None,) * 4, ((0, 0),) * 4)


@pytest.mark.parametrize("number", [0, 1, 11])
def test_two_to_ten_can_play(number: int) -> None:
    with pytest.raises(ValueError, match="choose between 2 and 10 players"):
        play_set([stupid_player] * number, 1)
    assert play_set([stupid_player] * 10, 1).winner is not None


def test_an_equal_card_that_came_through_a_pipe_is_the_card() -> None:
    direct = answers_of((stupid_player, smart_player))
    for seed in range(200):
        afar = drive(set_steps(2, seed), lambda *asked: copy(direct(*asked)))
        assert afar == play_set((stupid_player, smart_player), seed)


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
    record.update(repr(ends).encode())
    assert {end.winner is None for end in ends} == {False, True}
    assert record.hexdigest() == "4b94ab0de510fc97d99ab7e9f47b8c4c15778dd6ee1b0d7ac5a572a4c338041c"


@given(SEEDS)
@settings(max_examples=15, deadline=None)
def test_a_game_goes_to_500_and_its_scores_only_grow(seed: int) -> None:
    game = play_game((smart_player, stupid_player, stupid_player), seed)
    assert game.winner is not None
    assert game.scores[-1][game.winner] >= 500 > max(game.scores[-2] if len(game.scores) > 1 else (0,))
    assert all(before <= after for column in zip(*game.scores, strict=True) for before, after in pairwise(column))
    assert len(game.set_winners) == len(game.scores)


def test_a_disqualified_bot_sits_out_and_the_game_goes_on() -> None:
    game = play_game((stupid_player, QUITTER, smart_player), 3)
    assert game.fouls == (Foul(1, "raised RuntimeError: I give up"),)
    assert game.winner in (0, 2)
    assert game.scores[0] == (0, 0, 0)
    assert game.scores[-1][1] == 0


def test_the_last_one_left_wins() -> None:
    assert play_game((QUITTER, QUITTER, QUITTER), 1).winner == 1
    assert play_game((stupid_player, QUITTER), 1).winner == 0


def test_seats_rotate_in_a_tournament() -> None:
    result = tournament((QUITTER, QUITTER), 10, 0)
    assert [row.games for row in result.standings] == [5, 5]
    assert [row.fouls for row in result.standings] == [5, 5]
    assert result.standings[0].reason == "raised RuntimeError: I give up"


def test_the_tournament_goes_on_after_a_foul() -> None:
    result = tournament((stupid_player, QUITTER), 20, 0)
    assert [row.games for row in result.standings] == [20, 0]
    assert result.games == 20


def test_a_seed_gives_the_same_tournament_in_any_parts() -> None:
    bots = smart_player, stupid_player, stupid_player
    names, numbered = [bot.name for bot in bots], list(enumerate(game_seeds(7, 12)))
    later = list(played(names, numbered[5:], answers_of(bots)))
    sooner = list(played(names, numbered[:5], answers_of(bots)))
    first, *others = sooner + later
    total = first
    for part in others:
        total = merge(total, part)
    assert total == tournament(bots, 12, 7) == tournament(bots, 12, 7)
    assert total != tournament(bots, 12, 8)


def test_known_games_stay_as_they_are() -> None:
    assert game_seeds(1, 2) == (2624989531201712629, 3699794560238578399)
    result = tournament((smart_player, stupid_player), 20, 2026)
    assert [(row.games, row.sets, row.points) for row in result.standings] == [(20, 165, 10914), (0, 103, 3642)]


def test_an_interrupted_tournament_returns_finished_games() -> None:
    def stop(done: int, _total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    assert tournament((stupid_player, stupid_player), 50, 1, stop) == tournament((stupid_player, stupid_player), 3, 1)


def test_progress_is_reported_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    tournament((QUITTER, QUITTER), 7, 1, lambda *now: told.append(now))
    assert told == [(done, 7) for done in range(1, 8)]


@pytest.mark.proof
def test_smart_player_wins_95_percent_of_games_and_60_percent_of_sets() -> None:
    smart, stupid = (result := tournament((smart_player, stupid_player), 1000, 2026)).standings
    low, high = wilson(smart.games, result.games)
    assert high >= 0.95 and low > 0.93
    assert 0.59 < smart.sets / result.sets < 0.63
    assert smart.points / smart.sets > 1.5 * stupid.points / stupid.sets


@pytest.mark.proof
def test_with_a_random_color_smart_player_wins_clearly_less() -> None:
    colorless = Bot("colorless", smart_play_card, smart_play_drawn, stupid_choose_color)
    low, high = wilson(tournament((colorless, stupid_player), 500, 2026).standings[0].games, 500)
    assert low < 0.86 < high < 0.95


def test_equal_bots_share_every_deal() -> None:
    own = duel(smart_player, smart_player, game_seeds(1, 40))
    assert (own.pairs, own.share, own.p_value) == ((0, 0), 0.5, 1.0)


def test_the_reference_champion_beats_smart_player_significantly() -> None:
    result = duel(champion(), smart_player, game_seeds(11, 1500))
    assert result.p_value < 0.01
    assert not result.faults


def test_a_bot_may_disqualify_itself_by_a_fault() -> None:
    resigning = bot(play_card=lambda view: Fault("resigns"), play_drawn=lambda view: Fault("resigns"))
    assert play_set((resigning, stupid_player), 1).foul == Foul(0, "resigns")


@given(st.integers(0, 300), st.integers(0, 300))
def test_wilsons_interval_holds_the_rate(wins: int, losses: int) -> None:
    low, high = wilson(wins, wins + losses)
    rate = wins / (wins + losses) if wins + losses else 0.5
    assert 0 <= low <= rate + 1e-9
    assert rate - 1e-9 <= high <= 1


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_sign_test_is_a_tail_of_a_fair_coin(won: int, lost: int) -> None:
    assert 0 < sign_test(won, lost) <= 1
    assert sign_test(won + 1, lost) <= sign_test(won, lost)
    assert sign_test(won, lost) + sign_test(lost + 1, won - 1) == pytest.approx(1) if won else sign_test(0, lost) == 1


def test_many_sets_make_a_small_edge_large() -> None:
    chances = [best_of(sets, 0.6) for sets in (1, 5, 13, 51)]
    assert chances == sorted(chances)
    assert best_of(13, 0.5) == pytest.approx(0.5)


def test_every_game_of_a_round_robin_has_a_winner() -> None:
    result = round_robin((stupid_player, smart_player, QUITTER), 6, 1)
    assert all(result.won[i][j] + result.won[j][i] == 6 for i in range(3) for j in range(3) if i != j)


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
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("role") == "img"
    assert not any("script" in element.tag for element in root.iter())
    image = ElementTree.fromstring(bundle["text/html"].removesuffix(">") + "/>")
    assert image.get("alt") == bundle["text/plain"] == repr(picture)
    assert (image.get("src") or "").startswith("data:image/svg+xml;base64,")


@pytest.mark.parametrize("card", [Card(YELLOW, 0), Card(RED, SKIP), WILD_CARD])
def test_points_and_kinds_of_cards(card: Card) -> None:
    assert points((card,)) == (50 if is_wild(card) else 20 if is_action(card) else card.value)


def test_smart_color_is_never_the_same_by_chance() -> None:
    views = [View((), WILD_CARD, color, roll=roll) for color in COLORS for roll in range(12)]
    assert all(smart_choose_color(view) is not view.color for view in views)
