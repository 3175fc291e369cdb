"""The picture keys of cards and tiles; `drawing.py` draws a key, and `spoken.py` names it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from course import basra, dominoes, sedma, uno, warmup
from course.arena import values as arena
from course.basra_game import card_text


def picture_of(thing: object) -> str:
    """Return the key of the picture of a card or tile of any unit, "" for anything else.

    >>> picture_of(warmup.Joker()), picture_of(dominoes.Domino(1, 2)), picture_of("x")
    ('card:joker', 'tile:1-2', '')
    """
    match thing:
        case warmup.Number(n, suit):
            return f"card:{'A' if n == 1 else n}{suit.name[0]}"
        case warmup.Face(court, suit):
            return f"card:{court.name[0]}{suit.name[0]}"
        case warmup.Joker():
            return "card:joker"
        case dominoes.Domino():
            return f"tile:{thing}"
    kind, code_of = CARD_CODES.get(type(thing), ("", str))
    return kind and f"{kind}:{code_of(thing)}"


def sedma_code(card: sedma.Card) -> str:
    """Return the code of a Sedma card, the second part of its picture's key.

    >>> sedma_code(sedma.PIQUET_DECK[0])
    '7H'
    """
    return f"{card.rank.name[1:]}{card.suit.name[0]}"


def basra_code(card: basra.Card) -> str:
    """Return the code of a Basra card, such as `QS`."""
    return f"{card_text(card)[:-1]}{card.suit.name[0]}"


def bots_code(card: arena.Card) -> str:
    """Return the code of a card of the bots' arena, such as `R7`."""
    if card.color is None:
        return "WF"[card.value - 13]
    return f"{card.color.name[0]}{card.value if card.value < 10 else 'DRS'[card.value - 10]}"


def uno_code(card: uno.Card) -> str:
    """Return the code of an Uno card.

    >>> uno_code(uno.Wild()), uno_code(uno.Crd(uno.Num(7), uno.COLORS[3]))
    ('W', 'R7')
    """
    match card:
        case uno.Crd(uno.Num(number), color):
            return f"{color.name[0]}{number}"
        case uno.Crd(rank, color):
            return f"{color.name[0]}{type(rank).__name__[0]}"
    return "W" if isinstance(card, uno.Wild) else "F"


CARD_CODES: dict[type, tuple[str, Callable[[Any], str]]] = {
    sedma.Card: ("card", sedma_code),
    basra.Card: ("card", basra_code),
    arena.Card: ("uno", bots_code),
    **dict.fromkeys((uno.Crd, uno.Wild, uno.WildDrawFour), ("uno", uno_code)),
}
