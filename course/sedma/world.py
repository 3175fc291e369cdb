"""The inputs of `winning_place` for *Find the wrong answers*.

It only matters which ranks in a trick are equal, which are sevens, and how the ranks are ordered.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from course.exam.calls import Args
from course.exam.world import Renaming, World, as_it_is, canonical_names, longer_tuples
from course.sedma import R7, R8, R9, R10, RJ, Card, Suit

INPUT_RANKS = (R7, R8, R9, R10, RJ)


def _inputs() -> Iterator[Args]:
    tricks = (
        tuple(map(Card, map(Suit, suits), ranks))
        for ranks in product(INPUT_RANKS, repeat=4)
        for suits in longer_tuples(4)
    )
    return ((trick,) for trick in tricks if len({*trick}) == 4)


def _canonical_inputs(args: Args) -> tuple[Args, Renaming]:
    """Rename the suits in order of occurrence, and the ranks beginning with the lowest. Sevens stay sevens."""
    (trick,) = args
    suits = canonical_names((card.suit for card in trick), Suit)
    higher = sorted({card.rank for card in trick} - {R7}, key=lambda rank: rank.value)
    ranks = {R7: R7, **dict(zip(higher, INPUT_RANKS[1:], strict=False))}
    if len({*trick}) != 4 or len(trick) != 4:
        raise ValueError("a trick has four cards, and none twice")
    return (tuple(Card(suits[card.suit], ranks[card.rank]) for card in trick),), as_it_is


WORLDS = {"winning_place": World("four cards, none of them twice", _inputs, _canonical_inputs)}
