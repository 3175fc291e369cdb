"""Pictures of the cards of Sedma."""

from __future__ import annotations

from course.sedma import Card
from course.show.cards import CARD
from course.show.kinds import Pictures


def sedma_card_code(card: Card) -> str:
    """Return the short name of a card. The key of the card's picture ends with this name.

    >>> from course.sedma import PIQUET_DECK
    >>> sedma_card_code(PIQUET_DECK[0])
    '7H'
    """
    return f"{card.rank.name[1:]}{card.suit.name[0]}"


PICTURES = Pictures({"card": CARD}, {Card: lambda card: f"card:{sedma_card_code(card)}"})
