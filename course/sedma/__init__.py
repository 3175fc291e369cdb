"""Sedma, the game of seven: the cards, the players, and the scores."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import TypeAlias

from course.functional import compose, curry, fold_left, fold_right, identity, recur, tail_recursive
from course.values import Named, value


class Suit(Named):
    """The four suits. In Sedma, suits only distinguish cards of the same rank."""

    HEART, DIAMOND, SPADE, CLUB = range(4)


class Rank(Named):
    """The eight ranks of a piquet deck: seven to ten, jack, queen, king, ace."""

    R7, R8, R9, R10, RJ, RQ, RK, RA = range(8)


class Player(Named):
    """The four players, clockwise."""

    A, B, C, D = range(4)


class Team(Named):
    """The two teams; partners sit across from each other."""

    AC, BD = range(2)


class Points(Named):
    """The points that the winning team can get for a game."""

    ONE, TWO, THREE = range(1, 4)


HEART, DIAMOND, SPADE, CLUB = Suit
R7, R8, R9, R10, RJ, RQ, RK, RA = Rank
A, B, C, D = Player
AC, BD = Team
ONE, TWO, THREE = Points


@value
class Card:
    """A card, such as `Card(HEART, R7)`, the seven of hearts."""

    suit: Suit
    rank: Rank


@value
class Score:
    """A team's result: the number of tricks, and the card points, including ten points for the last trick."""

    tricks: int
    points: int


Cards: TypeAlias = tuple[Card, ...]
"""any number of cards, whether they are a valid game or not"""
Record: TypeAlias = tuple[Card, ...]
"""the 32 cards of a game in the order in which they were played"""
Trick: TypeAlias = tuple[Card, Card, Card, Card]
"""the four cards of one trick, the leader's first"""
Tally: TypeAlias = tuple[Score, Score]
"""the scores at the end: of AC, then of BD"""
Winner: TypeAlias = tuple[Team, Points]
"""the team that has won, and what the game is worth"""

PIQUET_DECK: Cards = tuple(Card(suit, rank) for suit in Suit for rank in Rank)

_RANKS_DOWNWARDS = (RA, RK, RQ, RJ, R10, R9, R7, R8)
SAMPLE_RECORD: Record = (
    *(Card(CLUB, rank) for rank in _RANKS_DOWNWARDS),
    *(Card(SPADE, rank) for rank in _RANKS_DOWNWARDS),
    *(Card(DIAMOND, rank) for rank in (RA, RK, RQ, RJ, R7, R9, R8, R10)),
    *(Card(HEART, rank) for rank in (RJ, RK, RQ, RA, R7, R9, R8, R10)),
)

_PLAYERS = tuple(Player)
_TEAMS = {A: AC, B: BD, C: AC, D: BD}


def seats_on(player: Player, seats: int) -> Player:
    """Return the player who is `seats` seats clockwise from `player`.

    >>> seats_on(C, 3)
    B
    """
    return _PLAYERS[(_PLAYERS.index(player) + seats) % 4]


def team_of(player: Player) -> Team:
    """Return the team that `player` belongs to.

    >>> team_of(D)
    BD
    """
    return _TEAMS[player]


def tricks_of(record: Record) -> tuple[Trick, ...]:
    """Split `record` into tricks of four cards, and return them in the order in which they were played.

    >>> tricks_of(PIQUET_DECK)[1]
    (Card(HEART, RJ), Card(HEART, RQ), Card(HEART, RK), Card(HEART, RA))
    """
    fours = iter(record)
    return tuple(zip(fours, fours, fours, fours, strict=True))


__all__ = [
    "AC",
    "BD",
    "CLUB",
    "DIAMOND",
    "HEART",
    "ONE",
    "PIQUET_DECK",
    "R7",
    "R8",
    "R9",
    "R10",
    "RA",
    "RJ",
    "RK",
    "RQ",
    "SAMPLE_RECORD",
    "SPADE",
    "THREE",
    "TWO",
    "A",
    "B",
    "C",
    "Callable",
    "Card",
    "Cards",
    "D",
    "Player",
    "Points",
    "Rank",
    "Record",
    "Score",
    "Suit",
    "Tally",
    "Team",
    "Trick",
    "Winner",
    "accumulate",
    "compose",
    "curry",
    "fold_left",
    "fold_right",
    "identity",
    "recur",
    "seats_on",
    "tail_recursive",
    "team_of",
    "tricks_of",
]
