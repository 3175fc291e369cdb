"""Uno: laws of its given names, of complete games by the reference, and of the exam's relations."""

from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import course.uno
import solutions.uno as reference
from autograder.exam.cases import Observation, case
from autograder.exams.uno import checks
from course.uno import (
    BLUE,
    CLOCKWISE,
    COUNTERCLOCKWISE,
    GREEN,
    RED,
    YELLOW,
    Args,
    Crd,
    Desk,
    DrawTwo,
    Execute,
    Give,
    Move,
    Num,
    Order,
    Pass,
    Proceed,
    Reverse,
    Simple,
    Skip,
    Wild,
    WildDrawFour,
    long_winded,
    manual,
    to_string,
    transcript,
)
from solutions.uno import deck, desk_normalize, game, naive, your_turn

DESKS = st.deferred(lambda: st.sampled_from(checks.played_desks()))
OTHERS = st.sampled_from((("other", 1), ("thing",), ()))


def cards_on(desk: Desk) -> list[str]:
    hands = (card for player in desk.players for card in player.cards)
    return sorted(map(repr, (*hands, *desk.pile, *desk.deck)))


ALL_CARDS = sorted(map(repr, deck))


# ------------------------------------------------------------------------------------------------ what is given


@given(DESKS)
def test_a_desk_prints_as_the_code_that_makes_it(desk):
    assert eval(repr(desk), vars(course.uno) | {"naive": naive}) == desk


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Crd(Num(7), GREEN), "CRD (NUM 7, GREEN)"),
        (WildDrawFour(), "WILD_DRAW_FOUR"),
        (Crd(DrawTwo(), RED), "CRD (DRAW_TWO, RED)"),
        (Order(Wild(), RED), "ORDER (WILD, RED)"),
        (Simple(Crd(Reverse(), BLUE)), "SIMPLE (CRD (REVERSE, BLUE))"),
        (Pass(), "PASS"),
        (Give(RED), "GIVE RED"),
        (Proceed(), "PROCEED"),
        (Execute(), "EXECUTE"),
        (COUNTERCLOCKWISE, "COUNTERCLOCKWISE"),
        (YELLOW, "YELLOW"),
        (Num(0), "NUM 0"),
        (0, "0"),
    ],
)
def test_values_are_shown_in_the_notation_of_the_lab(value, text):
    assert to_string(value) == text


def ask(*typed: str) -> Move:
    hand = (Crd(Num(1), RED), Wild(), Crd(Skip(), BLUE))
    return transcript(manual, *Args(Proceed(), hand, hand, Crd(Num(1), BLUE), CLOCKWISE, (), (3, 7)), typed=typed)[0]


CHOICES = {
    ("0", "3"): Order(Wild(), RED),
    ("1",): Simple(Crd(Num(1), RED)),
    (" 2 ",): Simple(Crd(Skip(), BLUE)),
    **dict.fromkeys([("3",), ("-1",), ("",), ("red",), ("1.0",), ("0", "4"), ("0", "-1"), ("0", "green")], Pass()),
}


@pytest.mark.parametrize(("typed", "move"), CHOICES.items())
def test_a_person_chooses_among_the_sorted_playable_cards_or_passes(typed, move):
    assert ask(*typed) == move


# ------------------------------------------------------------------------------------------------ whole games


@settings(max_examples=10)
@given(st.integers(2, 10), st.integers(0, 10**6))
def test_108_cards_are_on_the_desk_after_every_turn(seats, seed):
    def play_on() -> None:
        desk = desk_normalize(reference.deal(checks.seated_players(seats, naive)))
        while reference.check_winner(desk) is None:
            assert cards_on(desk) == ALL_CARDS
            desk = your_turn(desk)
        assert cards_on(desk) == ALL_CARDS

    transcript(play_on, chance=seed)


@settings(max_examples=10)
@given(st.integers(2, 10), st.integers(0, 10**6))
def test_every_move_of_a_game_may_follow_the_one_before(seats, seed):
    given_case = case(checks.seated_players(seats, naive))
    value, text = transcript(game, *given_case.args, chance=seed)
    seen = Observation(value, printed=text)
    assert checks.refuse_unfair_game(given_case, seen, seen) is None


def test_ten_thousand_turns_leave_the_stack_as_it_was():
    def ten_thousand_turns() -> Desk:
        desk = desk_normalize(reference.deal(checks.seated_players(10, naive)))
        return reduce(lambda desk, _: your_turn(desk), range(10_000), desk)

    desk, _ = transcript(ten_thousand_turns, chance=3)
    assert cards_on(desk) == ALL_CARDS


def test_long_games_may_take_over_a_thousand_turns():
    _, text = transcript(game, checks.seated_players(2, long_winded), chance=2)
    assert text.count("The turn of") > 1000


# ------------------------------------------------------------------------------------------------ what is accepted


def seen(value, printed="", raised=None, probes=()):
    return Observation(value, raised=raised, printed=printed, probes=probes)


@given(DESKS)
def test_a_hand_may_be_in_any_order(desk):
    first, *others = desk.players
    other = desk.with_players((first.with_cards(first.cards[::-1]), *others))
    assert checks.accept_same_desk(case(desk), seen(desk), seen(other)) is None


@given(DESKS)
def test_a_desk_is_refused_for_any_other_difference(desk):
    for other in (
        seen(desk.with_deck(desk.deck[:-1]), "text"),
        seen(desk.with_pile(desk.pile[::-1] + desk.deck), "text"),
        seen(desk.with_state(Give(RED) if desk.state != Give(RED) else Proceed()), "text"),
        seen(desk.with_players(desk.players[1:] + desk.players[:1]), "text"),
        seen(desk.with_memory((Pass(), Pass(), Pass(), *desk.memory)), "text"),
        seen(None, "text"),
        seen(desk, "text\n"),
        seen(desk, "text", probes=(("fickle",),)),
        seen(None, "text", "IllegalGame"),
    ):
        assert checks.accept_same_desk(case(desk), seen(desk, "text"), other)


@given(st.permutations(deck))
def test_the_deck_may_be_in_any_order(cards):
    assert checks.accept_any_order(case(), seen(deck), seen(tuple(cards))) is None
    zeros = tuple(Crd(Num(0), RED) if card == Wild() else card for card in cards)
    for other in (list(cards), (*cards, None), zeros):
        assert checks.accept_any_order(case(), seen(deck), seen(other))


def test_without_either_value_in_the_list_precedes_may_raise():
    absent, present = (case(checks.exercise("same_number"), (1, 2), 8, other) for other in (9, 2))
    raised = seen(None, raised="IllegalGame")
    assert checks.accept_illegal_game(absent, seen(False), raised) is None
    assert checks.accept_illegal_game(present, seen(False), raised)
    assert checks.accept_illegal_game(absent, seen(False), seen(True))


@pytest.mark.parametrize(
    ("before", "after", "legal"),
    [
        ("SIMPLE (CRD (NUM 7, GREEN))", "SIMPLE (CRD (NUM 7, RED))", True),
        ("SIMPLE (CRD (NUM 7, GREEN))", "SIMPLE (CRD (SKIP, GREEN))", True),
        ("SIMPLE (CRD (NUM 7, GREEN))", "SIMPLE (CRD (NUM 1, RED))", False),
        ("ORDER (WILD, RED)", "SIMPLE (CRD (NUM 1, RED))", True),
        ("ORDER (WILD_DRAW_FOUR, RED)", "SIMPLE (CRD (NUM 1, GREEN))", False),
        ("ORDER (WILD_DRAW_FOUR, RED)", "ORDER (WILD, RED)", True),
    ],
)
def test_printed_moves_are_checked_for_following_one_another(before, after, legal):
    assert checks.may_follow(before, after) is legal


def test_the_reached_desks_cover_all_relevant_cases():
    desks = checks.played_desks()
    assert {len(desk.players) for desk in desks} == {2, 3, 4, 5, 7, 10}
    assert {type(desk.state) for desk in desks} == {Proceed, Execute, Give}
    assert {desk.direction for desk in desks} == {CLOCKWISE, COUNTERCLOCKWISE}
    assert all(cards_on(desk) == ALL_CARDS for desk in desks)
