"""The rules in the source of the bots, case by case, beyond the statements' examples; and its result."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from autograder.checks.bots import color_views, drawn_views, views
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
    first_card,
    give_up,
    is_action,
    is_wild,
    last_card,
    no_card,
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


def test_the_values_are_those_of_the_source() -> None:
    assert (DRAW_TWO, REVERSE, SKIP, WILD, WILD_DRAW_FOUR) == (10, 11, 12, 13, 14)


def test_the_colors_are_in_the_order_of_the_source() -> None:
    assert COLORS == (RED, BLUE, GREEN, YELLOW)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_stage_1_plays_a_draw_two_with_at_most_three_cards(count: int) -> None:
    seen = view(Card(RED, 9), Card(BLUE, DRAW_TWO), ONE_WILD, top=Card(RED, DRAW_TWO), following=count)
    assert smart_play_card(seen) == Card(BLUE, DRAW_TWO)


def test_stage_1_without_a_draw_two_plays_any_action_or_a_wild() -> None:
    assert smart_play_card(view(Card(RED, 9), Card(RED, REVERSE), following=3)) == Card(RED, REVERSE)
    assert smart_play_card(view(Card(RED, 9), ONE_WILD, following=3)) == ONE_WILD


def test_stage_1_without_either_goes_on() -> None:
    assert smart_play_card(view(Card(RED, 2), Card(RED, 9), following=1)) == Card(RED, 9)


def test_stage_2_plays_the_highest_card_that_goes_even_a_wild() -> None:
    assert smart_play_card(view(Card(RED, 9), Card(RED, SKIP), Card(RED, REVERSE))) == Card(RED, SKIP)
    assert smart_play_card(view(Card(RED, 9), Card(RED, SKIP), ONE_WILD)) == ONE_WILD


def test_the_spare_action_rule_of_the_source() -> None:
    assert has_spare_action((Card(RED, SKIP), Card(BLUE, SKIP)))
    assert has_spare_action((Card(RED, 1), Card(RED, SKIP)))
    assert not has_spare_action((Card(RED, SKIP),))
    assert not has_spare_action((Card(RED, SKIP), ONE_WILD))


def test_stage_3_follows_the_color_with_the_highest_digit() -> None:
    assert smart_play_card(view(Card(RED, 2), Card(RED, 9), Card(BLUE, 5), ONE_WILD)) == Card(RED, 9)


def test_stage_4_changes_to_the_commonest_color() -> None:
    hand = Card(BLUE, 5), Card(YELLOW, 5), Card(YELLOW, 1), Card(GREEN, 1)
    assert smart_play_card(view(*hand)) == Card(YELLOW, 5)
    assert smart_play_card(view(*hand[::-1])) == Card(YELLOW, 5)


def test_stage_5_plays_any_card_of_the_value() -> None:
    assert smart_play_card(view(Card(BLUE, 5), Card(GREEN, 1), Card(GREEN, 2), ONE_WILD)) == Card(BLUE, 5)


def test_stage_6_plays_wilds_only_when_no_other_card_fits() -> None:
    assert smart_play_card(view(Card(BLUE, 9), FOUR, ONE_WILD)) == ONE_WILD
    assert smart_play_card(view(Card(BLUE, 9), FOUR)) == FOUR
    assert playable_cards(view(Card(RED, 1), FOUR)) == (Card(RED, 1),)


def test_the_chosen_color_is_the_commonest_or_a_new_one() -> None:
    assert smart_choose_color(view(Card(YELLOW, 1), Card(YELLOW, 2), Card(RED, 1), ONE_WILD, ONE_WILD)) is YELLOW
    assert {smart_choose_color(view(ONE_WILD)._replace(roll=roll)) for roll in range(3)} == {BLUE, GREEN, YELLOW}


def test_the_stupid_color_is_any() -> None:
    assert [stupid_choose_color(view()._replace(roll=roll)) for roll in range(5)] == [*COLORS, RED]


@given(views(turn=True))
@settings(max_examples=300, deadline=None)
def test_both_bots_play_a_card_that_can_be_played(seen: View) -> None:
    cards = playable_cards(seen)
    assert stupid_play_card(seen) == cards[0]
    assert smart_play_card(seen) in cards


@given(views())
@settings(max_examples=300, deadline=None)
def test_each_stage_returns_a_playable_card_or_none(seen: View) -> None:
    for stage in (slow_next_player, spend_spare_action, follow_color, match_value, highest_playable):
        assert stage(seen) is None or stage(seen) in playable_cards(seen)


@given(views())
@settings(max_examples=300, deadline=None)
def test_a_wild_draw_four_is_playable_only_alone(seen: View) -> None:
    cards = playable_cards(seen)
    assert FOUR not in cards or set(cards) == {FOUR}
    assert all(fits(card, seen.top, seen.color) for card in cards if card != FOUR)


@given(drawn_views())
@settings(max_examples=200, deadline=None)
def test_after_a_draw_the_hand_itself_holds_nothing_playable(seen: View) -> None:
    assert playable_cards(seen) == ()
    assert stupid_play_drawn(seen) == smart_play_drawn(seen) == bool(playable_cards(seen._replace(hand=(seen.drawn,))))


@given(color_views())
@settings(max_examples=200, deadline=None)
def test_the_called_color_is_the_commonest_if_there_is_one(seen: View) -> None:
    common = most_common_color(seen.hand)
    called = smart_choose_color(seen)
    assert called is common if common else called is not seen.color


@given(views())
@settings(max_examples=100, deadline=None)
def test_the_given_stages_work_as_described(seen: View) -> None:
    assert no_card(seen) is None
    assert (first_card(seen), last_card(seen)) == ((seen.hand[0], seen.hand[-1]) if seen.hand else (None, None))
    with pytest.raises(RuntimeError):
        give_up(seen)


def test_no_card_is_both_an_action_and_a_wild() -> None:
    assert [n for n in range(15) if is_action(Card(RED, n))] == [10, 11, 12]
    assert [n for n in range(15) if is_wild(Card(RED, n))] == [13, 14]
