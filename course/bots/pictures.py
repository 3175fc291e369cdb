"""Pictures of the cards that bots play."""

from __future__ import annotations

from course.arena.values import Card
from course.show.cards import COLORED_CARD
from course.show.kinds import Pictures


def bots_card_code(card: Card) -> str:
    """Return the code of a card, such as `R7`. The key of the card's picture ends with the card's code."""
    if card.color is None:
        return "WF"[card.value - 13]
    return f"{card.color.name[0]}{card.value if card.value < 10 else 'DRS'[card.value - 10]}"


PICTURES = Pictures({"uno": COLORED_CARD}, {Card: lambda card: f"uno:{bots_card_code(card)}"})
