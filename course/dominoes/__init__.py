"""Dominoes: the tiles, the chain on the table, the players, and a function that asks a person for a valid line."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, NoReturn, TypeAlias, TypeVar

from course.effects import choose, random_below, transcript
from course.functional import compose, curry, fold_left, fold_right, identity, recur, tail_recursive
from course.values import value

T = TypeVar("T")


@value
class Domino:
    """A tile with its two halves. The same tile can be written as `Domino(2, 4)` or as `Domino(4, 2)`.

    `str(Domino(2, 4))` is `2-4`, and `str(Domino(4, 2))` is `4-2`.
    """

    left: int
    right: int

    def __str__(self) -> str:
        return f"{self.left}-{self.right}"


@value
class Empty:
    """The chain before the first tile is laid. The only value of this class is `EMPTY`, and `Empty()` returns it."""

    def __new__(cls) -> Empty:
        return globals().get("EMPTY") or object.__new__(cls)  # so that `is` works like `==`

    def __repr__(self) -> str:
        return "EMPTY"


@value
class Chain:
    """A chain with tiles: the number at its left end, its text, and the number at its right end."""

    left: int
    text: str
    right: int


@value
class Human:
    """A player, with a number, who types which tile to lay."""

    number: int


@value
class Bot:
    """A player, with a number, who moves at random."""

    number: int


EMPTY = Empty()

AnyChain: TypeAlias = Chain | Empty
"""a chain with tiles in it, or the empty one"""
Player: TypeAlias = Human | Bot
"""a human or a bot"""
Hand: TypeAlias = tuple[Domino, ...]
"""the tiles that a player holds, none of them twice"""
Stock: TypeAlias = tuple[Domino, ...]
"""the tiles that nobody has yet; the next tile to draw comes first"""
State: TypeAlias = tuple[Hand, Player]
"""a hand, and the player who holds it"""
Deal: TypeAlias = tuple[Stock, tuple[State, ...]]
"""the rest of the stock, and the states so far"""
Move: TypeAlias = tuple[Hand, Chain]
"""the hand after a move, and the chain after it"""
End: TypeAlias = Literal["<", ">"]
"""the left end of a chain, or its right one"""
Seats: TypeAlias = str
"""the players in the order of their turns, a letter each: `H` is a human, `B` a bot"""
Highest: TypeAlias = int
"""the highest number on the tiles of the set, 0 to 9"""
HeadCount: TypeAlias = int
"""the number of players"""
TileCount: TypeAlias = int
"""the number of tiles to take, 0 or more"""


def input_valid(prompt: str, is_valid: Callable[[str], bool], cast: Callable[[str], T]) -> T:
    r"""Read lines until `is_valid` accepts one, and return `cast(line)`. Raises EOFError if there are no more lines.

    Prints the prompt once, on a separate line, and `Try again!` after every line that is not valid.

    >>> transcript(input_valid, "Your age?", lambda line: 0 <= int(line) < 120, int, typed=("-10", "500", "10"))
    (10, 'Your age?\nTry again!\nTry again!\n')
    """
    print(prompt)
    while not is_valid(line := input()):
        print("Try again!")
    return cast(line)


def first(dominoes: Hand) -> Domino:
    """Return the first of `dominoes`. Use `first` to select a tile without a person or random choices."""
    return dominoes[0]


def second(dominoes: Hand) -> Domino:
    """Return the second of `dominoes`."""
    return dominoes[1]


def left_end(left: Chain, right: Chain) -> Chain:
    """Return the first of two chains: the one with the new tile at its left end."""
    return left


def right_end(left: Chain, right: Chain) -> Chain:
    """Return the second of two chains: the one with the new tile at its right end."""
    return right


def left_aloud(left: Chain, right: Chain) -> Chain:
    r"""Print `\tleft, please!`, and return the first of two chains.

    The printed text lets you see when `left_aloud` is called.
    """
    print("\tleft, please!")
    return left


def never(*args: object) -> NoReturn:
    """Raise AssertionError. Pass this function as an argument that must not be called."""
    raise AssertionError("should not be called")


PROBES = (first, second, left_end, right_end, left_aloud, never)

__all__ = [
    "EMPTY",
    "AnyChain",
    "Bot",
    "Callable",
    "Chain",
    "Deal",
    "Domino",
    "Empty",
    "End",
    "Hand",
    "HeadCount",
    "Highest",
    "Human",
    "Move",
    "Player",
    "Seats",
    "State",
    "Stock",
    "T",
    "TileCount",
    "choose",
    "compose",
    "curry",
    "first",
    "fold_left",
    "fold_right",
    "identity",
    "input_valid",
    "left_aloud",
    "left_end",
    "never",
    "partial",
    "random_below",
    "recur",
    "right_end",
    "second",
    "tail_recursive",
    "transcript",
]
