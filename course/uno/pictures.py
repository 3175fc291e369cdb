"""Pictures of the cards of Uno."""

from __future__ import annotations

from course.show.cards import COLORED_CARD
from course.show.kinds import Pictures
from course.uno import Card, Crd, Num, Wild, WildDrawFour


def uno_code(card: Card) -> str:
    """Return the short name of a card. The key of the card's picture ends with this name.

    >>> from course.uno import COLORS
    >>> uno_code(Wild()), uno_code(Crd(Num(7), COLORS[3]))
    ('W', 'R7')
    """
    match card:
        case Crd(Num(number), color):
            return f"{color.name[0]}{number}"
        case Crd(rank, color):
            return f"{color.name[0]}{type(rank).__name__[0]}"
    return "W" if isinstance(card, Wild) else "F"


PICTURES = Pictures(
    {"uno": COLORED_CARD}, dict.fromkeys((Crd, Wild, WildDrawFour), lambda card: f"uno:{uno_code(card)}")
)
