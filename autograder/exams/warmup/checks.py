"""Warm-up: hands from a deck with two jokers, in which cards that cost points are frequent."""

from __future__ import annotations

from hypothesis import strategies as st

from autograder.exam.cases import Case, Check, case
from course.warmup import *

NUMBER_CARDS = tuple(Number(n, suit) for suit in Suit for n in range(1, 11))
FACE_CARDS = tuple(Face(court, suit) for suit in Suit for court in Court)
CARDS: Pack = (*NUMBER_CARDS, *FACE_CARDS, Joker())
FULL_PACK: Pack = (*CARDS, Joker())
COSTLY_CARDS = (
    Joker(),
    Joker(),
    Face(QUEEN, SPADES),
    *(Face(court, HEARTS) for court in Court),
    *NUMBER_CARDS[20:30:3],
)
PENALTY_RULES = (one_each, face_value, five_a_spade, fifty_a_joker)

_CARD_INDEXES = st.integers(0, len(FULL_PACK) - 1) | st.sampled_from(
    [FULL_PACK.index(card) for card in COSTLY_CARDS] + [53]
)


def _some_cards(least: int = 0, most: int = 10) -> st.SearchStrategy[tuple[Card, ...]]:
    indexes = st.lists(_CARD_INDEXES, min_size=least, max_size=most, unique=True)
    return indexes.map(lambda picked: tuple(FULL_PACK[index] for index in picked))


_ONE_SUIT_CARDS = st.sampled_from(tuple(Suit)).flatmap(
    lambda suit: st.permutations(
        [*NUMBER_CARDS[suit.value * 10 :][:10], Joker(), Joker(), Face(KING, suit), *COSTLY_CARDS[-2:]]
    )
)
_TRICKS = _some_cards(1, 6) | st.tuples(_ONE_SUIT_CARDS, st.integers(1, 6)).map(
    lambda drawn: tuple(drawn[0][: drawn[1]])
)
_HANDS = _some_cards()

STRATEGIES = {
    "Card": CARDS,
    "Hand": _HANDS,
    "Pack": _some_cards(0, 14),
    "PackSize": tuple(range(4, 161, 2)),
    "Player": st.builds(Player, st.sampled_from(("Ann", "Bob", "Cleo")), _some_cards(0, 4), st.integers(0, 60)),
    "Rules": st.lists(st.sampled_from(PENALTY_RULES), min_size=1, max_size=4, unique=True).map(tuple),
    "Trick": _TRICKS,
}

ACE, TWO, SEVEN, NINE = (Number(n, CLUBS) for n in (1, 2, 7, 9))
KING_OF_CLUBS, KING_OF_HEARTS = Face(KING, CLUBS), Face(KING, HEARTS)
QUEEN_OF_SPADES = Face(QUEEN, SPADES)
FREE_CARDS = (SEVEN, Face(JACK, DIAMONDS), Number(10, SPADES), Face(KING, SPADES), Face(QUEEN, CLUBS))


def cases_of(*some: Card | tuple[Card, ...]) -> tuple[Case, ...]:
    """Return a case for each of these cards, or for each of these hands."""
    return tuple(map(case, some))


def charge_cases(
    *tricks: tuple[Card, ...], hand: tuple[Card, ...] = (TWO, Joker()), score: int = 5
) -> tuple[Case, ...]:
    return tuple(case(Player("Ann", hand, score), trick) for trick in tricks)


_EQUAL_PENALTY_CASES = cases_of(
    (Joker(), Joker()),
    (KING_OF_HEARTS, Face(JACK, HEARTS), Number(10, HEARTS)),
    (Joker(), TWO, Number(4, HEARTS), Joker()),
)
_FREE_CASES = cases_of((), (SEVEN,), FREE_CARDS)

CHECKS = {
    "swap_ends": Check(
        facets={
            "no card": cases_of(()),
            "one card": cases_of((Joker(),), (ACE,), (KING_OF_HEARTS,)),
            "two cards": cases_of((ACE, Joker()), (Joker(), SEVEN)),
            "three cards": cases_of((ACE, TWO, SEVEN), (Joker(), TWO, NINE)),
            "equal cards at both ends": cases_of((Joker(), ACE, TWO, Joker())),
        }
    ),
    "penalty": Check(
        facets={
            "a joker": cases_of(Joker()),
            "the queens": cases_of(*(Face(QUEEN, suit) for suit in Suit)),
            "the spades": cases_of(Face(JACK, SPADES), Face(KING, SPADES), Number(1, SPADES), Number(10, SPADES)),
            "the faces of hearts": cases_of(*(Face(court, HEARTS) for court in Court)),
            "the numbers of hearts": cases_of(*NUMBER_CARDS[20:30]),
        }
    ),
    "riffle": Check(
        facets={
            "nothing on the left": (case((), (ACE, TWO)), case((), (Joker(),))),
            "nothing on the right": (case((ACE, TWO, SEVEN), ()), case((Joker(),), ())),
            "nothing at all": (case((), ()),),
            "more on the left": (case((ACE, TWO, SEVEN, NINE), (Joker(),)), case(NUMBER_CARDS[:6], FACE_CARDS[:3])),
            "more on the right": (case((Joker(),), (ACE, TWO, SEVEN, NINE)), case(FACE_CARDS[:3], NUMBER_CARDS[:6])),
            "the halves of a pack": (case(FULL_PACK[:27], FULL_PACK[27:]), case(FULL_PACK[27:53], FULL_PACK[:26])),
        }
    ),
    "riffles_to_restore": Check(
        facets={
            "the smallest packs": (case(4), case(6), case(8)),
            "a pack whose size is a power of two": tuple(case(2**n) for n in range(2, 13)),
            "more riffles than nested calls": tuple(map(case, (2038, 10_038, 10_068, 10_070, 30_012))),
        }
    ),
    "penalties": Check(
        facets={
            "nothing to pay": _FREE_CASES,
            "equal penalties": _EQUAL_PENALTY_CASES,
            "the order of the cards": cases_of(
                (Joker(), Number(1, HEARTS)), (Number(1, HEARTS), SEVEN, QUEEN_OF_SPADES, Joker())
            ),
        }
    ),
    "winning_card": Check(
        count=100,
        facets={
            "only one card": cases_of((ACE,), (Joker(),), (KING_OF_HEARTS,)),
            "another suit does not win": cases_of((ACE, KING_OF_HEARTS), (TWO, Number(9, SPADES), KING_OF_HEARTS, ACE)),
            "a face is above a number": cases_of((SEVEN, KING_OF_CLUBS, NINE), (Number(10, CLUBS), Face(JACK, CLUBS))),
            "the order of the faces": cases_of((Face(QUEEN, CLUBS), KING_OF_CLUBS, Face(JACK, CLUBS))),
            "the ace is the lowest": cases_of((TWO, ACE), (ACE, TWO), (Face(JACK, CLUBS), ACE, TWO)),
            "a joker wins": cases_of(
                (ACE, Joker(), KING_OF_CLUBS), (NINE, KING_OF_CLUBS, Joker()), (Joker(), KING_OF_CLUBS)
            ),
            "several cards of another suit in a row": cases_of(
                (NINE, Number(2, HEARTS), Number(8, HEARTS), KING_OF_HEARTS)
            ),
            "the leader is beaten late": cases_of((ACE, Number(2, HEARTS), Number(3, HEARTS), TWO)),
        },
    ),
    "pile_up": Check(
        facets={
            "no card": cases_of(()),
            "one card": cases_of((Joker(),), (ACE,)),
            "the first on top": cases_of((ACE, TWO), (TWO, ACE), (Joker(), ACE, KING_OF_HEARTS)),
            "a high pile": cases_of(FULL_PACK[:40], FULL_PACK[14:]),
        }
    ),
    "kindest_rule": Check(
        facets={
            "no card": (case((), PENALTY_RULES), case((), PENALTY_RULES[::-1])),
            "only one rule": tuple(case(FREE_CARDS, (rule,)) for rule in PENALTY_RULES),
            "a tie": (
                case((ACE,), (face_value, one_each)),
                case((ACE,), (one_each, face_value)),
                case((SEVEN, NINE), (face_value, fifty_a_joker, one_each, five_a_spade)),
                case((SEVEN, NINE), (face_value, five_a_spade, one_each, fifty_a_joker)),
            ),
            "the total counts, not a single card": (
                case((Number(9, SPADES), Number(8, SPADES), ACE), (face_value, five_a_spade)),
                case((*NUMBER_CARDS[:9], Number(2, SPADES)), (one_each, five_a_spade)),
                case((ACE, TWO, KING_OF_CLUBS), (face_value, one_each)),
            ),
        }
    ),
    "goes_with": Check(
        facets={
            "a joker fits every suit": tuple(case(suit, Joker()) for suit in Suit),
            "a number of another suit": tuple(case(suit, Number(7, HEARTS)) for suit in Suit),
            "a face of another suit": tuple(case(suit, KING_OF_CLUBS) for suit in Suit),
        }
    ),
    "total_penalty": Check(
        cases=_HANDS.map(case),
        facets={
            "nothing to pay": _FREE_CASES,
            "equal penalties": _EQUAL_PENALTY_CASES,
            "a whole pack": cases_of(FULL_PACK),
        },
    ),
    "least_penalty": Check(
        count=100,
        facets={
            "no card": tuple(case(suit, ()) for suit in Suit),
            "no card that fits": (case(CLUBS, (KING_OF_HEARTS,)), case(SPADES, (KING_OF_HEARTS, *FREE_CARDS[:2]))),
            "the smallest is 0": (case(CLUBS, (SEVEN, Joker())), case(SPADES, (QUEEN_OF_SPADES, Number(2, SPADES)))),
            "a cheaper card that does not fit": (
                case(SPADES, (SEVEN, QUEEN_OF_SPADES)),
                case(HEARTS, (SEVEN, *COSTLY_CARDS[:4])),
            ),
            "only a joker fits": tuple(case(suit, (Joker(), Joker())) for suit in Suit),
            "the smallest is not the first": (
                case(HEARTS, (Joker(), KING_OF_HEARTS, Number(2, HEARTS), Number(4, HEARTS))),
            ),
        },
    ),
    "charge": Check(
        facets={
            "nothing to pay": charge_cases((), (SEVEN,), FREE_CARDS) + charge_cases((SEVEN,), score=0),
            "equal penalties": charge_cases((Joker(), Joker()), (KING_OF_HEARTS, Face(JACK, HEARTS), SEVEN)),
            "an empty hand": charge_cases((Joker(), SEVEN), (QUEEN_OF_SPADES,), hand=()),
            "the first penalty": charge_cases((QUEEN_OF_SPADES,), (Joker(),), score=0),
            "cards in the hand cost nothing": charge_cases((TWO, SEVEN), hand=(Joker(), QUEEN_OF_SPADES)),
        }
    ),
}
