"""Inputs of Basra, what captures are right, and when a shuffle is fair."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from itertools import chain, pairwise
from math import sqrt
from operator import add
from random import Random
from typing import Any

from hypothesis import strategies as st

from autograder.exam.cases import Case, Check, Observation, Whole, case
from autograder.exam.deviates import wilson_hilferty
from course.basra import *
from solutions.basra import produce_all_captures

DECK = produce_unshuffled_deck()
SIZE = len(DECK)
SHUFFLES = 2000

# A fair shuffle is refused less often than once in a million: the normal distribution leaves 5.8e-7 beyond 5 on both
# sides, for the places, and 3.8e-8 beyond 5.5, for the neighbours and again for the order: 6.5e-7 together.
MOST_UNEVEN, MOST_NEIGHBOURLY, MOST_ORDERLY = 5.0, 5.5, 5.5


def unevenness(shuffles: list[list[int]]) -> float:
    """Tell how unevenly cards fall on places, as a normal deviate.

    Counts of card against place, rows and columns fixed, make (n - 1) / n of the usual sum a chi-squared.
    """
    cells = Counter(chain.from_iterable(map(add, shuffle, range(0, SIZE * SIZE, SIZE)) for shuffle in shuffles))
    expected = len(shuffles) / SIZE
    chi_squared = sum((cells[cell] - expected) ** 2 for cell in range(SIZE * SIZE)) / expected
    return wilson_hilferty((SIZE - 1) / SIZE * chi_squared, (SIZE - 1) ** 2)


def neighbourliness(shuffles: list[list[int]]) -> float:
    """Tell how many neighbours in the unshuffled deck are neighbours still, as a normal deviate; a cut keeps most.

    In a fair shuffle their mean is 2(n - 1) / n, and the mean of their ordered pairs 4(n - 2)² / n(n - 1).
    """
    mean = 2 * (SIZE - 1) / SIZE
    variance = 4 * (SIZE - 2) ** 2 / (SIZE * (SIZE - 1)) + mean - mean**2
    kept = sum(one - other in (1, -1) for shuffle in shuffles for one, other in pairwise(shuffle))
    return (kept - len(shuffles) * mean) / sqrt(len(shuffles) * variance)


def orderliness(shuffles: list[list[int]]) -> float:
    """Tell how many pairs of cards, neighbours or not, keep their order, as a normal deviate.

    In a fair shuffle their mean is n(n - 1) / 4, and their variance n(n - 1)(2n + 5) / 72.
    """
    mean, variance = SIZE * (SIZE - 1) / 4, SIZE * (SIZE - 1) * (2 * SIZE + 5) / 72
    return (sum(map(_pairs_in_order, shuffles)) - len(shuffles) * mean) / sqrt(len(shuffles) * variance)


def _pairs_in_order(shuffle: list[int]) -> int:
    before: list[int] = []
    kept = 0
    for number in shuffle:
        place = bisect(before, number)
        kept += place
        before.insert(place, number)
    return kept


def numbers(value: Any) -> list[int] | None:
    """Give the places that the cards of a deck have in the unshuffled one; None if it is not a deck."""
    try:
        found = [card.suit._value_ * 13 + card.rank - 1 for card in value]
        right = type(value) is tuple and sorted(found) == list(range(SIZE)) and {*map(type, value)} == {Card}
    except (AttributeError, TypeError):
        return None
    return found if right else None


def unfair(observations: tuple[Observation, ...]) -> str | None:
    """Tell what is wrong with shuffles: one is no permutation, or all of them are not evenly spread."""
    shuffles = [numbers(seen.value) for seen in observations]
    if None in shuffles or len(shuffles) < SHUFFLES:
        return "not every shuffle gives the 52 cards of the deck"
    return _uneven([shuffle for shuffle in shuffles if shuffle])


def _uneven(shuffles: list[list[int]]) -> str | None:
    found = (
        ("cards do not fall evenly on places", unevenness(shuffles), MOST_UNEVEN),
        ("neighbours do not part evenly", neighbourliness(shuffles), MOST_NEIGHBOURLY),
        ("pairs of cards do not turn round evenly", orderliness(shuffles), MOST_ORDERLY),
    )
    return next(
        (
            f"in {SHUFFLES:,} shuffles {what} (z = {z:.1f}, and a fair shuffle stays within {most})"
            for what, z, most in found
            if abs(z) > most
        ),
        None,
    )


def accept_deck(_case: Case, expected: Observation, got: Observation) -> str | None:
    """Accept any permutation of the deck; the examples of the statement say True or False, and mean it."""
    if numbers(expected.value) is None:
        return f"expected {expected.value!r}"
    return None if numbers(got.value) else "expected the 52 cards of the deck, each once, in any order"


def accept_captures(case: Case, expected: Observation, got: Observation) -> str | None:
    """Accept captures that do not overlap, and leave nothing that could be captured."""
    if not case.args:
        return f"expected {expected.value!r}"
    floor, card = case.args
    if reason := _no_captures(floor, card, got.value):
        return reason
    taken = tuple(chain.from_iterable(got.value))
    if len(set(taken)) < len(taken):
        return "the captures overlap"
    more = produce_all_captures(remove_cards(floor, taken), card)
    return f"{min(more, key=len)} could be captured as well" if more else None


def accept_all_captures(case: Case, expected: Observation, got: Observation) -> str | None:
    """Accept the same captures, each once, in any order."""
    if not case.args:
        return f"expected {expected.value!r}"
    floor, card = case.args
    if reason := _no_captures(floor, card, got.value):
        return reason
    found = set(map(frozenset, got.value))
    if len(found) < len(got.value):
        return "a capture is there twice"
    missing = next((capture for capture in expected.value if frozenset(capture) not in found), None)
    return None if missing is None else f"{missing} is missing"


def _no_captures(floor: Floor, card: Card, value: Any) -> str | None:
    """Tell why a value is not a tuple of captures, be they all of them or not; None if it is."""
    if type(value) is not tuple or not all(type(capture) is tuple for capture in value):
        return "expected a tuple of captures, each of them a tuple of cards"
    return next((reason for capture in value if (reason := _no_capture(floor, card, capture))), None)


def _no_capture(floor: Floor, card: Card, capture: Any) -> str | None:
    if not capture:
        return "a capture cannot be empty"
    if not all(type(each) is Card and each in floor for each in capture):
        return f"not all of {capture} lie on the floor"
    if len(set(capture)) < len(capture):
        return f"{capture} holds a card twice"
    total = sum(each.rank for each in capture)
    return None if total == card.rank else f"the ranks of {capture} add up to {total}, not to {card.rank}"


def spades(*ranks: int) -> Cards:
    return tuple(Card(SPADE, rank) for rank in ranks)


def floor_of(*ranks: int) -> Floor:
    """Give distinct cards of these ranks, a club only where there are four of a rank."""
    suits = (SPADE, HEART, DIAMOND, CLUB)
    return tuple(Card(suits[ranks[:place].count(rank)], rank) for place, rank in enumerate(ranks))


def club(rank: int) -> Card:
    return Card(CLUB, rank)


def clubs(*ranks: int) -> Hand:
    return tuple(map(club, ranks))


def plays(*games: tuple[int, tuple[int, ...]]) -> tuple[Case, ...]:
    """Give the cases of a club of some rank, played on a floor of these ranks."""
    return tuple(case(floor_of(*floor), club(rank)) for rank, floor in games)


def _large_floors() -> tuple[Case, ...]:
    low = tuple(card for card in DECK if card.rank < 8)
    return tuple(case(tuple(Random(seed).sample(low, 12)), club(13)) for seed in range(3))


def _play(ranks: tuple[int, ...]) -> st.SearchStrategy[Case]:
    """Give the plays with cards of these ranks only, so that captures are neither rare nor certain."""
    cards = [card for card in DECK if card.rank in ranks]
    some = st.lists(st.sampled_from(cards), unique=True, min_size=1, max_size=9)
    return some.map(lambda cards: case(tuple(cards[1:]), cards[0]))


def _position(seed: int) -> Case:
    """Give deck, floor and hand near the end of a game; half of the hands are too low to capture much."""
    random = Random(seed)
    disorder = random.choice((1, 100))
    cards = tuple(sorted(random.sample(DECK, 20), key=lambda card: card.rank + disorder * random.random()))
    hand, floor, deck = (
        random.choice((0, 1, 3, 4, 4, 4)),
        random.choice((0, 1, 4, 5, 6, 6, 6, 6, 7, 8)),
        random.choice((0, 0, 3)),
    )
    return case(cards[12 : 12 + deck], cards[4 : 4 + floor], cards[:hand])


_SEEDS = st.integers(1, 2**32)
_LOW, _SOME, _ALL = (1, 2, 3, 4, 5), (1, 2, 3, 5, 8, 11, 12, 13), tuple(range(1, 14))
_PLAYS = st.sampled_from((_LOW, _SOME, _ALL)).flatmap(_play)
_HIGH_FLOOR = (13, 13, 12, 12, 11, 11)
_SAMPLE_FLOOR = (1, 3, 6, 13, 9, 11)

STRATEGIES = {"Cards": st.lists(st.sampled_from(DECK), unique=True, max_size=24).map(tuple)}

_CAPTURING: dict[str, tuple[Case, ...] | Whole] = {
    "an empty floor": plays((3, ()), (13, ())),
    "nothing to capture": plays(
        (2, (5, 3, 11, 1)), (1, (2, 3, 4)), (7, (8, 9, 10)), (13, (1, 2, 3)), (5, (3, 3, 4, 4))
    ),
    "cards of the same rank": plays((5, (5,)), (4, (9, 4, 8)), (9, (9, 9, 9)), (12, (12, 13, 12))),
    "sums of two": plays((3, (1, 2)), (10, (3, 9, 7)), (9, (1, 4, 8, 7))),
    "sums of three and more": plays((6, (1, 2, 3)), (9, (2, 2, 4, 1)), (10, (1, 2, 3, 4)), (13, (7, 2, 2, 1, 1))),
    "sums of six, seven and eight cards": plays(
        (8, (1, 2, 1, 1, 2, 1)),
        (9, (2, 2, 13, 1, 2, 1, 12, 1)),
        (10, (1, 1, 1, 1, 2, 2, 2)),
        (11, (1, 1, 2, 1, 1, 2, 3)),
        (12, (2, 1, 2, 1, 2, 1, 2, 1)),
        (13, (1, 1, 3, 1, 1, 2, 2, 2)),
    ),
    "sums of cards that lie apart": plays((8, (3, 12, 11, 5)), (11, (1, 13, 4, 12, 6))),
    "jack, queen and king in sums": plays(
        (12, (11, 1)), (13, (12, 1)), (13, (2, 11)), (11, (10, 1)), (10, (11, 12, 13))
    ),
    "rank and sums at once": plays((3, (1, 2, 3, 7)), (10, (10, 4, 6)), (13, (13, 12, 1, 10, 3))),
    "the played suit does not matter": (
        case(spades(5, 7), Card(HEART, 5)),
        case((Card(HEART, 2), Card(CLUB, 4)), Card(DIAMOND, 6)),
    ),
}

CHECKS = {
    "capture": Check(
        cases=_PLAYS,
        count=200,
        facets=_CAPTURING
        | {
            "a floor of more than ten cards": plays(
                (5, (*_HIGH_FLOOR, 13, 12, 11, 10, 5)),
                (9, (9, *_HIGH_FLOOR, 13, 12, 10, 4, 5)),
                (6, (*_HIGH_FLOOR, 8, 8, 9, 1, 3, 2)),
            ),
            "captures that could overlap": plays(
                (3, (1, 1, 1, 2)), (3, (1, 2, 2)), (5, (4, 1, 3, 2, 1)), (6, (5, 1, 4, 2, 3, 3))
            ),
            "as many as fit": plays(
                (3, (1, 2, 2, 1)), (4, (4, 1, 3, 2, 2, 4)), (6, (5, 1, 4, 2, 6, 3, 3)), (10, (9, 1, 8, 2, 7, 3))
            ),
        },
        accepts=accept_captures,
    ),
    "is_game_over": Check(
        cases=_SEEDS.map(_position),
        count=200,
        facets={
            "an empty hand": (case((), floor_of(1, 3), ()), case((), floor_of(*_HIGH_FLOOR), ()), case((), (), ())),
            "an empty hand, but cards in the deck": (
                case(clubs(9), floor_of(1, 3), ()),
                case(clubs(9, 8), (), ()),
                case(clubs(1, 2, 4, 5, 7), floor_of(*_HIGH_FLOOR[1:]), ()),
                case(clubs(9), floor_of(*_HIGH_FLOOR), ()),
            ),
            "deck and floor empty": (case((), (), clubs(2)), case((), (), clubs(1, 5, 13))),
            "deck or floor empty": (
                case((), floor_of(5, 5, 5), clubs(2)),
                case(clubs(9, 8), (), clubs(2, 3, 4, 5)),
                case((), floor_of(3, 4, 9, 10), clubs(2, 1)),
            ),
            "six cards, none of them captured": (
                case((), floor_of(*_SAMPLE_FLOOR), clubs(5, 2)),
                case(clubs(9, 8), floor_of(*_HIGH_FLOOR), clubs(1, 2, 3, 4)),
                case((), floor_of(*_HIGH_FLOOR), clubs(10)),
            ),
            "more than six cards, none of them captured": (
                case((), floor_of(*_HIGH_FLOOR, 11), clubs(1, 2, 10)),
                case(clubs(5), floor_of(*_HIGH_FLOOR, 13, 12), clubs(1, 2, 3, 4)),
            ),
            "six cards or more, a card captured": (
                case(clubs(9), floor_of(*_HIGH_FLOOR), clubs(1, 2, 3, 11)),
                case((), floor_of(*_HIGH_FLOOR), clubs(13, 1)),
                case((), floor_of(*_HIGH_FLOOR, 5), clubs(1, 5, 2)),
            ),
            "six cards or more, a sum captured": (
                case((), floor_of(*_SAMPLE_FLOOR), clubs(2, 4)),
                case(clubs(1, 2), floor_of(*_SAMPLE_FLOOR), clubs(12, 5, 8)),
                case((), floor_of(*_HIGH_FLOOR, 1, 2), clubs(3, 5, 6)),
            ),
            "fewer than six cards": (
                case((), floor_of(*_HIGH_FLOOR[1:]), clubs(1, 2, 3)),
                case(clubs(9, 8), floor_of(*_HIGH_FLOOR[:4]), clubs(1, 2, 3, 4)),
            ),
        },
    ),
    "produce_shuffled_deck": Check(
        cases=_SEEDS.map(lambda seed: case(chance=seed)),
        count=20,
        facets={
            "every order equally likely": Whole(tuple(case(chance=seed) for seed in range(1, SHUFFLES + 1)), unfair),
        },
        accepts=accept_deck,
    ),
    "sort": Check(
        facets={
            "no card, one card": (case(()), case((Card(HEART, 7),)), case(spades(13))),
            "two cards": (
                case(spades(1, 2)),
                case(spades(2, 1)),
                case((Card(HEART, 1), Card(SPADE, 13))),
                case((Card(SPADE, 13), Card(HEART, 1))),
            ),
            "already in order": (case(DECK[:7]), case(DECK[10:16]), case(DECK)),
            "backwards": (case(DECK[6::-1]), case(DECK[30:20:-1]), case(DECK[::-1])),
            "suits before ranks": tuple(case(cards[::-1]) for cards in (DECK[::13], DECK[5::12], DECK[12:40:9])),
            "one suit": tuple(case(tuple(Random(seed).sample(DECK[13:26], 13))) for seed in range(3)),
            "the whole deck": tuple(case(tuple(Random(seed).sample(DECK, SIZE))) for seed in range(3)),
        }
    ),
    "produce_all_captures": Check(
        cases=_PLAYS,
        count=120,
        facets=_CAPTURING
        | {
            "captures that overlap": plays(
                (3, (1, 1, 1, 2)), (3, (1, 2, 2)), (5, (4, 1, 3, 2, 1)), (6, (5, 1, 4, 2, 3, 3))
            ),
            "a floor of twelve cards": _large_floors(),
        },
        accepts=accept_all_captures,
    ),
}
