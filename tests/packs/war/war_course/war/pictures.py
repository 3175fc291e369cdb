"""Pictures of war: a card as a shield, and two hands side by side."""

from __future__ import annotations

from course.pictures import PAPER, PictureKind, Pictures, box, letters
from war_course.war import Card


def shield_code(card: Card) -> str:
    """Return the code of a card, such as `7-SPADES`."""
    return f"{card.rank}-{card.suit.name}"


def draw_shield(code: str) -> str:
    """Return a shield as SVG around the origin."""
    rank, suit = code.split("-")
    return box(50, 60, PAPER) + letters(rank, 0, -12, 22) + letters(suit, 0, 18, 9)


def shield_name(code: str) -> str:
    """Return the name of a card."""
    rank, suit = code.split("-")
    return f"shield {rank} of {suit.lower()}"


PICTURES = Pictures(
    {"shield": PictureKind(draw_shield, shield_name, (50, 60))}, {Card: lambda card: f"shield:{shield_code(card)}"}
)
