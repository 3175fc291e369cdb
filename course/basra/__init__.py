"""Basra, a fishing game for one player: the cards, chance, and the helpers of a round."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import TypeAlias

from course.effects import random_below, transcript
from course.functional import compose, curry, fold_left, fold_right, identity, recur, tail_recursive
from course.values import Named, value


class Suit(Named):
    """The four suits, in the order in which cards are sorted."""

    SPADE, HEART, DIAMOND, CLUB = range(4)


SPADE, HEART, DIAMOND, CLUB = Suit


@value
class Card:
    """A card, such as `Card(SPADE, 12)`, the queen of spades; ranks go from 1, the ace, to 13, the king."""

    suit: Suit
    rank: int


Cards: TypeAlias = tuple[Card, ...]
"""any cards, none of them twice"""
Deck: TypeAlias = tuple[Card, ...]
"""the cards that are still to come, the next one first"""
Floor: TypeAlias = tuple[Card, ...]
"""the cards that lie open on the floor"""
Hand: TypeAlias = tuple[Card, ...]
"""the cards that the player holds"""
Scored: TypeAlias = tuple[Card, ...]
"""the cards of the scored pile"""
Captures: TypeAlias = tuple[Cards, ...]
"""some captures, each a tuple of the cards that it takes"""

_CARDS_WHEN_FULL = 4


def produce_unshuffled_deck() -> Deck:
    """Return the 52 cards in perfect order, by suit and then by rank.

    >>> produce_unshuffled_deck()[:2], produce_unshuffled_deck()[-1]
    ((Card(SPADE, 1), Card(SPADE, 2)), Card(CLUB, 13))
    """
    return tuple(Card(suit, rank) for suit in Suit for rank in range(1, 14))


def get_random_int(highest: int) -> int:
    """Return a random integer from 1 to `highest`, both included, each equally likely.

    >>> transcript(get_random_int, 6, chance=(5,))
    (6, '')
    """
    return random_below(highest) + 1


def comes_before(one: Card, other: Card) -> bool:
    """Return whether `one` comes before `other` in a sorted deck: by suit first, within a suit by rank.

    >>> comes_before(Card(SPADE, 13), Card(HEART, 1)), comes_before(Card(CLUB, 2), Card(CLUB, 2))
    (True, False)
    """
    return (one.suit.value, one.rank) < (other.suit.value, other.rank)


def cards_lacking(cards: Cards) -> int:
    """Return how many cards a hand or a floor needs in order to have four.

    >>> cards_lacking((Card(CLUB, 2),)), cards_lacking(produce_unshuffled_deck()[:6])
    (3, 0)
    """
    return max(0, _CARDS_WHEN_FULL - len(cards))


def deal_to_hand(deck: Deck, hand: Hand) -> tuple[Deck, Hand]:
    """Move the first cards of the deck to the hand until it has four or the deck is empty. Return deck and hand.

    >>> deal_to_hand((Card(CLUB, 2), Card(CLUB, 3)), (Card(SPADE, 1), Card(SPADE, 2), Card(SPADE, 3)))
    ((Card(CLUB, 3),), (Card(SPADE, 1), Card(SPADE, 2), Card(SPADE, 3), Card(CLUB, 2)))
    """
    lacking = cards_lacking(hand)
    return deck[lacking:], hand + deck[:lacking]


def deal_to_floor(deck: Deck, floor: Floor) -> tuple[Deck, Floor]:
    """Move the first cards of the deck to the floor until it has four or the deck is empty. Return deck and floor.

    >>> deal_to_floor((Card(CLUB, 2),), (Card(SPADE, 1), Card(SPADE, 2)))
    ((), (Card(SPADE, 1), Card(SPADE, 2), Card(CLUB, 2)))
    """
    return deal_to_hand(deck, floor)


def remove_cards(cards: Cards, gone: Cards) -> Cards:
    """Return `cards` without the cards in `gone`.

    >>> remove_cards((Card(SPADE, 1), Card(CLUB, 2)), (Card(CLUB, 2), Card(CLUB, 3)))
    (Card(SPADE, 1),)
    """
    return tuple(card for card in cards if card not in gone)


def pile_score(scored: Scored) -> int:
    """Return the points of a pile of scored cards: 2 for each jack, queen and king, 1 for every other card.

    >>> pile_score((Card(SPADE, 11), Card(CLUB, 10), Card(HEART, 1)))
    4
    """
    return sum(2 if card.rank > 10 else 1 for card in scored)


def in_order(captures: Captures) -> Captures:
    """Return `captures` in a standard order, the shortest first, so that the results of two functions can be compared.

    >>> in_order(((Card(CLUB, 2), Card(SPADE, 1)), (Card(SPADE, 3),)))
    ((Card(SPADE, 3),), (Card(SPADE, 1), Card(CLUB, 2)))
    """
    tidy = (tuple(sorted(capture, key=_sort_key)) for capture in captures)
    return tuple(sorted(tidy, key=lambda capture: (len(capture), tuple(map(_sort_key, capture)))))


def _sort_key(card: Card) -> tuple[int, int]:
    return card.suit.value, card.rank


__all__ = [
    "CLUB",
    "DIAMOND",
    "HEART",
    "SPADE",
    "Callable",
    "Captures",
    "Card",
    "Cards",
    "Deck",
    "Floor",
    "Hand",
    "Scored",
    "Suit",
    "cards_lacking",
    "combinations",
    "comes_before",
    "compose",
    "curry",
    "deal_to_floor",
    "deal_to_hand",
    "fold_left",
    "fold_right",
    "get_random_int",
    "identity",
    "in_order",
    "pile_score",
    "produce_unshuffled_deck",
    "recur",
    "remove_cards",
    "tail_recursive",
    "transcript",
]
