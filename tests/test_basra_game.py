"""The game of Basra from the deal to the score, as the driver plays it with the functions of a learner."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.basra import CLUB, HEART, SPADE, Card, pile_score
from course.basra_game import bot, by_hand, play_basra
from course.effects import transcript
from solutions.basra import capture, is_game_over, produce_shuffled_deck, sort


def clubs(*ranks):
    return tuple(Card(CLUB, rank) for rank in ranks)


def spades(*ranks):
    return tuple(Card(SPADE, rank) for rank in ranks)


def played(deck, player=bot, typed=()):
    """Return score and text of a game with a deck that is not random."""
    return transcript(play_basra, capture, is_game_over, lambda: deck, sort, player, typed=typed)


def test_a_sweep_earns_three_points_and_the_last_floor_is_empty():
    score, text = played(clubs(10, 2, 3, 4) + spades(1, 2, 3, 4))
    assert (score, text) == (
        5 + 3,
        "\nRound 1\n  floor: A♠ 2♠ 3♠ 4♠\n  hand:  2♣ 3♣ 4♣ 10♣\n"
        "  10♣ captures A♠ + 2♠ + 3♠ + 4♠. A sweep!\n"
        "\nThe game is over.\n  floor: –\n  hand:  2♣ 3♣ 4♣\n"
        "  scored: 5 cards, 5 points\n  sweeps: 1, 3 points\nScore: 8\n",
    )


FULL_FLOOR = "floor: K♠ Q♠ 10♠ J♠ A♣ 2♣\n  hand:  {0} J♣\n  You may play  1: {1}"
MOMENTS = {
    "a card that captures nothing stays on the floor": (
        clubs(2, 3, 4, 5) + spades(10, 11, 12, 13),
        bot,
        "2♣ is laid on the floor.",
    ),
    "hand and floor are filled up after each round": (
        clubs(10, 2, 3, 4) + spades(1, 2, 3, 4) + (Card(HEART, 9), *spades(11, 12, 13, 9)),
        bot,
        "Round 2\n  floor: J♠ Q♠ K♠ 9♠\n  hand:  9♥ 2♣ 3♣ 4♣\n",
    ),
    "on a full floor captures may be played": (
        clubs(1, 2, 3, 11) + spades(13, 12, 10, 11),
        by_hand,
        FULL_FLOOR.format("3♣", "3♣  2: J♣"),
    ),
    "on a full floor nothing else may be played": (
        clubs(1, 2, 4, 11) + spades(13, 12, 10, 11),
        by_hand,
        FULL_FLOOR.format("4♣", "J♣\n"),
    ),
}


@pytest.mark.parametrize("rule", MOMENTS)
def test_a_game_follows_the_rules(rule):
    deck, player, moment = MOMENTS[rule]
    assert moment in played(deck, player, typed=("1",) * 4)[1]


def test_a_person_is_asked_again_until_the_number_is_one_of_a_card():
    score, text = played(clubs(10, 2, 3, 4) + spades(1, 2, 3, 4), by_hand, typed=("", "5", "ten", " 4 "))
    assert score == 8 and "You may play  1: 2♣  2: 3♣  3: 4♣  4: 10♣\n  Which number? " in text
    assert text.count("A number from 1 to 4, please: ") == 3


def test_a_game_that_cannot_go_on_is_an_error_and_no_endless_loop():
    with pytest.raises(ValueError, match="is_game_over says that the game goes on"):
        transcript(play_basra, capture, lambda *_: False, lambda: clubs(1, 2, 3), sort, bot)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32))
def test_a_complete_game_ends_and_counts_its_scores(seed):
    score, text = transcript(play_basra, capture, is_game_over, produce_shuffled_deck, sort, bot, chance=seed)
    scored, cards, sweeps, extra = map(int, re.findall(r"\d+", text[text.rindex("scored") : text.rindex("Score")]))
    assert score == cards + extra and extra == 3 * sweeps == 3 * text.count("A sweep!")
    assert scored <= cards <= pile_score(produce_shuffled_deck())
    assert text.endswith(f"Score: {score}\n") and text.count("Round") <= 48
