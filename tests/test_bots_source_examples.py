"""The rules in the source of the bots, case by case, beyond the statements' examples; and its result."""

from __future__ import annotations

import pytest
from hypothesis import given

from autograder.exams.bots.checks import random_views, random_views_after_drawing, random_views_after_wild
from course.bots import (
    BLUE,
    COLORS,
    DRAW_TWO,
    GREEN,
    RED,
    REVERSE,
    SKIP,
    WILD,
    WILD_DRAW_FOUR,
    YELLOW,
    Card,
    View,
)
from solutions.bots import (
    fits,
    follow_color,
    has_spare_action,
    highest_playable,
    match_value,
    most_common_color,
    playable_cards,
    slow_next_player,
    smart_choose_color,
    smart_play_card,
    smart_play_drawn,
    spend_spare_action,
    stupid_choose_color,
    stupid_play_card,
    stupid_play_drawn,
)

RED_FIVE, ONE_WILD, FOUR = Card(RED, 5), Card(None, WILD), Card(None, WILD_DRAW_FOUR)


def view(*hand: Card, top: Card = RED_FIVE, following: int = 7) -> View:
    return View(hand, top, top.color or RED, (len(hand), following))


def test_values_and_colors_are_those_of_the_source() -> None:
    assert (DRAW_TWO, REVERSE, SKIP, WILD, WILD_DRAW_FOUR) == (10, 11, 12, 13, 14)
    assert COLORS == (RED, BLUE, GREEN, YELLOW)


LOW, HIGH, TWOS = Card(RED, 2), Card(RED, 9), Card(BLUE, DRAW_TWO)
SKIPS, REVERSES, YELLOW_FIVE = Card(RED, SKIP), Card(RED, REVERSE), Card(YELLOW, 5)
FIVES = Card(BLUE, 5), YELLOW_FIVE, Card(YELLOW, 1), Card(GREEN, 1)
ON_TWO = Card(RED, DRAW_TWO)
STAGES = {
    "1: with three cards left, a draw two": (view(HIGH, TWOS, ONE_WILD, top=ON_TWO, following=3), TWOS),
    "1: with one card left, a draw two": (view(HIGH, TWOS, ONE_WILD, top=ON_TWO, following=1), TWOS),
    "1: without a draw two, any action": (view(HIGH, REVERSES, following=3), REVERSES),
    "1: without a draw two, a wild": (view(HIGH, ONE_WILD, following=3), ONE_WILD),
    "1: without either it goes on": (view(LOW, HIGH, following=1), HIGH),
    "2: the highest card that goes": (view(HIGH, SKIPS, REVERSES), SKIPS),
    "2: even a wild": (view(HIGH, SKIPS, ONE_WILD), ONE_WILD),
    "3: the color with the highest digit": (view(LOW, HIGH, Card(BLUE, 5), ONE_WILD), HIGH),
    "4: the commonest color": (view(*FIVES), YELLOW_FIVE),
    "4: the commonest color, in another order": (view(*FIVES[::-1]), YELLOW_FIVE),
    "5: any card of the value": (view(Card(BLUE, 5), Card(GREEN, 1), Card(GREEN, 2), ONE_WILD), Card(BLUE, 5)),
    "6: a wild when no other card fits": (view(Card(BLUE, 9), FOUR, ONE_WILD), ONE_WILD),
    "6: a wild draw four when nothing else fits": (view(Card(BLUE, 9), FOUR), FOUR),
}


@pytest.mark.parametrize("stage", STAGES)
def test_each_stage_plays_the_card_of_the_source(stage: str) -> None:
    seen, card = STAGES[stage]
    assert smart_play_card(seen) == card


def test_the_spare_action_rule_of_the_source() -> None:
    hands = (SKIPS, Card(BLUE, SKIP)), (Card(RED, 1), SKIPS), (SKIPS,), (SKIPS, ONE_WILD)
    assert [*map(has_spare_action, hands)] == [True, True, False, False]


def test_the_chosen_color_is_the_commonest_or_a_new_one() -> None:
    assert smart_choose_color(view(Card(YELLOW, 1), Card(YELLOW, 2), Card(RED, 1), ONE_WILD, ONE_WILD)) is YELLOW
    assert {smart_choose_color(view(ONE_WILD)._replace(roll=roll)) for roll in range(3)} == {BLUE, GREEN, YELLOW}


def test_the_stupid_color_is_any() -> None:
    assert [stupid_choose_color(view()._replace(roll=roll)) for roll in range(5)] == [*COLORS, RED]


@given(random_views(turn=True))
def test_both_bots_play_a_card_that_can_be_played(seen: View) -> None:
    cards = playable_cards(seen)
    assert stupid_play_card(seen) == cards[0] and smart_play_card(seen) in cards


@given(random_views())
def test_each_stage_returns_a_playable_card_or_none(seen: View) -> None:
    for stage in (slow_next_player, spend_spare_action, follow_color, match_value, highest_playable):
        assert stage(seen) is None or stage(seen) in playable_cards(seen)


@given(random_views())
def test_a_wild_draw_four_is_playable_only_alone(seen: View) -> None:
    cards = playable_cards(seen)
    assert FOUR not in cards or set(cards) == {FOUR}
    assert all(fits(card, seen.top, seen.color) for card in cards if card != FOUR)


@given(random_views_after_drawing())
def test_after_a_draw_the_hand_itself_holds_nothing_playable(seen: View) -> None:
    assert playable_cards(seen) == ()
    assert stupid_play_drawn(seen) == smart_play_drawn(seen) == bool(playable_cards(seen._replace(hand=(seen.drawn,))))


@given(random_views_after_wild())
def test_the_called_color_is_the_commonest_if_there_is_one(seen: View) -> None:
    common = most_common_color(seen.hand)
    called = smart_choose_color(seen)
    assert called is common if common else called is not seen.color
