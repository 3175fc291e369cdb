"""The inputs of `has_spare_action` for *Find the wrong answers*.

It only matters which colors and digits of a hand are equal, and which cards are actions or wilds.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from course.bots import COLORS, DRAW_TWO, WILD, WILD_DRAW_FOUR, Card
from course.exam.calls import Args
from course.exam.world import Renaming, World, as_it_is, canonical_names, longer_tuples

ACTION_VALUES = range(DRAW_TWO, WILD)
WILD_CARDS = (Card(None, WILD), Card(None, WILD_DRAW_FOUR))


def _inputs() -> Iterator[Args]:
    """Yield hands in which each card is a digit, an action or a wild."""
    for size in range(4):
        for colors, digits in product(longer_tuples(size), longer_tuples(size)):
            kinds = [
                [*(Card(COLORS[color], value) for value in (digit + 1, *ACTION_VALUES)), *WILD_CARDS]
                for color, digit in zip(colors, digits, strict=True)
            ]
            yield from ((hand,) for hand in product(*kinds))


def _canonical_inputs(args: Args) -> tuple[Args, Renaming]:
    """Rename the colors and the digits in order of occurrence."""
    (hand,) = args
    colors = {None: None} | canonical_names((card.color for card in hand if card.color), COLORS)
    digits = canonical_names((card.value for card in hand if card.value < DRAW_TWO), range(1, DRAW_TWO))
    return (tuple(Card(colors[card.color], digits.get(card.value, card.value)) for card in hand),), as_it_is


WORLDS = {"has_spare_action": World("at most three cards", _inputs, _canonical_inputs)}
