"""Dominoes: statistical tests of shuffles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations, pairwise, permutations, product
from math import sqrt

from course.exam.observation import Observation, wilson_hilferty

SHUFFLES, FOUR, TWINS, DECK = 450, tuple(range(4)), (0, 0, 1, 1), tuple(range(28))
DEVIATION_LIMIT = 6.0  # standard deviations; a fair shuffle exceeds it in less than one exam in a million


def order_test(items: tuple[int, ...]) -> Callable[[Observation], bool]:
    return lambda observed: type(observed.value) is tuple and sorted(observed.value) == list(items)


def chi_square(counts: Iterable[int], expected: float, freedom: int, scale: float = 1.0) -> float:
    """Return the chi-squared value of some counts, converted to standard deviations (Wilson-Hilferty approximation)."""
    return wilson_hilferty(scale * sum((count - expected) ** 2 / expected for count in counts), freedom)


def orders_of_four(observations: tuple[Observation, ...]) -> str | None:
    """Check that shuffles of four items produce all orders equally often, and keep half of all pairs of items in order.

    Return a description of what is wrong with the shuffles, or None.
    """
    return _check_orders(FOUR, observations)


def orders_of_twins(observations: tuple[Observation, ...]) -> str | None:
    """Check that shuffles of two pairs of equal items produce all distinct orders equally often.

    Return a description of what is wrong with the shuffles, or None.
    """
    return _check_orders(TWINS, observations)


def _check_orders(items: tuple[int, ...], observations: tuple[Observation, ...]) -> str | None:
    if not all(map(order_test(items), observations)):
        return f"shuffling {items} gave something that is not a tuple of these four"
    tally = Counter(each.value for each in observations)
    counts = [tally[order] for order in {*permutations(items)}]
    ascending = sum(a < b for each in observations for a, b in combinations(each.value, 2))
    drift = (ascending - 3 * SHUFFLES) / sqrt(SHUFFLES * 13 / 6) if items == FOUR else 0.0
    if max(abs(chi_square(counts, SHUFFLES / len(counts), len(counts) - 1)), abs(drift)) < DEVIATION_LIMIT:
        return None
    return f"in {SHUFFLES} shuffles of {items} the commonest order came {max(counts)} times, the rarest {min(counts)}"


@cache
def swapping_bias(order: tuple[int, ...]) -> tuple[tuple[float, ...], ...]:
    """Return the bias of a wrong shuffle that swaps each position with a random position.

    For each item and position, the bias says how much more often the item is at this position than in fair shuffles.
    """
    n = len(order)
    rows = [[float(item == position) for position in range(n)] for item in range(n)]
    for i, row in product(order, rows):
        here = row[i]
        row[:] = [there + (here - there) / n for there in row]
        row[i] = 1 / n
    return tuple(tuple(n * chance - 1 for chance in row) for row in rows)


def swapping_drift(order: tuple[int, ...], observations: tuple[Observation, ...]) -> float:
    """Return how strongly these shuffles have the bias that `swapping_bias` computes, in standard deviations."""
    bias = swapping_bias(order)
    variance = sum(weight**2 for row in bias for weight in row) / (len(bias) - 1)
    score = sum(bias[item][position] for each in observations for position, item in enumerate(each.value))
    return score / sqrt(variance * len(observations))


def traces_in_a_deck(observations: tuple[Observation, ...]) -> str | None:
    """Check that shuffles of a deck put items equally often at all positions, and keep half of all neighbors in order.

    Return a description of what is wrong with the shuffles, or None.
    """
    if not all(map(order_test(DECK), observations)):
        return "shuffling the numbers from 0 to 27 gave something that is not a tuple of them"
    n = len(DECK)
    tally = Counter((item, position) for each in observations for position, item in enumerate(each.value))
    counts = [tally[pair] for pair in product(DECK, DECK)]
    unmoved = sum(tally[item, item] for item in DECK)
    rises = sum(a < b for each in observations for a, b in pairwise(each.value))
    falls = SHUFFLES * (n - 1) - rises
    rising = (rises - SHUFFLES * (n - 1) / 2) / sqrt(SHUFFLES * (n + 1) / 12)
    scores = {
        "items are far more common at some places than at others": chi_square(
            counts, SHUFFLES / n, (n - 1) ** 2, (n - 1) / n
        ),
        f"{unmoved} of them stayed where they were, in all": (unmoved - SHUFFLES) / sqrt(SHUFFLES),
        f"{rises} neighbors lay in ascending order, as before, and {falls} in descending order": rising,
        "they drift as if each, from the first on, were swapped with any": swapping_drift(DECK, observations),
        "they drift as if each, from the last on, were swapped with any": swapping_drift(DECK[::-1], observations),
    }
    reason = next((reason for reason, score in scores.items() if abs(score) > DEVIATION_LIMIT), None)
    return reason and f"in {SHUFFLES} shuffles of the numbers from 0 to 27, {reason}"
