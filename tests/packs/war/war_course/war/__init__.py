"""War: the cards, and the sides of the table."""

from __future__ import annotations

from typing import TypeAlias

from course.values import Named, value


class Suit(Named):
    """The four suits, which mean nothing in war."""

    CLUBS, DIAMONDS, HEARTS, SPADES = range(4)


class Side(Named):
    """The two players."""

    FIRST, SECOND = range(2)


CLUBS, DIAMONDS, HEARTS, SPADES = Suit
FIRST, SECOND = Side


@value
class Card:
    """A card: its rank is 1 (the ace) to 13 (the king)."""

    rank: int
    suit: Suit


Hand: TypeAlias = tuple[Card, ...]
Pack: TypeAlias = tuple[Card, ...]

__all__ = ["CLUBS", "DIAMONDS", "FIRST", "HEARTS", "SECOND", "SPADES", "Card", "Hand", "Pack", "Side", "Suit"]
