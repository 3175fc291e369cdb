"""The worked examples of the source of Sedma, and laws of the unit's given names and exercises."""

from hypothesis import given
from hypothesis import strategies as st

from course.sedma import (
    AC,
    PIQUET_DECK,
    R7,
    R8,
    R9,
    R10,
    RJ,
    SAMPLE_RECORD,
    THREE,
    Card,
    Rank,
    Suit,
)
from solutions.sedma import replay, tally

SOURCE_RECORD = """
    Club RA,Club RK,Club RQ,Club RJ,Club R10,Club R9,Club R7,Club R8,
    Spade RA,Spade RK,Spade RQ,Spade RJ,Spade R10,Spade R9,Spade R7,Spade R8,
    Diamond RA,Diamond RK,Diamond RQ,Diamond RJ,Diamond R7,Diamond R9,Diamond R8,Diamond R10,
    Heart RJ,Heart RK,Heart RQ,Heart RA,Heart R7,Heart R9,Heart R8,Heart R10
"""
records = st.permutations(PIQUET_DECK).map(tuple)


def as_written(text):
    """Return the cards that the source writes as `Club RA,Club RK`."""
    return tuple(Card(Suit[suit.upper()], Rank[rank]) for suit, rank in (card.split() for card in text.split(",")))


def test_no_cards_and_five_ranks_of_four_suits_are_no_record():
    five = tuple(Card(suit, rank) for suit in Suit for rank in (R7, R8, R9, R10, RJ))
    assert (replay(()), replay(five)) == (None, None)


def test_the_sample_record_is_won_by_ac_threefold():
    assert as_written(SOURCE_RECORD) == SAMPLE_RECORD and replay(as_written(SOURCE_RECORD)) == (AC, THREE)


@given(records)
def test_a_game_holds_eight_tricks_and_ninety_points(record):
    ac, bd = tally(record)
    assert (ac.tricks + bd.tricks, ac.points + bd.points) == (8, 90)


@given(records)
def test_suits_mean_nothing(record):
    assert replay(tuple(Card(Suit((card.suit.value + 1) % 4), card.rank) for card in record)) == replay(record)
