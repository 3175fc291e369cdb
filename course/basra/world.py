"""The inputs of `capture` for *Find the wrong answers*.

Only the ranks on the floor matter, and their order does not. All ranks that are too high for any sum are treated as the
same rank.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

from course.basra import CLUB, DIAMOND, HEART, SPADE, Card
from course.exam.calls import Args
from course.exam.world import Renaming, World

SUITS = (SPADE, HEART, CLUB, DIAMOND)
KING, TEN, MOST_SMALL, MOST_LARGE = 13, 10, 4, 3
NO_CARD = Card(DIAMOND, 0)


def _inputs() -> Iterator[Args]:
    for rank in range(1, KING + 1):
        most = MOST_SMALL if rank < TEN - 2 else MOST_LARGE
        for size in range(most + 1):
            for ranks in combinations_with_replacement(range(1, _highest_relevant_rank(rank) + 1), size):
                if ranks.count(rank) < len(SUITS):
                    yield _floor_with_ranks(ranks), Card(DIAMOND, rank)


def _highest_relevant_rank(rank: int) -> int:
    """Return the highest rank that matters for a card of this rank.

    It is one higher than needed, since some answers mistake jacks for tens.
    """
    return rank + 1 if rank < TEN else KING


def _floor_with_ranks(ranks: tuple[int, ...]) -> tuple[Card, ...]:
    """Return cards of these ranks; the first card of each rank is a spade."""
    return tuple(Card(SUITS[ranks[:index].count(rank)], rank) for index, rank in enumerate(ranks))


def _canonical_inputs(args: Args) -> tuple[Args, Renaming]:
    """Sort the floor, assign suits in order, and lower ranks that are too high to the highest that matters."""
    floor, card = args
    if len({*floor, card}) != len(floor) + 1:
        raise ValueError("a card is there twice")
    own = sorted(floor, key=lambda each: (each.rank, each.suit.value))
    others = _floor_with_ranks(tuple(min(each.rank, _highest_relevant_rank(card.rank)) for each in own))
    played = Card(DIAMOND, card.rank)
    named = {card: played, **dict(zip(own, others, strict=True))}

    def rename(value: Any) -> object:
        if type(value) in (tuple, list):
            return type(value)(map(rename, value))
        return named.get(value, NO_CARD) if type(value) is Card else value

    return (others, played), rename


INPUTS_TEXT = "a floor of at most three cards (four, if the played one is no higher than a seven), and no card twice"
UNDETECTED_MISTAKES = ("same_suit_only", "neighbors_only", "greedy_sum", "one_for_each_first_card")
WORLDS = {
    name: World(INPUTS_TEXT, _inputs, _canonical_inputs, UNDETECTED_MISTAKES)
    for name in ("capture", "produce_all_captures")
}
