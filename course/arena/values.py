"""Values for bots and the arena: cards, a bot's view, the results of sets and games, seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import NamedTuple, TypeAlias

from course.values import Named, value

__all__ = [
    "BLUE", "COLORS", "DECK", "DRAW_TWO", "GREEN", "RED", "REVERSE", "ROLLS", "SKIP", "TARGET", "WILD",
    "WILD_DRAW_FOUR", "YELLOW", "Bot", "Card", "Color", "Fault", "Foul", "Game", "Hand", "Seeds", "SetResult", "View",
    "game_seeds", "is_action", "is_wild", "points", "seeds_from",
]  # fmt: skip

Seeds: TypeAlias = tuple[int, ...]
"""seeds of random numbers: the same seed gives the same game"""
TARGET, ROLLS = 500, 27720


class Color(Named):
    """The four colors, in the order that breaks a tie between them."""

    RED = 0
    BLUE = 1
    GREEN = 2
    YELLOW = 3


COLORS = RED, BLUE, GREEN, YELLOW = tuple(Color)
DRAW_TWO, REVERSE, SKIP, WILD, WILD_DRAW_FOUR = range(10, 15)


VALUE_NAMES = {DRAW_TWO: "DRAW_TWO", REVERSE: "REVERSE", SKIP: "SKIP", WILD: "WILD", WILD_DRAW_FOUR: "WILD_DRAW_FOUR"}


@value
class Card:
    """A card: its color (None for the wilds), and its value, 0 to 9 for digits and 10 to 14 for the rest.

    >>> Card(RED, 7), Card(BLUE, 12), Card(None, 13)
    (Card(RED, 7), Card(BLUE, SKIP), Card(None, WILD))
    """

    color: Color | None
    value: int

    def __repr__(self) -> str:
        value = VALUE_NAMES.get(self.value) if type(self.value) is int else None
        return f"Card({self.color!r}, {value or repr(self.value)})"


Hand: TypeAlias = tuple[Card, ...]
"""the cards that a bot holds"""

COPIES = {
    **{Card(color, number): 2 if number else 1 for color in COLORS for number in range(WILD)},
    **{Card(None, wild): 4 for wild in (WILD, WILD_DRAW_FOUR)},
}
# Equal cards are the same object, so `is` works for a bot's answer, even one from another process.
DECK: Hand = tuple(card for card, copies in COPIES.items() for _ in range(copies))


def is_action(card: Card) -> bool:
    """Return whether `card` is a draw two, a reverse or a skip.

    >>> is_action(Card(RED, SKIP)), is_action(Card(RED, 9)), is_action(Card(None, WILD))
    (True, False, False)
    """
    return DRAW_TWO <= card.value <= SKIP


def is_wild(card: Card) -> bool:
    """Return whether `card` is a wild or a wild draw four.

    >>> is_wild(Card(None, WILD)), is_wild(Card(RED, SKIP))
    (True, False)
    """
    return card.value >= WILD


def points(hand: Hand) -> int:
    """Return the points that `hand` gives the winner: a digit its number, an action 20, a wild 50.

    >>> points((Card(RED, 7), Card(BLUE, SKIP), Card(None, WILD)))
    77
    """
    return sum(card.value if card.value < DRAW_TWO else 20 if card.value < WILD else 50 for card in hand)


class View(NamedTuple):
    """The information that a bot gets with a question. Except for its own hand, all of it is public.

    `color` is the color to follow: the color of `top`, or the one called for a wild. If the question is which color to
    call, it is the color that held before. `counts` are the numbers of cards of all players round the table, your own
    first. `direction` is 1 or -1, so the player after you holds `counts[direction]` cards. `roll` is a new random
    number from 0 to 27719: `roll % n` is fair for every n up to 12. `drawn` is the card just drawn, not yet in the
    hand, if the question is about it, else None.
    """

    hand: Hand
    top: Card
    color: Color
    counts: tuple[int, ...] = (7, 7)
    direction: int = 1
    roll: int = 0
    drawn: Card | None = None


@value
class Bot:
    """A player: a name and three pure functions of a view."""

    name: str
    play_card: Callable[[View], Card | None]
    play_drawn: Callable[[View], bool]
    choose_color: Callable[[View], Color]


@value
class Fault:
    """The reason why a bot has no answer. A `Fault` replaces the answer."""

    reason: str


@value
class Foul:
    """A disqualification: the player, and the reason."""

    player: int
    reason: str


@value
class SetResult:
    """The result of a set: its winner (None after a foul or at the turn limit), its points, and the number of turns."""

    winner: int | None
    points: int
    turns: int
    foul: Foul | None = None


@value
class Game:
    """The result of a game: its winner (None if undecided), the winner and the points of each set, and fouls."""

    winner: int | None
    set_winners: tuple[int | None, ...]
    scores: tuple[tuple[int, ...], ...]
    fouls: tuple[Foul, ...] = ()


def seeds_from(seed: int) -> Iterator[int]:
    """Yield an endless series of seeds, which depends only on `seed`."""
    bits = Random(seed).getrandbits
    while True:
        yield bits(62)


def game_seeds(seed: int, games: int) -> Seeds:
    """Return the seeds of a tournament's games. With more games, the first seeds stay the same.

    >>> game_seeds(1, 3) == game_seeds(1, 5)[:3]
    True
    """
    return tuple(islice(seeds_from(seed), games))
