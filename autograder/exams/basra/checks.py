"""Basra: inputs, and relations that accept all right captures."""

from __future__ import annotations

from itertools import accumulate, chain, pairwise
from random import Random
from typing import TypeAlias

from hypothesis import strategies as st

from autograder.exam.cases import Case, Check, Joint, Observation, case
from course.basra import *
from course.basra.joint import SHUFFLES, SIZE, numbers, unfair
from solutions.basra import capture, is_game_over, produce_all_captures

DECK = produce_unshuffled_deck()

Table: TypeAlias = tuple[Deck, Floor, Hand, Scored]
"""the four parts of a table: deck, floor, hand and scored pile"""


def accept_deck(_case: Case, expected: Observation, got: Observation) -> str | None:
    """Accept any permutation of the deck. Examples in the statement return booleans, and must return exactly these."""
    if numbers(expected.value) is None:
        return f"expected {expected.value!r}"
    return None if numbers(got.value) else "expected the 52 cards of the deck, each once, in any order"


def accept_captures(case: Case, expected: Observation, got: Observation) -> str | None:
    """Accept captures that do not overlap, if no further capture is possible after them."""
    if not case.args:
        return f"expected {expected.value!r}"
    floor, card = case.args
    if reason := _capture_problem(floor, card, got.value):
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
    if reason := _capture_problem(floor, card, got.value):
        return reason
    captures = set(map(frozenset, got.value))
    if len(captures) < len(got.value):
        return "a capture is there twice"
    missing = next((capture for capture in expected.value if frozenset(capture) not in captures), None)
    return None if missing is None else f"{missing} is missing"


def _capture_problem(floor: Floor, card: Card, value: object) -> str | None:
    """Return why a value is not a tuple of captures, or None if it is one. The captures need not be complete."""
    if type(value) is not tuple or not all(type(capture) is tuple for capture in value):
        return "expected a tuple of captures, each of them a tuple of cards"
    for cards in value:
        if not cards:
            return "a capture cannot be empty"
        if not all(type(each) is Card and each in floor for each in cards):
            return f"not all cards of {cards} are on the floor"
        if len(set(cards)) < len(cards):
            return f"{cards} contains a card twice"
        if (total := sum(each.rank for each in cards)) != card.rank:
            return f"the ranks of {cards} add up to {total}, not to {card.rank}"
    return None


def spades(*ranks: int) -> Cards:
    return tuple(Card(SPADE, rank) for rank in ranks)


def floor_of_ranks(*ranks: int) -> Floor:
    """Return distinct cards of these ranks. Only the fourth card of a rank is a club."""
    suits = (SPADE, HEART, DIAMOND, CLUB)
    return tuple(Card(suits[ranks[:index].count(rank)], rank) for index, rank in enumerate(ranks))


def club(rank: int) -> Card:
    return Card(CLUB, rank)


def clubs(*ranks: int) -> Hand:
    return tuple(map(club, ranks))


def play_cases(*games: tuple[int, tuple[int, ...]]) -> tuple[Case, ...]:
    """Return a case for each pair of ranks: a club of the first rank is played on a floor with the other ranks."""
    return tuple(case(floor_of_ranks(*floor), club(rank)) for rank, floor in games)


def _plays_with_ranks(ranks: tuple[int, ...]) -> st.SearchStrategy[Case]:
    """Return plays with cards of only these ranks. Captures are neither rare nor certain."""
    cards = [card for card in DECK if card.rank in ranks]
    some = st.lists(st.sampled_from(cards), unique=True, min_size=1, max_size=9)
    return some.map(lambda cards: case(tuple(cards[1:]), cards[0]))


def _late_position_case(seed: int) -> Case:
    """Return deck, floor and hand near the end of a game. In half of the cases, the hand has low cards, which capture
    little.
    """
    random = Random(seed)
    disorder = random.choice((1, 100))
    cards = tuple(sorted(random.sample(DECK, 20), key=lambda card: card.rank + disorder * random.random()))
    hand, floor, deck = (
        random.choice((0, 1, 3, 4, 4, 4)),
        random.choice((0, 1, 4, 5, 6, 6, 6, 6, 7, 8)),
        random.choice((0, 0, 3)),
    )
    return case(cards[12 : 12 + deck], cards[4 : 4 + floor], cards[:hand])


def refilled_table(deck: Deck, floor: Floor, hand: Hand, scored: Scored) -> Table:
    """Return a table after cards were dealt from the deck, so that the floor and the hand are full again."""
    left, held = deal_to_hand(deck, hand)
    return *deal_to_floor(left, floor), held, scored


def table_after_round(table: Table, _number: int) -> Table:
    """Return a table after one more card was played: the card that captures most."""
    deck, floor, hand, scored = table
    if is_game_over(deck, floor, hand):
        return table
    card = max(hand, key=lambda each: len(capture(floor, each)))
    taken = tuple(chain.from_iterable(capture(floor, card)))
    rest = remove_cards(hand, (card,))
    if not taken:
        return refilled_table(deck, (*floor, card), rest, scored)
    return refilled_table(deck, remove_cards(floor, taken), rest, (*scored, *taken, card))


def tables_of_game(seed: int) -> tuple[Table, ...]:
    """Return all tables of a game, beginning with the deal."""
    mixed = tuple(Random(seed).sample(DECK, SIZE))
    return tuple(accumulate(range(SIZE), table_after_round, initial=refilled_table(mixed, (), (), ())))


def random_table(cards: Cards, random: Random) -> Table:
    """Return a table with these cards, distributed at random."""
    mixed = tuple(random.sample(cards, len(cards)))
    cuts = [0, *sorted(random.choices(range(len(mixed) + 1), k=3)), len(mixed)]
    deck, floor, hand, scored = (mixed[start:end] for start, end in pairwise(cuts))
    return deck, floor, hand, scored


def deck_with_exchange(old: Card, new: Card) -> Cards:
    """Return the 52 cards, with the card `old` replaced by the card `new`."""
    index = DECK.index(old)
    return (*DECK[:index], new, *DECK[index + 1 :])


def _table_case(random: Random) -> Case:
    """Return a table that is valid in half of the cases. Otherwise a card is missing, duplicated, or replaced."""
    one, other = random.sample(DECK, 2)
    damaged = remove_cards(DECK, (one,)), (*DECK, one), deck_with_exchange(one, other)
    return case(*random_table(random.choice((DECK, DECK, DECK, *damaged)), random))


def _random_table_cases(*positions: Cards) -> tuple[Case, ...]:
    """Return three random tables for each of these sets of cards."""
    return tuple(case(*random_table(cards, Random(seed))) for cards in positions for seed in range(3))


def _one_part_cases(cards: Cards) -> tuple[Case, ...]:
    """Return the four tables on which all cards are in the same place."""
    return tuple(case(*(cards if here == there else () for here in range(4))) for there in range(4))


_SEEDS = st.integers(1, 2**32)
_LOW, _SOME, _ALL = (1, 2, 3, 4, 5), (1, 2, 3, 5, 8, 11, 12, 13), tuple(range(1, 14))
_RANDOM_PLAYS = st.sampled_from((_LOW, _SOME, _ALL)).flatmap(_plays_with_ranks)
_HIGH_RANKS = (13, 13, 12, 12, 11, 11)
_SAMPLE_RANKS = (1, 3, 6, 13, 9, 11)

STRATEGIES = {"Cards": st.lists(st.sampled_from(DECK), unique=True, max_size=24).map(tuple)}

_SCORED_CARDS = DECK[8:12]

_CAPTURE_FACETS: dict[str, tuple[Case, ...]] = {
    "an empty floor": play_cases((3, ()), (13, ())),
    "nothing to capture": play_cases(
        (2, (5, 3, 11, 1)), (1, (2, 3, 4)), (7, (8, 9, 10)), (13, (1, 2, 3)), (5, (3, 3, 4, 4))
    ),
    "cards of the same rank": play_cases((5, (5,)), (4, (9, 4, 8)), (9, (9, 9, 9)), (12, (12, 13, 12))),
    "sums of two": play_cases((3, (1, 2)), (10, (3, 9, 7)), (9, (1, 4, 8, 7))),
    "sums of three and more": play_cases(
        (6, (1, 2, 3)), (9, (2, 2, 4, 1)), (10, (6, 3, 2, 2)), (10, (1, 2, 3, 4)), (13, (7, 2, 2, 1, 1))
    ),
    "sums of six, seven and eight cards": play_cases(
        (8, (1, 2, 1, 1, 2, 1)),
        (9, (2, 2, 13, 1, 2, 1, 12, 1)),
        (10, (1, 1, 1, 1, 2, 2, 2)),
        (11, (1, 1, 2, 1, 1, 2, 3)),
        (12, (2, 1, 2, 1, 2, 1, 2, 1)),
        (13, (1, 1, 3, 1, 1, 2, 2, 2)),
    ),
    "sums of cards that are not neighbours": play_cases((8, (3, 12, 11, 5)), (11, (1, 13, 4, 12, 6))),
    "jack, queen and king in sums": play_cases(
        (12, (11, 1)), (13, (12, 1)), (13, (2, 11)), (11, (10, 1)), (10, (11, 12, 13))
    ),
    "rank and sums at once": play_cases((3, (1, 2, 3, 7)), (10, (10, 4, 6)), (13, (13, 12, 1, 10, 3))),
    "the played suit does not matter": (
        case(spades(5, 7), Card(HEART, 5)),
        case((Card(HEART, 2), Card(CLUB, 4)), Card(DIAMOND, 6)),
    ),
}

# `capture` is right if no captures overlap. Each facet of the bonus has overlapping captures, so that `capture` fails
# it.
_OVERLAP_FACETS = {
    "no capture, and several": (
        *_CAPTURE_FACETS["an empty floor"],
        *_CAPTURE_FACETS["nothing to capture"],
        *play_cases((6, (5, 1, 1)), (7, (8, 6, 5, 1, 1))),
    ),
    "cards of the same rank": play_cases((4, (4, 4, 1, 3, 3))),
    "sums of two": play_cases((3, (1, 2, 2)), (5, (1, 4, 4, 9))),
    "sums of three and more": play_cases((5, (1, 2, 2, 3)), (9, (2, 2, 4, 1, 3))),
    "sums of six, seven and eight cards": play_cases((8, (1, 2, 1, 1, 2, 1, 2)), (10, (1, 1, 1, 1, 2, 2, 2, 2))),
    "sums of cards that are not neighbours": play_cases((8, (3, 12, 5, 11, 5)), (11, (1, 13, 4, 12, 6, 6))),
    "jack, queen and king in sums": play_cases((12, (11, 1, 1)), (13, (2, 11, 2))),
    "rank and sums at once": play_cases((3, (1, 2, 3, 2)), (10, (10, 4, 6, 4))),
    "the played suit does not matter": (case(spades(1, 3, 2, 5), Card(CLUB, 6)),),
}

CHECKS = {
    "is_sound": Check(
        cases=_SEEDS.map(lambda seed: _table_case(Random(seed))),
        count=60,
        facets={
            "tables of a game": tuple(case(*table) for table in dict.fromkeys(tables_of_game(3))),
            "all the cards, wherever they are": _random_table_cases(DECK)
            + _one_part_cases(DECK)
            + _one_part_cases(DECK[::-1]),
            "a card missing": _random_table_cases(DECK[1:], DECK[:-1], remove_cards(DECK, (Card(HEART, 7),)))
            + _one_part_cases(DECK[1:]),
            "no cards": (case((), (), (), ()),),
            "a card twice in one place": (
                case(DECK[8:] + DECK[-1:], DECK[:4], DECK[4:8], ()),
                case(DECK[12:], DECK[:4] + DECK[:1], DECK[4:8], _SCORED_CARDS),
                case(DECK[12:], DECK[:4], DECK[4:8] + DECK[4:5], _SCORED_CARDS),
                case(DECK[12:], DECK[:4], DECK[4:8], _SCORED_CARDS + _SCORED_CARDS[:1]),
                *_one_part_cases(DECK * 2),
            ),
            "a card in two places": (
                case(DECK[11:], DECK[:4], DECK[4:8], _SCORED_CARDS),
                case(DECK[12:], DECK[:5], DECK[4:8], _SCORED_CARDS),
                case(DECK[12:], DECK[:4], DECK[4:9], _SCORED_CARDS),
                case(DECK[12:], DECK[:4], DECK[4:8], DECK[7:12]),
                case(DECK, DECK, DECK, DECK),
            ),
            "a card replaced by another": (
                case(DECK[12:], DECK[:4], DECK[4:8], DECK[7:11]),
                case(DECK[12:], DECK[:4], DECK[5:8] + DECK[5:6], _SCORED_CARDS),
                *_random_table_cases(
                    deck_with_exchange(Card(SPADE, 5), Card(SPADE, 6)),
                    deck_with_exchange(Card(CLUB, 13), Card(HEART, 13)),
                ),
                *_random_table_cases(remove_cards(DECK, spades(5) + clubs(9)) + spades(9) + clubs(5)),
            ),
            "cards that are not in the game": _random_table_cases(
                (*DECK, Card(SPADE, 14)), deck_with_exchange(Card(SPADE, 1), Card(SPADE, 0))
            ),
        },
    ),
    "capture": Check(
        cases=_RANDOM_PLAYS,
        texts={"sums of cards that are not neighbours": "sums of cards that are not neighbors"},
        count=200,
        facets=_CAPTURE_FACETS
        | {
            "a floor of more than ten cards": play_cases(
                (5, (*_HIGH_RANKS, 13, 12, 11, 10, 5)),
                (9, (9, *_HIGH_RANKS, 13, 12, 10, 4, 5)),
                (6, (*_HIGH_RANKS, 8, 8, 9, 1, 3, 2)),
            ),
            "captures that could overlap": play_cases(
                (3, (1, 1, 1, 2)), (3, (1, 2, 2)), (5, (4, 1, 3, 2, 1)), (6, (5, 1, 4, 2, 3, 3))
            ),
            "until no card is left": play_cases(
                (3, (1, 2, 2, 1)), (4, (4, 1, 3, 2, 2, 4)), (6, (5, 1, 4, 2, 6, 3, 3)), (10, (9, 1, 8, 2, 7, 3))
            ),
        },
        accepts=accept_captures,
    ),
    "is_game_over": Check(
        cases=_SEEDS.map(_late_position_case),
        count=200,
        facets={
            "an empty hand": (
                case((), floor_of_ranks(1, 3), ()),
                case((), floor_of_ranks(*_HIGH_RANKS), ()),
                case((), (), ()),
            ),
            "an empty hand, but cards in the deck": (
                case(clubs(9), floor_of_ranks(1, 3), ()),
                case(clubs(9, 8), (), ()),
                case(clubs(1, 2, 4, 5, 7), floor_of_ranks(*_HIGH_RANKS[1:]), ()),
                case(clubs(9), floor_of_ranks(*_HIGH_RANKS), ()),
            ),
            "deck and floor empty": (case((), (), clubs(2)), case((), (), clubs(1, 5, 13))),
            "deck or floor empty": (
                case((), floor_of_ranks(5, 5, 5), clubs(2)),
                case(clubs(9, 8), (), clubs(2, 3, 4, 5)),
                case((), floor_of_ranks(3, 4, 9, 10), clubs(2, 1)),
            ),
            "six cards, none of them captured": (
                case((), floor_of_ranks(*_SAMPLE_RANKS), clubs(5, 2)),
                case(clubs(9, 8), floor_of_ranks(*_HIGH_RANKS), clubs(1, 2, 3, 4)),
                case((), floor_of_ranks(*_HIGH_RANKS), clubs(10)),
            ),
            "more than six cards, none of them captured": (
                case((), floor_of_ranks(*_HIGH_RANKS, 11), clubs(1, 2, 10)),
                case(clubs(5), floor_of_ranks(*_HIGH_RANKS, 13, 12), clubs(1, 2, 3, 4)),
            ),
            "six cards or more, a card captured": (
                case(clubs(9), floor_of_ranks(*_HIGH_RANKS), clubs(1, 2, 3, 11)),
                case((), floor_of_ranks(*_HIGH_RANKS), clubs(13, 1)),
                case((), floor_of_ranks(*_HIGH_RANKS, 5), clubs(1, 5, 2)),
            ),
            "six cards or more, a sum captured": (
                case((), floor_of_ranks(*_SAMPLE_RANKS), clubs(2, 4)),
                case(clubs(1, 2), floor_of_ranks(*_SAMPLE_RANKS), clubs(12, 5, 8)),
                case((), floor_of_ranks(*_HIGH_RANKS, 1, 2), clubs(3, 5, 6)),
            ),
            "six cards or more, a sum of many captured": tuple(
                case(clubs(13), floor_of_ranks(*floor), clubs(rank))
                for rank, floor in (
                    (6, (1, 1, 2, 2, 12, 12)),
                    (7, (1, 1, 1, 2, 2, 13)),
                    (9, (2, 1, 2, 1, 2, 1)),
                    (10, (1, 2, 1, 2, 1, 2, 1)),
                )
            ),
            "fewer than six cards": (
                case((), floor_of_ranks(*_HIGH_RANKS[1:]), clubs(1, 2, 3)),
                case(clubs(9, 8), floor_of_ranks(*_HIGH_RANKS[:4]), clubs(1, 2, 3, 4)),
            ),
        },
    ),
    "produce_shuffled_deck": Check(
        cases=_SEEDS.map(lambda seed: case(chance=seed)),
        count=20,
        facets={
            "every order equally likely": Joint(tuple(case(chance=seed) for seed in range(1, SHUFFLES + 1)), unfair),
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
        cases=_RANDOM_PLAYS,
        texts={"sums of cards that are not neighbours": "sums of cards that are not neighbors"},
        count=120,
        facets={name: _CAPTURE_FACETS.get(name, ()) + cases for name, cases in _OVERLAP_FACETS.items()}
        | {
            "captures that overlap": play_cases(
                (3, (1, 1, 1, 2)), (3, (1, 2, 2)), (5, (4, 1, 3, 2, 1)), (6, (5, 1, 4, 2, 3, 3))
            ),
            "a floor of twelve cards": tuple(
                case(tuple(Random(seed).sample(tuple(card for card in DECK if card.rank < 8), 12)), club(13))
                for seed in range(3)
            ),
        },
        accepts=accept_all_captures,
    ),
}
