"""Pictures of the cards of Basra."""

from __future__ import annotations

from course.basra import Card
from course.basra_game import card_text
from course.show.cards import CARD
from course.show.kinds import Pictures


def basra_card_code(card: Card) -> str:
    """Return the code of a card, such as `QS`. The key of the card's picture ends with the card's code."""
    return f"{card_text(card)[:-1]}{card.suit.name[0]}"


PICTURES = Pictures({"card": CARD}, {Card: lambda card: f"card:{basra_card_code(card)}"})
