"""The worked examples of the source of Basra, laws of its given names and its exam, and its complete game."""

import re
from itertools import product
from math import comb
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.exam.cases import Observation, case
from autograder.exams.basra.checks import accept_all_captures, accept_captures, accept_deck
from course.basra import CLUB, DIAMOND, HEART, SPADE, Card, in_order, pile_score, produce_unshuffled_deck, remove_cards
from course.basra.joint import SHUFFLES, neighborliness, orderliness, unevenness
from course.basra_game import bot, by_hand, play_basra
from course.effects import transcript
from solutions.basra import capture, is_game_over, produce_all_captures, produce_shuffled_deck, sort
from tests.grader import Grader

DECK = produce_unshuffled_deck()
ACES_AND_TWO = (Card(SPADE, 1), Card(HEART, 1), Card(DIAMOND, 1), Card(DIAMOND, 2))
hands = st.lists(st.sampled_from(DECK), unique=True, max_size=9).map(tuple)


def judged(relation, value, *args, expected=None):
    """Return what an acceptance relation says about a value."""
    return relation(case(*args), Observation(expected), Observation(value))


@pytest.mark.parametrize(
    ("floor", "card", "captures"),
    [
        (
            (Card(SPADE, 1), Card(SPADE, 2), Card(SPADE, 3), Card(SPADE, 7)),
            Card(HEART, 3),
            ((Card(SPADE, 3),), (Card(SPADE, 1), Card(SPADE, 2))),
        ),
        ((Card(SPADE, 5), Card(HEART, 3), Card(HEART, 11), Card(CLUB, 1)), Card(CLUB, 2), ()),
    ],
)
def test_cards_capture_as_in_the_log(floor, card, captures):
    assert capture(floor, card) == captures and judged(accept_captures, captures, floor, card) is None


def test_the_sample_of_the_bonus_has_four_captures():
    *aces, two = ACES_AND_TWO
    expected = {frozenset({ace, two}) for ace in aces} | {frozenset(aces)}
    assert set(map(frozenset, produce_all_captures(ACES_AND_TWO, Card(DIAMOND, 3)))) == expected


@given(hands, st.sampled_from(DECK))
def test_captures_are_among_all_captures_and_leave_none(floor, card):
    captures = capture(floor, card)
    assert set(map(frozenset, captures)) <= set(map(frozenset, produce_all_captures(floor, card)))
    assert produce_all_captures(remove_cards(floor, sum(captures, ())), card) == ()


@given(hands, st.sampled_from(DECK), st.integers(0, 10**6))
def test_captures_are_right_in_any_order(floor, card, seed):
    mixed = Random(seed)
    for function, relation in ((capture, accept_captures), (produce_all_captures, accept_all_captures)):
        expected = function(floor, card)
        captures = [tuple(mixed.sample(cards, len(cards))) for cards in expected]
        answer = tuple(mixed.sample(captures, len(captures)))
        assert judged(relation, answer, floor, card, expected=expected) is None
        assert in_order(answer) == in_order(expected)


def test_invalid_captures_are_refused_with_a_reason():
    ace, _, _, two = ACES_AND_TWO
    answers = (((ace, two), ()), ((ace, ace, ace),), ((ace,),), ((two, Card(CLUB, 1)),), ((ace, two),) * 2, (), [])
    assert [judged(accept_captures, answer, ACES_AND_TWO, Card(DIAMOND, 3)) for answer in answers] == [
        "a capture cannot be empty",
        "(Card(SPADE, 1), Card(SPADE, 1), Card(SPADE, 1)) contains a card twice",
        "the ranks of (Card(SPADE, 1),) add up to 1, not to 3",
        "not all cards of (Card(DIAMOND, 2), Card(CLUB, 1)) are on the floor",
        "the captures overlap",
        "(Card(SPADE, 1), Card(DIAMOND, 2)) could be captured as well",
        "expected a tuple of captures, each of them a tuple of cards",
    ]


def test_any_choice_among_overlapping_captures_is_right():
    spade, heart, diamond, two = ACES_AND_TWO
    for answer in (((spade, two),), ((heart, two),), ((two, diamond),), ((diamond, spade, heart),)):
        assert judged(accept_captures, answer, ACES_AND_TWO, Card(DIAMOND, 3)) is None


def test_a_missing_capture_is_named():
    expected = produce_all_captures(ACES_AND_TWO, Card(DIAMOND, 3))
    reason = judged(accept_all_captures, expected[:-1], ACES_AND_TWO, Card(DIAMOND, 3), expected=expected)
    assert reason == f"{expected[-1]} is missing"


def test_any_permutation_of_the_deck_is_a_deck_and_nothing_else_is():
    assert judged(accept_deck, DECK[::-1], expected=DECK) is None
    for other in (DECK[:51], (*DECK[:51], DECK[0]), list(DECK), None, (1,) * 52, ((),) * 52):
        assert judged(accept_deck, other, expected=DECK)


def test_twelve_cards_are_no_trouble():
    floor = tuple(card for card in DECK if card.rank <= 3)
    ways = (comb(4, a) * comb(4, b) * comb(4, c) for a, b, c in product(range(5), repeat=3) if a + 2 * b + 3 * c == 13)
    assert len(produce_all_captures(floor, Card(CLUB, 13))) == sum(ways)


def test_fair_shuffles_stay_near_zero():
    random = Random(0)
    shuffles = [[random.sample(range(52), 52) for _ in range(SHUFFLES)] for _ in range(10)]
    for statistic in (unevenness, neighborliness, orderliness):
        assert all(abs(statistic(some)) < 4 for some in shuffles)


SWAPPING = """
def produce_shuffled_deck():
    deck = list(produce_unshuffled_deck())
    for last in {}:
        place = get_random_int(last + 1) - 1
        deck[last], deck[place] = deck[place], deck[last]
    return tuple(deck)
"""
SEEDED = """
from random import Random
def produce_shuffled_deck():
    return tuple(Random(get_random_int(100_000)).sample(produce_unshuffled_deck(), 52))
"""
GREEDY = """
def capture(floor, card):
    def filled(chosen, each):
        return (*chosen, each) if sum(one.rank for one in chosen) + each.rank <= card.rank else chosen
    falling = tuple(sorted(floor, key=lambda each: -each.rank))
    tries = (fold_left(filled, (), falling[start:]) for start in range(len(falling)))
    found = next((some for some in tries if sum(each.rank for each in some) == card.rank), None)
    return () if found is None else (found, *capture(remove_cards(floor, found), card))
"""
APART = """
def is_sound(deck, floor, hand, scored):
    cards = deck + floor + hand + scored
    by_rank = all(sum(card.rank == rank for card in cards) == 4 for rank in range(1, 14))
    return by_rank and all(sum(card.suit is suit for card in cards) == 13 for suit in Suit)
"""
ANSWERS = {
    "a shuffle that stops one swap early": ("produce_shuffled_deck", SWAPPING.format("range(51, 1, -1)"), "wrong"),
    "a shuffle by all swaps": ("produce_shuffled_deck", SWAPPING.format("range(51, 0, -1)"), "passed"),
    "a shuffle with another source of chance": ("produce_shuffled_deck", SEEDED, "wrong"),
    "ranks and suits counted apart": ("is_sound", APART, "wrong"),
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_an_answer_that_is_right_for_nearly_all_inputs_is_refused(grader: Grader, answer: str) -> None:
    name, source, state = ANSWERS[answer]
    assert grader.one("basra", name, source).state == state


def test_a_sum_without_the_largest_card_that_fits_is_always_tried(grader: Grader) -> None:
    assert "sums of three and more" in [
        each.name for each in grader.one("basra", "capture", GREEDY).facets if not each.passed
    ]


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
