"""The rules of the game that bots play: one set, and a game to 500 points.

A bot answers three kinds of questions. Each question comes with a frozen `View`; the bot can see nothing else. A set is
a *stepper*: a generator that yields a player and a question, and receives the answer. So the same rules work for bots
in this process, for bots in other processes, and for many sets at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import floor
from operator import itemgetter
from random import Random
from time import perf_counter
from typing import Literal, TypeAlias

from course.arena.values import (
    DECK,
    DRAW_TWO,
    RED,
    REVERSE,
    ROLLS,
    SKIP,
    TARGET,
    WILD,
    WILD_DRAW_FOUR,
    Bot,
    Card,
    Color,
    Fault,
    Foul,
    Game,
    SetResult,
    View,
    points,
    seeds_from,
)

__all__ = ["play_game", "play_set"]

Question: TypeAlias = Literal["play_card", "play_drawn", "choose_color"]
Asking: TypeAlias = tuple[int, Question, View]
Steps: TypeAlias = Generator[Asking, object, SetResult]
Answers: TypeAlias = Callable[[int, Question, View], object]

HAND_SIZE, TURN_LIMIT, SET_LIMIT, ANSWER_SECONDS = 7, 1000, 500, 1.0
MOST_PLAYERS = 10
new_tuple = tuple.__new__  # half the time of View(…), which saves a tenth of the time of a set
PENALTY = {DRAW_TWO: 2, WILD_DRAW_FOUR: 4}
LOSES_TURN = {DRAW_TWO, SKIP, WILD_DRAW_FOUR}


@cache
def _from_each_seat(players: int) -> tuple[Callable[[list[int]], tuple[int, ...]], ...]:
    """Return for each seat a function that reorders the players' values so that this seat is first."""
    return tuple(itemgetter(*range(seat, players), *range(seat)) for seat in range(players))


class _Illegal(Exception):
    """Raised for an answer that breaks the rules. Only the stepper sees it."""


@dataclass(slots=True)
class _Table:
    """The changing state of a set. Cards are drawn at random positions, so the stock is not shuffled."""

    chance: Callable[[], float]
    rolls: Callable[[], float]
    stock: list[Card]
    pile: list[Card]
    hands: list[list[Card]]
    top: Card
    color: Color
    direction: int = 1
    counts: list[int] = field(init=False)
    counts_from: tuple[Callable[[list[int]], tuple[int, ...]], ...] = field(init=False)

    def __post_init__(self) -> None:
        self.counts, self.counts_from = list(map(len, self.hands)), _from_each_seat(len(self.hands))

    def draw(self) -> Card | None:
        """Return a card drawn from the stock, or None. The pile refills an empty stock, unless it is empty, too."""
        if not self.stock:
            self.stock, self.pile = self.pile, self.stock
            if not self.stock:
                return None
        stock = self.stock
        at = floor(self.chance() * len(stock))
        stock[at], stock[-1] = stock[-1], stock[at]
        return stock.pop()

    def give(self, seat: int, number: int) -> None:
        """Let a player draw `number` cards, or the remaining ones if there are fewer."""
        hand = self.hands[seat]
        for _ in range(number):
            if card := self.draw():
                hand.append(card)
        self.counts[seat] = len(hand)

    def view(self, seat: int, drawn: Card | None = None) -> View:
        """Return what the player at `seat` sees."""
        counts, roll = self.counts_from[seat](self.counts), floor(self.rolls() * ROLLS)
        return new_tuple(View, (tuple(self.hands[seat]), self.top, self.color, counts, self.direction, roll, drawn))

    def goes(self, card: Card) -> bool:
        """Return whether `card` fits. The method `refuse` decides whether a wild draw four is legal."""
        return card.color is self.color or card.value == self.top.value < WILD or card.value == WILD

    def playable(self, seat: int) -> Card | None:
        """Return the first card that the player at `seat` may play, or None."""
        color, value = self.color, self.top.value
        for card in self.hands[seat]:
            if card.color is color or card.value == value or card.value >= WILD:
                return card
        return None

    def play(self, seat: int, answer: object) -> Card:
        """Play the card that is a bot's answer. Raises _Illegal if it may not be played."""
        hand = self.hands[seat]
        card = hand.pop(_index_of(hand, answer))
        self.counts[seat] -= 1
        if not self.goes(card):
            self.refuse(card, hand)
        return self.lay(card)

    def refuse(self, card: Card, others: list[Card]) -> None:
        """Raise _Illegal for a card that may not be played.

        A wild draw four is legal if no other card can be played.
        """
        if card.value != WILD_DRAW_FOUR:
            raise _Illegal(f"played {card!r} on {self.top!r} when the color was {self.color!r}")
        if better := next(filter(self.goes, others), None):
            raise _Illegal(f"played {card!r}, but {better!r} can be played")

    def play_drawn(self, seat: int, drawn: Card, answer: object) -> Card | None:
        """Play the card just drawn or add it to the hand, as the answer says.

        Raises _Illegal if the card may not be played.
        """
        if answer is False:
            self.hands[seat].append(drawn)
            self.counts[seat] += 1
            return None
        if answer is not True:
            raise _Illegal(_reason(answer, "where True or False was asked for"))
        if drawn.value != WILD_DRAW_FOUR and not self.goes(drawn):
            on = f"on {self.top!r} when the color was {self.color!r}"
            raise _Illegal(f"played the card just drawn, {drawn!r}, {on}")
        return self.lay(drawn)

    def lay(self, card: Card) -> Card:
        """Put a card on the pile, and return it. After a wild card, the old color holds until a new one is chosen."""
        self.pile.append(self.top)
        self.top, self.color = card, card.color or self.color
        return card

    def follow(self, card: Card, seat: int) -> bool:
        """Apply the effect of a card that the player at `seat` played.

        Return whether the next player loses the turn.
        """
        if card.value == REVERSE:
            self.direction = -self.direction
        if card.value in PENALTY:
            self.give((seat + self.direction) % len(self.hands), PENALTY[card.value])
        return card.value in LOSES_TURN


def _called(answer: object) -> Color:
    if type(answer) is not Color:
        raise _Illegal(_reason(answer, "where a color was asked for"))
    return answer


def _index_of(hand: list[Card], answer: object) -> int:
    """Return the index of the card that is a bot's answer. Identity is compared first, because that is faster."""
    for index, held in enumerate(hand):
        if held is answer:
            return index
    if type(answer) is Card and answer in hand:
        return hand.index(answer)
    raise _Illegal(_reason(answer, "which is not in the hand"))


def _reason(answer: object, trouble: str) -> str:
    return answer.reason if type(answer) is Fault else f"answered {_safe(repr, answer)}, {trouble}"


def _safe(text_of: Callable[[object], str], thing: object) -> str:
    """Return a short text for a bot's value, even if its own `repr` or `str` raises an exception."""
    try:
        return text_of(thing)[:80]
    except Exception:
        return f"a {type(thing).__name__}"


def _deal(players: int, seed: int) -> _Table:
    """Return a dealt table with a digit on top of the pile.

    Action and wild cards that were turned up before it are below it.
    """
    if not 2 <= players <= MOST_PLAYERS:
        raise ValueError("choose between 2 and 10 players")
    deal, rolls = Random(2 * seed).random, Random(2 * seed + 1).random
    table = _Table(deal, rolls, list(DECK), [], [[] for _ in range(players)], DECK[0], RED)
    for seat in range(players):
        table.give(seat, HAND_SIZE)
    while (card := table.draw()) is None or card.color is None or card.value >= DRAW_TWO:
        table.pile += [card] if card else []
    table.top, table.color = card, card.color
    return table


def set_steps(players: int, seed: int, first: int = 0) -> Steps:
    """Yield a set as a stepper: it yields (player, question, view), receives the answer, and returns the `SetResult`.

    Raises ValueError unless there are 2 to 10 players.
    """
    table, seat = _deal(players, seed), first
    for turn in range(1, TURN_LIMIT + 1):
        card, skips = None, False
        try:
            if table.playable(seat):
                card = table.play(seat, (yield seat, "play_card", table.view(seat)))
            elif drawn := table.draw():
                card = table.play_drawn(seat, drawn, (yield seat, "play_drawn", table.view(seat, drawn)))
            if card and card.value >= DRAW_TWO:
                if card.value >= WILD:
                    table.color = _called((yield seat, "choose_color", table.view(seat)))
                skips = table.follow(card, seat)
        except _Illegal as error:
            return SetResult(None, 0, turn, Foul(seat, str(error)))
        if not table.hands[seat]:
            return SetResult(seat, sum(points(tuple(hand)) for hand in table.hands), turn)
        seat = (seat + table.direction * (1 + skips)) % players
    return SetResult(None, 0, TURN_LIMIT)


def drive(steps: Steps, answers: Answers) -> SetResult:
    """Run a set in which `answers(player, question, view)` answers for all players, and return its result."""
    try:
        player, question, view = next(steps)
        while True:
            player, question, view = steps.send(answers(player, question, view))
    except StopIteration as end:
        return end.value


def answers_of(bots: Sequence[Bot]) -> Answers:
    """Return a function that gets the answers of bots in this process.

    The function raises `Fault` for an error, or for an answer that took over a second.
    """

    def ask(player: int, question: Question, view: View) -> object:
        start = perf_counter()
        try:
            answer = getattr(bots[player], question)(view)
        except (Exception, SystemExit) as error:
            return Fault(f"raised {type(error).__name__}: {_safe(str, error)}")
        return answer if perf_counter() - start <= ANSWER_SECONDS else Fault(f"took longer than {ANSWER_SECONDS:g} s")

    return ask


def play_set(bots: Sequence[Bot], seed: int, first: int = 0) -> SetResult:
    """Return the result of a set between `bots`. The bot at index `first` begins; the same seed gives the same result.

    Raises ValueError unless there are 2 to 10 bots.
    """
    return drive(set_steps(len(bots), seed, first), answers_of(bots))


def run_game(
    players: int, seed: int, answers: Answers, target: int = TARGET, begins: Callable[[], object] = tuple
) -> Game:
    """Return a game: sets are played until a player has `target` points. Players take turns in beginning a set.

    `begins` is called before each set. A set with a foul does not count, and the player who committed the foul leaves
    the game. The last player left wins.
    """
    seats, total, winners, scores, fouls = list(range(players)), [0] * players, [], [], []
    for number, set_seed in zip(range(SET_LIMIT), seeds_from(seed), strict=False):
        begins()
        steps = set_steps(len(seats), set_seed, number % len(seats))
        result = drive(steps, lambda seat, question, view: answers(seats[seat], question, view))
        winners.append(None if result.winner is None else seats[result.winner])
        if winners[-1] is not None:
            total[winners[-1]] += result.points
        scores.append(tuple(total))
        if result.foul:
            fouls.append(Foul(seats.pop(result.foul.player), result.foul.reason))
        if len(seats) == 1 or max(total) >= target:
            return Game(seats[0] if len(seats) == 1 else winners[-1], tuple(winners), tuple(scores), tuple(fouls))
    return Game(None, tuple(winners), tuple(scores), tuple(fouls))


def play_game(bots: Sequence[Bot], seed: int) -> Game:
    """Return a game of `bots` to 500 points, seated in this order. The same seed gives the same result.

    Raises ValueError unless there are 2 to 10 bots.
    """
    return run_game(len(bots), seed, answers_of(bots))
