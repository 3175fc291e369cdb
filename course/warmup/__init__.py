"""The warm-up: the cards, piles and players of a small game of penalties, and the functional toolkit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from course.functional import compose, curry, fold_left, fold_right, recur, tail_recursive
from course.values import TODO, Named, value


class Suit(Named):
    """The four suits."""

    CLUBS, DIAMONDS, HEARTS, SPADES = range(4)


class Court(Named):
    """The three face cards of a suit. Face cards rank above number cards."""

    JACK, QUEEN, KING = range(11, 14)


CLUBS, DIAMONDS, HEARTS, SPADES = Suit
JACK, QUEEN, KING = Court


@value
class Number:
    """A number card from 1 (the ace, the lowest) to 10."""

    n: int
    suit: Suit


@value
class Face:
    """A jack, queen or king."""

    court: Court
    suit: Suit


@value
class Joker:
    """A card without a suit."""


@value
class Table:
    """The table without cards. The bottom card of every pile is on the table."""


@value
class On:
    """A card on top of a pile."""

    card: Card
    pile: Pile


Card: TypeAlias = Number | Face | Joker
"""a card of any of the three kinds"""
Hand: TypeAlias = tuple[Card, ...]
"""the cards that somebody holds, in order"""
Pack: TypeAlias = tuple[Card, ...]
"""a pack of cards, or a part of one, the top card first"""
Trick: TypeAlias = tuple[Card, ...]
"""the cards of one trick, the leader's first; there is at least one"""
Pile: TypeAlias = On | Table
"""a pile of cards on the table, or the bare table"""
PackSize: TypeAlias = int
"""an even number of cards, at least 4"""
Rule: TypeAlias = Callable[[Card], int]
"""a rule: a function that returns the price of a card"""
Rules: TypeAlias = tuple[Rule, ...]
"""some rules, at least one"""


@value
class Player:
    """A player: a name, the cards in hand, and the penalties so far."""

    name: str
    hand: Hand
    score: int


def beats(card: Card, best: Card) -> bool:
    """Return whether `card` beats `best`, which was played before it.

    A joker beats everything except another joker. Any other card beats only lower cards of its own suit.

    >>> beats(Face(KING, CLUBS), Number(10, CLUBS)), beats(Face(KING, CLUBS), Number(2, HEARTS))
    (True, False)
    >>> beats(Joker(), Face(KING, CLUBS)), beats(Joker(), Joker())
    (True, False)
    """
    if isinstance(card, Joker) or isinstance(best, Joker):
        return not isinstance(best, Joker)
    return card.suit is best.suit and _rank(card) > _rank(best)


def _rank(card: Number | Face) -> int:
    return card.n if isinstance(card, Number) else card.court.value


def one_each(card: Card) -> int:
    """Return 1, because every card costs one point."""
    return 1


def face_value(card: Card) -> int:
    """Return what `card` costs if a number card costs its number, a face card 10, and a joker nothing."""
    match card:
        case Number(n):
            return n
        case Face():
            return 10
        case _:
            return 0


def five_a_spade(card: Card) -> int:
    """Return what `card` costs if every spade costs 5, and all other cards cost nothing."""
    return 0 if isinstance(card, Joker) or card.suit is not Suit.SPADES else 5


def fifty_a_joker(card: Card) -> int:
    """Return what `card` costs if a joker costs 50, and all other cards cost nothing."""
    return 50 if isinstance(card, Joker) else 0


__all__ = [
    "CLUBS",
    "DIAMONDS",
    "HEARTS",
    "JACK",
    "KING",
    "QUEEN",
    "SPADES",
    "TODO",
    "Callable",
    "Card",
    "Court",
    "Face",
    "Hand",
    "Joker",
    "Number",
    "On",
    "Pack",
    "PackSize",
    "Pile",
    "Player",
    "Rule",
    "Rules",
    "Suit",
    "Table",
    "Trick",
    "beats",
    "compose",
    "curry",
    "face_value",
    "fifty_a_joker",
    "five_a_spade",
    "fold_left",
    "fold_right",
    "one_each",
    "recur",
    "replace",
    "tail_recursive",
    "value",
]
