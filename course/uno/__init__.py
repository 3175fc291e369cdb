"""Uno: cards, moves, players, the desk, and other values and functions that the exercises use."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cmp_to_key
from typing import Any, NamedTuple, TypeAlias, TypeVar

from course.effects import shuffle_list, transcript
from course.functional import compose, curry, fold_left, fold_right, recur, tail_recursive
from course.values import TODO, Named, value

A = TypeVar("A")

# ------------------------------------------------------------------------------------------------ lists


def add_n_copies(item: A, items: tuple[A, ...], n: int) -> tuple[A, ...]:
    """Return `items` with `n` copies of `item` at the front.

    >>> add_n_copies("a", ("b",), 3)
    ('a', 'a', 'a', 'b')
    """
    return (item,) * n + items


def pass_cards(source: tuple[A, ...], target: tuple[A, ...], n: int) -> tuple[tuple[A, ...], tuple[A, ...]]:
    """Move `n` items one by one from the front of `source` to the front of `target`, and return both tuples.

    >>> pass_cards((1, 2, 3, 4), (), 3)
    ((4,), (3, 2, 1))
    """
    return source[n:], rev_append(source[:n], target)


def shift(item: A, items: tuple[A, ...], n: int) -> tuple[A, ...]:
    """Add `item` at the front of `items`, and return the first `n` items.

    >>> shift(0, (1, 2, 3), 3)
    (0, 1, 2)
    """
    return (item, *items)[:n]


def rev_append(first: tuple[A, ...], second: tuple[A, ...]) -> tuple[A, ...]:
    """Return `first` reversed, followed by `second`.

    >>> rev_append((3, 2, 1), (4, 5))
    (1, 2, 3, 4, 5)
    """
    return first[::-1] + second


def find(test: Callable[[A], bool], items: Iterable[A]) -> A | None:
    """Return the first of `items` that passes `test`, or None if no item passes.

    >>> find(str.isupper, ("a", "B", "C"))
    'B'
    """
    return next(filter(test, items), None)


@curry
def merge_sort(greater: Callable[[A, A], bool], items: Iterable[A]) -> tuple[A, ...]:
    """Return `items` in ascending order. `greater(a, b)` returns whether `a` must come after `b`. Curried.

    >>> merge_sort(lambda a, b: a > b, (2, 3, 1))
    (1, 2, 3)
    """

    def compare(first: A, second: A) -> int:
        return 1 if greater(first, second) else -1

    return tuple(sorted(items, key=cmp_to_key(compare)))


# ------------------------------------------------------------------------------------------------ cards


class Color(Named):
    """The color of an ordinary card; `COLORS` has all colors in ascending order."""

    YELLOW = 1
    BLUE = 2
    GREEN = 3
    RED = 4


YELLOW, BLUE, GREEN, RED = COLORS = tuple(Color)


@value
class Num:
    """The rank of a number card, 0 to 9."""

    number: int


@value
class Reverse:
    """The rank of the action card that reverses the direction of play."""


@value
class Skip:
    """The rank of the action card after which the next player loses a turn."""


@value
class DrawTwo:
    """The rank of the action card after which the next player draws two cards and loses a turn."""


Rank: TypeAlias = Num | Reverse | Skip | DrawTwo
"""what an ordinary card has besides its color: a number or an action"""
Penalty: TypeAlias = Skip | DrawTwo
"""a rank that the next player must answer or obey"""
RANKS: tuple[Rank, ...] = (*map(Num, range(10)), Reverse(), Skip(), DrawTwo())


@value
class Crd:
    """An ordinary card: a rank and a color."""

    rank: Rank
    color: Color


@value
class Wild:
    """The wild card: its player chooses a color."""


@value
class WildDrawFour:
    """The wild card whose player chooses a color, and after which the next player draws four cards."""


Card: TypeAlias = Crd | Wild | WildDrawFour
"""an ordinary card, a wild, or a wild draw four"""
Cards: TypeAlias = tuple[Card, ...]
"""cards in order; the same card may occur several times"""
WILDS: Cards = (Wild(), WildDrawFour())


def is_same_rank(first: Rank, second: Rank) -> bool:
    """Return whether two ranks are the same."""
    return first == second


def is_same_color(first: Color, second: Color) -> bool:
    """Return whether two colors are the same."""
    return first is second


def is_same_card(first: Card, second: Card) -> bool:
    """Return whether two cards are the same."""
    return first == second


# ------------------------------------------------------------------------------------------------ turns


class Direction(Named):
    """The direction of play around the table. The players of a desk are listed clockwise."""

    CLOCKWISE = 1
    COUNTERCLOCKWISE = -1


CLOCKWISE, COUNTERCLOCKWISE = Direction


@value
class Proceed:
    """The state of an ordinary turn."""


@value
class Execute:
    """The state in which the next player must obey the skip or draw two on the pile, or play the same rank."""


@value
class Give:
    """The state in which the next player must play the color chosen for a wild card, or another wild card."""

    color: Color


State: TypeAlias = Proceed | Execute | Give
"""what the player to move must do"""


@value
class Simple:
    """A move with an ordinary card."""

    card: Card


@value
class Order:
    """A move with a wild card and the chosen color."""

    card: Card
    color: Color


@value
class Pass:
    """A move without a card: the player misses the turn."""


Move: TypeAlias = Simple | Order | Pass
"""what a player does in a turn"""
Moves: TypeAlias = tuple[Move, ...]
"""moves, the newest first"""
Strategy: TypeAlias = Callable[[State, Cards, Cards, Card, Direction, Moves, tuple[int, ...]], Move]
"""a function that chooses a move; its arguments are the seven values of `Args`"""


class Args(NamedTuple):
    """The seven arguments of a strategy, which is called as `strategy(*args)`."""

    state: State
    hand: Cards
    playable: Cards
    top: Card
    direction: Direction
    memory: Moves
    counts: tuple[int, ...]


class IllegalGame(Exception):
    """Raised when the desk is in a state that no game can reach."""

    __module__ = "builtins"  # so that tracebacks and examples show the name without the module


class IllegalMove(Exception):
    """Raised as `IllegalMove(name, args)` if the strategy of the player `name` returns an illegal move for `args`."""

    __module__ = "builtins"  # as above


# ------------------------------------------------------------------------------------------------ players and the desk


@value
class Player:
    """A player: name, cards in hand, strategy, and whether a person chooses the moves."""

    name: str
    cards: Cards
    strategy: Strategy
    is_manual: bool

    def __repr__(self) -> str:
        strategy = getattr(self.strategy, "__name__", repr(self.strategy))
        return f"Player({self.name!r}, {self.cards!r}, {strategy}, {self.is_manual!r})"

    def with_cards(self, cards: Cards) -> Player:
        """Return this player with other cards in hand."""
        return Player(self.name, cards, self.strategy, self.is_manual)

    def automate(self) -> Player:
        """Return this player as a bot: the player's strategy now chooses the moves, not a person."""
        return Player(self.name, self.cards, self.strategy, False)


Players: TypeAlias = tuple[Player, ...]
"""the players clockwise, beginning with the player to move"""


@value
class Desk:
    """The game at one moment: players, pile and deck, the state of the turn, the direction, and the latest moves.

    The players are listed clockwise, and the first player has the turn. Pile and deck begin with their top card. The
    memory has the latest moves, at most ten, the newest first.
    """

    players: Players
    pile: Cards
    deck: Cards
    state: State
    direction: Direction
    memory: Moves

    def _replaced(self, **changes: Any) -> Desk:
        return Desk(**vars(self) | changes)

    def with_players(self, players: Players) -> Desk:
        """Return this desk with other players."""
        return self._replaced(players=players)

    def with_pile(self, pile: Cards) -> Desk:
        """Return this desk with another pile."""
        return self._replaced(pile=pile)

    def with_deck(self, deck: Cards) -> Desk:
        """Return this desk with another deck."""
        return self._replaced(deck=deck)

    def with_state(self, state: State) -> Desk:
        """Return this desk with another state of the turn."""
        return self._replaced(state=state)

    def with_direction(self, direction: Direction) -> Desk:
        """Return this desk with another direction of play."""
        return self._replaced(direction=direction)

    def with_memory(self, memory: Moves) -> Desk:
        """Return this desk with another memory."""
        return self._replaced(memory=memory)

    def add_memo(self, move: Move) -> Desk:
        """Return this desk with `move` added to the memory as the newest move. The memory has at most ten moves."""
        return self.with_memory(shift(move, self.memory, 10))


def whose_turn(desk: Desk) -> Desk:
    """Print `The turn of X`, where X is the player whose turn it is, and return `desk` unchanged.

    >>> transcript(whose_turn, Desk((Player("Olga", (), false_strategy, False),), (), (), Proceed(), CLOCKWISE, ()))[1]
    'The turn of Olga\\n'
    """
    print(f"The turn of {desk.players[0].name}")
    return desk


# ------------------------------------------------------------------------------------------------ text

_WORDS_BY_VALUE: dict[object, str] = {
    Reverse(): "REVERSE",
    Skip(): "SKIP",
    DrawTwo(): "DRAW_TWO",
    Wild(): "WILD",
    WildDrawFour(): "WILD_DRAW_FOUR",
    Proceed(): "PROCEED",
    Execute(): "EXECUTE",
    Pass(): "PASS",
}


def to_string(item: Color | Rank | Card | Direction | State | Move | int) -> str:
    """Return `item` in the notation of the printed game.

    >>> to_string(Order(WildDrawFour(), RED))
    'ORDER (WILD_DRAW_FOUR, RED)'
    >>> to_string(Simple(Crd(Num(7), GREEN)))
    'SIMPLE (CRD (NUM 7, GREEN))'
    """
    match item:
        case Num(number):
            return f"NUM {number}"
        case Crd(rank, color):
            return f"CRD ({to_string(rank)}, {color})"
        case Give(color):
            return f"GIVE {color}"
        case Simple(card):
            return f"SIMPLE ({to_string(card)})"
        case Order(card, color):
            return f"ORDER ({to_string(card)}, {color})"
        case _:
            return _WORDS_BY_VALUE.get(item) or str(item)


def list_to_string(items: Iterable[Any]) -> str:
    """Return `items` in the notation of the printed game, on one line.

    >>> list_to_string((7, 9))
    '[7, 9]'
    """
    return f"[{', '.join(map(to_string, items))}]"


def lines_to_string(items: Iterable[Any]) -> str:
    """Return `items` in the notation of the printed game, one item per line.

    >>> lines_to_string((Wild(), Crd(Skip(), RED)))
    '[ WILD\\n, CRD (SKIP, RED) ]'
    """
    return "[ " + "\n, ".join(map(to_string, items)) + " ]"


# ------------------------------------------------------------------------------------------------ strategies


def false_strategy(
    state: State, hand: Cards, playable: Cards, top: Card, direction: Direction, memory: Moves, counts: tuple[int, ...]
) -> Move:
    """Return a move that may be illegal: the green card of the same rank as the first card in hand.

    The hand need not contain this green card.
    """
    first = hand[0]
    assert isinstance(first, Crd)
    return Simple(Crd(first.rank, GREEN))


def manual(
    state: State, hand: Cards, playable: Cards, top: Card, direction: Direction, memory: Moves, counts: tuple[int, ...]
) -> Move:
    """Ask a person for a move, and return the move. If the person lets the strategy choose, return `Pass()`."""
    choice = _sorted_descending(playable)
    print(f"State: {to_string(state)}")
    print(f"Your hand:\n{lines_to_string(_sorted_descending(hand))}")
    print(f"Playable cards:\n{lines_to_string(choice)}")
    print(f"The card on the pile: {to_string(top)}")
    print(f"Game direction: {direction}")
    print(f"The latest moves:\n{lines_to_string(memory)}")
    print(f"How many cards each player has:\n{list_to_string(counts)}")
    print("Type the number of a playable card (from 0).")
    return _move_with(_typed_choice(choice))


def _move_with(card: Card | None) -> Move:
    match card:
        case None:
            return Pass()
        case Crd():
            return Simple(card)
    print(f"Type the number of a color (from 0):\n{list_to_string(COLORS)}")
    color = _typed_choice(COLORS)
    return Pass() if color is None else Order(card, color)


def _typed_choice(items: tuple[A, ...]) -> A | None:
    print("If you type any other number, your strategy plays for you.")
    return dict(zip(map(str, range(len(items))), items, strict=False)).get(input().strip())


def _sorted_descending(cards: Cards) -> Cards:
    return tuple(sorted(cards, key=_strength, reverse=True))


def _strength(card: Card) -> tuple[int, int]:
    match card:
        case Crd(rank, color):
            return COLORS.index(color), RANKS.index(rank)
        case Wild():
            return len(COLORS), 0
        case WildDrawFour():
            return len(COLORS), 1


# ------------------------------------------------------------------------------------------------ the lab's game

NAMES = ("Sergey", "Pavel", "Saveliy", "Igor", "Gennadiy", "Irina", "Elsa", "Sevastian", "Arseniy", "Olga")


def ten_players(strategy: Strategy) -> Players:
    """Return ten players with empty hands. A person chooses Sergey's moves, and `strategy` chooses all other moves."""
    return tuple(Player(name, (), strategy, name == "Sergey") for name in NAMES)


def dialogue_desk(strategy: Strategy) -> Desk:
    """Return a desk in the middle of a game of ten players, with all 108 cards. Sergey must play red on a wild card."""
    hands = map(_parse_cards, _DIALOGUE_HANDS)
    players = tuple(player.with_cards(hand) for player, hand in zip(ten_players(strategy), hands, strict=True))
    wild, four, red = Order(Wild(), RED), WildDrawFour(), Simple(Crd(Num(4), RED))
    skips = Simple(Crd(Skip(), BLUE)), Simple(Crd(Skip(), RED))
    memory = (wild, wild, Pass(), Order(four, RED), skips[0], Pass(), Order(four, BLUE), red, Pass(), skips[1])
    return Desk(players, _parse_cards(_DIALOGUE_PILE), _parse_cards(_DIALOGUE_DECK), Give(RED), CLOCKWISE, memory)


def _parse_cards(text: str) -> Cards:
    """Return the cards of a text like `7g Rr W F`: rank and color, wild, wild draw four."""
    wild: dict[str, Card] = {"W": Wild(), "F": WildDrawFour()}
    ranks, colors = dict(zip("0123456789RSD", RANKS, strict=True)), dict(zip("ybgr", COLORS, strict=True))
    return tuple(wild[word] if word in wild else Crd(ranks[word[0]], colors[word[1]]) for word in text.split())


_DIALOGUE_HANDS = (
    "F Rb 7b 9y 4y 3y 2y",
    "6r 1y 3y 5y 8y 2b",
    "7g 7r 0y 1y 6y 8y 9b",
    "8g 7g 4b 5y 6b 9y",
    "Rg 2y 4y 1b 0b 5b 6b 3b Ry 2b",
    "7y Rb Dy Rr 6g Db",
    "Dr Sy Sg 7b 0g Ry 7y",
    "9r 9r 2r W 6r Sb 2g Rg Dy 5r",
    "8r 8g 1b Dg Dr 7r",
    "5r Sg W 3g 3r Dg",
)
_DIALOGUE_PILE = "W W F Sb F 4r Sr"
_DIALOGUE_DECK = "8b 5b 3b 9b 1r Db Rr 3r 4g Sy 3g 4r 6g 9g 8r 4b 1g 5g 9g Sr 0r 1g 1r 2r 8b 6y F 2g 5g 4g"

# ------------------------------------------------------------------------------------------------ probes


def same_number(first: int, second: int) -> bool:
    """Return whether two numbers are equal."""
    return first == second


def same_letter(first: str, second: str) -> bool:
    """Return whether two texts are equal, ignoring case."""
    return first.lower() == second.lower()


def always_pass(*received: Any) -> Move:
    """Return `Pass()`, even if cards can be played."""
    return Pass()


def first_playable(*received: Any) -> Move:
    """Return the move with the first playable card. If this card is wild, the strategy chooses blue."""
    return _move_laying(Args(*received).playable[0], BLUE)


def last_in_hand(*received: Any) -> Move:
    """Return the move with the last card in hand, even if this card is not playable.

    If this card is wild, the strategy chooses green.
    """
    return _move_laying(Args(*received).hand[-1], GREEN)


def fickle(*received: Any) -> Move:
    """Return a legal move that depends on every argument."""
    args = Args(*received)
    sizes = len(args.hand), len(args.memory), *args.counts, args.direction.value + 1, len(to_string(args.state))
    mixed = sum(index * size for index, size in enumerate((*sizes, len(to_string(args.top))), 1))
    return _move_laying(_sorted_descending(args.playable)[mixed % len(args.playable)], COLORS[mixed % len(COLORS)])


def deep_thinker(*received: Any) -> Move:
    """Return the move with the greatest playable card.

    This strategy first makes 750 nested calls, which use most of the stack.
    """
    _use_stack(750)
    args = Args(*received)
    return _move_laying(_sorted_descending(args.playable)[0], COLORS[len(args.hand) % len(COLORS)])


def _use_stack(depth: int) -> int:
    return 1 + _use_stack(depth - 1) if depth else 0


_LONG_WINDED_DIGITS = (
    "6401135475363063447326266617724034774252353711761473517600100212263313762051406451320022043364004001"
)


def long_winded(*received: Any) -> Move:
    """Return a legal move. The arguments and a table of digits decide which move is returned.

    The digits were chosen by experiments. With the seed 2, a game of two players with this strategy has more than a
    thousand turns.
    """
    args = Args(*received)
    lengths = (len(to_string(item)) for item in (*args.memory, args.top))
    total = sum(index * length for index, length in enumerate(lengths, 1))
    mixed = total + 31 * sum(index * count for index, count in enumerate(args.counts, 1))
    digit = int(_LONG_WINDED_DIGITS[mixed % len(_LONG_WINDED_DIGITS)])
    return _move_laying(_sorted_descending(args.playable)[digit % len(args.playable)], COLORS[digit % len(COLORS)])


def _move_laying(card: Card, color: Color) -> Move:
    return Simple(card) if isinstance(card, Crd) else Order(card, color)


PROBES = (false_strategy, always_pass, first_playable, last_in_hand, fickle)

__all__ = [
    "BLUE",
    "CLOCKWISE",
    "COLORS",
    "COUNTERCLOCKWISE",
    "GREEN",
    "NAMES",
    "RANKS",
    "RED",
    "TODO",
    "WILDS",
    "YELLOW",
    "A",
    "Args",
    "Callable",
    "Card",
    "Cards",
    "Color",
    "Crd",
    "Desk",
    "Direction",
    "DrawTwo",
    "Execute",
    "Give",
    "IllegalGame",
    "IllegalMove",
    "Move",
    "Moves",
    "Num",
    "Order",
    "Pass",
    "Penalty",
    "Player",
    "Players",
    "Proceed",
    "Rank",
    "Reverse",
    "Simple",
    "Skip",
    "State",
    "Strategy",
    "Wild",
    "WildDrawFour",
    "add_n_copies",
    "always_pass",
    "compose",
    "curry",
    "deep_thinker",
    "dialogue_desk",
    "false_strategy",
    "fickle",
    "find",
    "first_playable",
    "fold_left",
    "fold_right",
    "is_same_card",
    "is_same_color",
    "is_same_rank",
    "last_in_hand",
    "lines_to_string",
    "list_to_string",
    "long_winded",
    "manual",
    "merge_sort",
    "pass_cards",
    "recur",
    "rev_append",
    "same_letter",
    "same_number",
    "shift",
    "shuffle_list",
    "tail_recursive",
    "ten_players",
    "to_string",
    "transcript",
    "whose_turn",
]
