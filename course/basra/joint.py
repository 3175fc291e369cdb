"""Basra: statistical tests of whether a deck is shuffled fairly."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from itertools import chain, pairwise
from math import sqrt
from operator import add
from typing import Any

from course.basra import Card, produce_unshuffled_deck
from course.exam.observation import Observation, wilson_hilferty

SIZE = len(produce_unshuffled_deck())
SHUFFLES = 2000

# Less than one fair shuffle in a million is refused. The probability beyond 5 standard deviations is 5.8e-7 (for
# positions), and beyond 5.5 it is 3.8e-8 (for neighbors, and again for order). The sum is 6.5e-7.
MOST_UNEVEN, MOST_NEIGHBORLY, MOST_ORDERLY = 5.0, 5.5, 5.5


def _position_counts(shuffles: list[list[int]]) -> Counter[int]:
    """Return how often each card came to each position."""
    return Counter(chain.from_iterable(map(add, shuffle, range(0, SIZE * SIZE, SIZE)) for shuffle in shuffles))


def unevenness(shuffles: list[list[int]]) -> float:
    """Return how far the counts of cards at each position are from those of fair shuffles, in standard deviations.

    All rows and columns of the table of counts have the same sum. Therefore, the sum of squares is chi-squared only
    after it is multiplied by `(n - 1) / n`.
    """
    cells = _position_counts(shuffles)
    expected = len(shuffles) / SIZE
    chi_squared = sum((cells[cell] - expected) ** 2 for cell in range(SIZE * SIZE)) / expected
    return wilson_hilferty((SIZE - 1) / SIZE * chi_squared, (SIZE - 1) ** 2)


def neighborliness(shuffles: list[list[int]]) -> float:
    """Return how far the number of preserved neighbors is from a fair shuffle's mean, in standard deviations.

    Cutting the deck keeps most neighbors together. In a fair shuffle of n cards, the number X of neighbors that stay
    together has the mean `2(n - 1) / n`. In a fair shuffle, `X(X - 1)` has the mean `4(n - 2)² / n(n - 1)`.
    """
    mean = 2 * (SIZE - 1) / SIZE
    variance = 4 * (SIZE - 2) ** 2 / (SIZE * (SIZE - 1)) + mean - mean**2
    neighbors = sum(one - other in (1, -1) for shuffle in shuffles for one, other in pairwise(shuffle))
    return (neighbors - len(shuffles) * mean) / sqrt(len(shuffles) * variance)


def orderliness(shuffles: list[list[int]]) -> float:
    """Return how far the number of pairs in their old order is from a fair shuffle's mean, in standard deviations.

    The two cards of a pair need not be neighbors. In a fair shuffle of n cards, the number of pairs in their old order
    has the mean `n(n - 1) / 4` and the variance `n(n - 1)(2n + 5) / 72`.
    """
    mean, variance = SIZE * (SIZE - 1) / 4, SIZE * (SIZE - 1) * (2 * SIZE + 5) / 72
    in_order = 0
    for shuffle in shuffles:
        before: list[int] = []
        for number in shuffle:
            position = bisect(before, number)
            in_order += position
            before.insert(position, number)
    return (in_order - len(shuffles) * mean) / sqrt(len(shuffles) * variance)


def numbers(value: Any) -> list[int] | None:
    """Return each card's index in the unshuffled deck, or None if the value is not a deck."""
    try:
        cards = [card.suit._value_ * 13 + card.rank - 1 for card in value]
        right = type(value) is tuple and sorted(cards) == list(range(SIZE)) and {*map(type, value)} == {Card}
    except (AttributeError, TypeError):
        return None
    return cards if right else None


def unfair(observations: tuple[Observation, ...]) -> str | None:
    """Return why shuffles are wrong (cards are missing, or the distribution is uneven), or None if they are right.

    In 2,000 fair shuffles, almost certainly no two are equal, and every card is at every position at least once. The
    probability that a card is missing at some position in all these shuffles is 1 in 10 billion.
    """
    decks = [numbers(each.value) for each in observations]
    shuffles = [deck for deck in decks if deck]
    if len(shuffles) < len(decks):
        return "not every shuffle gives the 52 cards of the deck"
    if len(_position_counts(shuffles)) < SIZE * SIZE:
        return f"in {len(shuffles):,} shuffles, a card is never at one of the places"
    if len(set(map(tuple, shuffles))) < len(shuffles):
        return f"two of {len(shuffles):,} shuffles are the same"
    deviates = (
        ("cards do not fall evenly on places", unevenness(shuffles), MOST_UNEVEN),
        ("neighbors do not part evenly", neighborliness(shuffles), MOST_NEIGHBORLY),
        ("pairs of cards do not turn round evenly", orderliness(shuffles), MOST_ORDERLY),
    )
    for what, z, most in deviates:
        if abs(z) > most:
            return f"in {len(shuffles):,} shuffles {what} (z = {z:.1f}, and a fair shuffle stays within {most})"
    return None
