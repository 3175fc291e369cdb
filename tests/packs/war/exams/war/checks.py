"""Inputs of war: short hands of few ranks, so that ties are common."""

from __future__ import annotations

from hypothesis import strategies as st
from war_course.war import *

from autograder.exam.cases import Case, Check, case

CARDS = tuple(Card(rank, suit) for suit in Suit for rank in range(1, 14))
_FEW = st.sampled_from([card for card in CARDS if card.rank in (1, 2, 9, 13)])

STRATEGIES = {
    "Card": CARDS,
    "Hand": st.lists(_FEW, max_size=7).map(tuple),
    "Pack": st.lists(st.sampled_from(CARDS), max_size=12, unique=True).map(tuple),
}


def battles(*pairs: tuple[str, str]) -> tuple[Case, ...]:
    """Return battles by the ranks in the two hands, `A` for the ace."""
    return tuple(case(_hand(one, CLUBS), _hand(other, HEARTS)) for one, other in pairs)


def _hand(ranks: str, suit: Suit) -> Hand:
    return tuple(Card(1 if rank == "A" else int(rank), suit) for rank in ranks)


CHECKS = {
    "battle": Check(
        facets={
            "no war": battles(("9", "4"), ("A", "9"), ("2", "A")),
            "a war": battles(("925", "943"), ("923", "945"), ("99A", "98")),
            "a second war": battles(("92528", "94547"), ("92527", "94548")),
            "no card left": battles(("9", "945"), ("925", "9"), ("92", "94"), ("", "9"), ("9", ""), ("", "")),
        }
    ),
}
