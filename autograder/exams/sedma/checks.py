"""Sedma: records of games with a chosen outcome, because random games are rarely worth two or three points."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import cast

from hypothesis import strategies as st

from autograder.exam.cases import Case, Check, by_seed, case
from course.sedma import *
from solutions.sedma import game_points, next_leader, replay, tally, trick_points

OUTCOMES: tuple[Winner, ...] = tuple((team, points) for team in Team for points in Points)


def shuffled_cards(cards: Cards, random: Random) -> Cards:
    return tuple(random.sample(cards, len(cards)))


def _may_win_trick(winner: Player, trick: Trick, outcome: Winner) -> bool:
    """Return whether a trick may go to `winner` in a game with this `outcome`."""
    team, points = outcome
    return team_of(winner) is team or points is ONE or (points is TWO and trick_points(trick) == 0)


def _attempted_record(outcome: Winner, random: Random) -> Record:
    """Deal random tricks that fit an outcome, one after another. If none fits, the record is too short."""
    left, leader, record = PIQUET_DECK, A, tuple[Card, ...]()
    for _ in range(8):
        tricks = (cast("Trick", tuple(random.sample(left, 4))) for _ in range(20))
        trick = next((trick for trick in tricks if _may_win_trick(next_leader(leader, trick), trick, outcome)), None)
        if trick is None:
            break
        left, leader, record = tuple(c for c in left if c not in trick), next_leader(leader, trick), record + trick
    return record


def record_with_outcome(outcome: Winner, seed: int, accepts: Callable[[Tally], bool] = lambda _: True) -> Record:
    """Return the record of a game with this outcome, whose tally passes the test `accepts`.

    The same seed gives the same record.
    """
    random = Random(f"{outcome} {seed}")
    while True:
        record = _attempted_record(outcome, random)
        if replay(record) == outcome and accepts(tally(record)):
            return record


@cache
def records_of(outcome: Winner) -> tuple[Record, ...]:
    return tuple(record_with_outcome(outcome, seed) for seed in range(12))


def close_games(loser: Score) -> tuple[Case, ...]:
    """Return games in which the loser has this score. Each of the two teams wins some of them."""

    def has_losing_score(scores: Tally) -> bool:
        return min(scores, key=lambda score: score.points) == loser

    outcomes = tuple((team, game_points(loser)) for team in Team)
    return tuple(case(record_with_outcome(outcome, seed, has_losing_score)) for outcome in outcomes for seed in (0, 1))


def games_won_with_fewer_tricks() -> tuple[Case, ...]:
    """Return games won by the team with fewer tricks."""
    ac = (record_with_outcome((AC, ONE), seed, lambda scores: scores[0].tricks < scores[1].tricks) for seed in (0, 1))
    bd = (record_with_outcome((BD, ONE), seed, lambda scores: scores[0].tricks > scores[1].tricks) for seed in (0, 1))
    return tuple(map(case, (*ac, *bd)))


def cards_of_ranks(*ranks: Rank) -> Cards:
    """Return distinct cards of these ranks."""
    return tuple(Card(tuple(Suit)[ranks[:index].count(rank)], rank) for index, rank in enumerate(ranks))


def records_that_begin_with(*tricks: tuple[Rank, Rank, Rank, Rank]) -> tuple[Case, ...]:
    """Return records that begin with tricks of these ranks. The other cards are shuffled."""
    start = cards_of_ranks(*(rank for trick in tricks for rank in trick))
    rest = tuple(card for card in PIQUET_DECK if card not in start)
    return tuple(case(start + shuffled_cards(rest, Random(seed))) for seed in range(12))


def with_suits_swapped(cards: Cards, one: Card, other: Card) -> Cards:
    """Return the cards with the suits of two cards swapped, so each rank and each suit is as frequent as before."""
    exchange = {one: Card(other.suit, one.rank), other: Card(one.suit, other.rank)}
    return tuple(exchange.get(card, card) for card in cards)


def trick_cases(*ranks: tuple[Rank, Rank, Rank, Rank]) -> tuple[Case, ...]:
    return tuple(case(cards_of_ranks(*trick)) for trick in ranks)


_SHUFFLED_RECORDS = st.integers(0, 2**32).map(lambda seed: shuffled_cards(PIQUET_DECK, Random(seed)))
_CONSTRUCTED_RECORDS = st.sampled_from(OUTCOMES).flatmap(lambda outcome: st.sampled_from(records_of(outcome)))
_RECORDS = st.one_of(_SHUFFLED_RECORDS, _CONSTRUCTED_RECORDS)
_DAMAGING_FUNCTIONS: tuple[Callable[[Record, Card, int], Cards], ...] = (
    lambda record, card, index: record[:index] + record[index + 1 :],
    lambda record, card, index: (*record[:index], card, *record[index:]),
    lambda record, card, index: tuple(card if here == record[index] else here for here in record),
    lambda record, card, index: record[: index // 4 * 4],
    lambda record, card, index: with_suits_swapped(record, card, record[index]),
)
_DAMAGED_RECORDS = st.builds(
    lambda damage, record, card, index: damage(record, card, index),
    st.sampled_from(_DAMAGING_FUNCTIONS),
    _SHUFFLED_RECORDS,
    st.sampled_from(PIQUET_DECK),
    st.integers(0, 31),
)
_FEW_RANKS = st.lists(st.sampled_from(tuple(Rank)), min_size=1, max_size=3).map(lambda ranks: (R7, *ranks))
_TRICKS = _FEW_RANKS.flatmap(
    lambda ranks: st.permutations([card for card in PIQUET_DECK if card.rank in ranks]).map(
        lambda some: tuple(some[:4])
    )
)

STRATEGIES = {
    "Cards": st.one_of(_RECORDS, _DAMAGED_RECORDS),
    "Record": _RECORDS,
    "Trick": _TRICKS,
    "Score": (Score(0, 0), *(Score(tricks, points) for tricks in range(1, 8) for points in range(0, 50, 10))),
}

_INVALID_RECORD_FACETS = {
    "an empty record": (case(()),),
    "a missing card": tuple(case(PIQUET_DECK[:n] + PIQUET_DECK[n + 1 :]) for n in (0, 13, 31))
    + tuple(case(SAMPLE_RECORD[:n]) for n in (1, 2, 3, 4)),
    "a card twice, another missing": (
        case((PIQUET_DECK[1], *PIQUET_DECK[1:])),
        case((*SAMPLE_RECORD[:31], SAMPLE_RECORD[0])),
        case(PIQUET_DECK[:16] * 2),
    ),
    "two cards missing, others in their place": (
        case(with_suits_swapped(PIQUET_DECK, Card(HEART, R7), Card(DIAMOND, R8))),
        case(with_suits_swapped(SAMPLE_RECORD, Card(CLUB, RA), Card(HEART, R10))),
        case(
            with_suits_swapped(
                with_suits_swapped(PIQUET_DECK, Card(HEART, R9), Card(SPADE, RK)), Card(DIAMOND, RA), Card(CLUB, RJ)
            )
        ),
        case((PIQUET_DECK[1], *PIQUET_DECK[1:-1], PIQUET_DECK[-2])),
        case((*PIQUET_DECK[:30], *PIQUET_DECK[:2])),
        case((*PIQUET_DECK[:9], PIQUET_DECK[10], PIQUET_DECK[10], PIQUET_DECK[10], *PIQUET_DECK[12:])),
    ),
    "a 33rd card": tuple(case((*SAMPLE_RECORD, card)) for card in (PIQUET_DECK[0], SAMPLE_RECORD[-1])),
    "too few or too many tricks": tuple(case((SAMPLE_RECORD * 2)[:n]) for n in (4, 28, 36, 64)),
}
_ALL_SEVENS = (R7, R7, R7, R7)


def scores_case(tricks: int, points: int, other_tricks: int, other_points: int) -> Case:
    """Return a case of two teams' scores: tricks and points of the first team, then of the other one."""
    return case((Score(tricks, points), Score(other_tricks, other_points)))


def random_scores_case(random: Random) -> Case:
    """Return a case of two teams' scores that are valid, or almost valid."""
    tricks, points = random.randint(0, 8), random.randrange(0, 100, 10)
    more, other = (random.choice((0, 0, 0, 0, step)) for step in (1, 10))
    return scores_case(tricks, points, 8 - tricks + more, 90 - points + other)


_REPLAY_CHECK = Check(
    cases=st.one_of(
        _SHUFFLED_RECORDS, _SHUFFLED_RECORDS, _SHUFFLED_RECORDS, _CONSTRUCTED_RECORDS, _DAMAGED_RECORDS
    ).map(case),
    count=120,
    facets={
        f"a game worth {points} to {team}": tuple(map(case, records_of((team, points)))) for team, points in OUTCOMES
    }
    | _INVALID_RECORD_FACETS
    | {
        "a seven led": records_that_begin_with((R7, RA, RA, R10), (R7, R10, RA, R10)),
        "all sevens in one trick": records_that_begin_with(_ALL_SEVENS, (RA, R10, RA, RK)),
        "the ten for the last trick decides": close_games(Score(4, 40)) + close_games(Score(3, 40)),
        "the loser has only the ten for the last trick": close_games(Score(1, 10)) + close_games(Score(2, 10)),
        "fewer tricks, more points": games_won_with_fewer_tricks(),
    },
)

CHECKS = {
    "is_valid_record": Check(
        facets=_INVALID_RECORD_FACETS
        | {
            "any order": tuple(case(shuffled_cards(PIQUET_DECK, Random(seed))) for seed in range(5))
            + (case(PIQUET_DECK[::-1]),)
        }
    ),
    "winning_place": Check(
        count=100,
        facets={
            "no other card fits": trick_cases((R8, R9, RJ, RQ), (RA, RK, RK, RK), (R9, R10, RA, RA)),
            "the last of several": trick_cases(
                (RK, RK, RK, R8), (R8, R8, RA, R8), (RJ, RJ, RJ, RJ), (R10, RA, R10, RA)
            ),
            "a seven takes the led rank": trick_cases(
                (RA, R7, RK, RQ),
                (R9, R7, R9, R8),
                (R9, R9, R7, R8),
                (R10, R7, R7, RJ),
                (RQ, RK, RJ, R7),
                (R8, R7, R7, R7),
            ),
            "a seven led is only a seven": trick_cases(
                (R7, R8, R8, R8), (R7, RA, R10, RA), (R7, RK, R7, RK), (R7, R7, RQ, RQ), (R7, R9, R9, R7)
            ),
            "all sevens": trick_cases(_ALL_SEVENS),
        },
    ),
    "trick_points": Check(
        facets={
            "aces": trick_cases((RA, R8, RA, R9), (RA, RA, RA, RA), (RK, RQ, RJ, RA)),
            "tens": trick_cases((R10, R8, R10, R9), (R10, R10, R10, R10), (RK, RQ, RJ, R10)),
            "worth nothing": trick_cases((RK, RQ, RJ, R9), (R7, R7, R8, R7)),
        }
    ),
    "next_leader": Check(
        count=100,
        facets={
            "round the table": tuple(
                case(player, cards_of_ranks(*ranks))
                for player in Player
                for ranks in ((RK, RQ, RQ, R7), (RK, RK, R7, R9), (RK, RK, R8, R9))
            ),
            "the leader again": tuple(case(player, cards_of_ranks(R9, R8, R8, RA)) for player in Player),
        },
    ),
    "tally": Check(
        facets={
            "A leads the first trick": records_that_begin_with((RA, R10, RK, RQ), (RA, R10, R8, R8)),
            "a seven led": records_that_begin_with((R7, R10, RA, RA), (RA, RQ, R7, R8)),
            "all sevens in one trick": records_that_begin_with(_ALL_SEVENS, (RA, R10, R10, RK)),
            "the ten for the last trick": close_games(Score(1, 10))
            + close_games(Score(3, 20))
            + close_games(Score(4, 40)),
        }
    ),
    "is_sound": Check(
        cases=by_seed(random_scores_case),
        count=200,
        facets={
            "every split of the points": tuple(
                scores_case(t, p, 8 - t, 90 - p) for t in range(1, 8) for p in range(0, 91, 10)
            ),
            "a team without a trick": tuple(
                scores_case(*scores) for p in range(0, 91, 10) for scores in ((0, p, 8, 90 - p), (8, 90 - p, 0, p))
            ),
            "too few tricks, or too many": tuple(
                scores_case(t, 40, other, 50) for t in (1, 4, 8) for other in (1, 3, 5, 8)
            ),
            "too few points, or too many": tuple(
                scores_case(3, p, 5, other) for p in (0, 10, 90) for other in (0, 70, 80, 90)
            ),
            "points that are not multiples of 10": tuple(
                scores_case(3, p, 5, 90 - p) for p in (1, 5, 15, 42, 45, 85, 89)
            ),
            "below zero": (
                *(scores_case(3, p, 5, 90 - p) for p in (-10, -20, 100, 110)),
                *(scores_case(t, 0, 8 - t, 90) for t in (-1, -2)),
                *(scores_case(8 - t, 90, t, 0) for t in (-1, -2)),
                *(scores_case(t, 40, 8 - t, 50) for t in (-1, -8, 9, 16)),
            ),
        },
    ),
    "replay": _REPLAY_CHECK,
    "replay_at_once": _REPLAY_CHECK,
}
