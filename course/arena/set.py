"""The rules of the game in the unit `bots`: one set, and a game to 500 points.

A bot answers three kinds of questions. Each question comes with a frozen `View`; the bot can see nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor
from typing import Literal, TypeAlias, get_args

from course.arena.arena import (
    Arena,
    Foul,
    Game,
    Illegal,
    SetResult,
    Steps,
    answers_of,
    drive,
    illegal_answer,
    random_stream,
    run_game,
)
from course.arena.values import (
    CODEC,
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
    View,
    points,
)

__all__ = ["play_game", "play_set"]

Question: TypeAlias = Literal["play_card", "play_drawn", "choose_color"]

HAND_SIZE, TURN_LIMIT, SET_LIMIT = 7, 1000, 500
PLAYER_COUNTS = range(2, 11)
CARDS_TO_DRAW = {DRAW_TWO: 2, WILD_DRAW_FOUR: 4}
TURN_LOSING_VALUES = {DRAW_TWO, SKIP, WILD_DRAW_FOUR}


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

    def draw(self) -> Card | None:
        """Return a card drawn from the stock.

        If the stock is empty, refill it from the pile; return None if both are empty.
        """
        if not self.stock:
            self.stock, self.pile = self.pile, self.stock
            if not self.stock:
                return None
        stock = self.stock
        at = floor(self.chance() * len(stock))
        stock[at], stock[-1] = stock[-1], stock[at]
        return stock.pop()

    def give(self, seat: int, number: int) -> None:
        """Let a player draw `number` cards, or all remaining cards if fewer remain."""
        hand = self.hands[seat]
        for _ in range(number):
            if card := self.draw():
                hand.append(card)

    def view(self, seat: int, drawn: Card | None = None) -> View:
        """Return the view of the player at `seat`."""
        hands = self.hands[seat:] + self.hands[:seat]
        counts, roll = tuple(map(len, hands)), floor(self.rolls() * ROLLS)
        return View(tuple(hands[0]), self.top, self.color, counts, self.direction, roll, drawn)

    def fits(self, card: Card) -> bool:
        """Return whether `card` fits. The method `play` decides whether a wild draw four is legal."""
        return card.color is self.color or card.value == self.top.value < WILD or card.value == WILD

    def first_playable(self, seat: int) -> Card | None:
        """Return the first card that the player at `seat` may play, or None."""
        return next((card for card in self.hands[seat] if self.fits(card) or card.value == WILD_DRAW_FOUR), None)

    def play(self, seat: int, answer: object) -> Card:
        """Play the card that is a bot's answer. Raises Illegal if the card may not be played.

        A wild draw four is legal if no other card can be played.
        """
        hand = self.hands[seat]
        card = hand.pop(_index_of(hand, answer))
        if not self.fits(card):
            if card.value != WILD_DRAW_FOUR:
                raise Illegal(f"played {card!r} on {self.top!r} when the color was {self.color!r}")
            if better := next(filter(self.fits, hand), None):
                raise Illegal(f"played {card!r}, which is not allowed while {better!r} fits")
        return self.lay(card)

    def play_drawn(self, seat: int, drawn: Card, answer: object) -> Card | None:
        """Play the card just drawn if the answer is True, or add the card to the hand if the answer is False.

        Raises Illegal if the card may not be played.
        """
        if answer is False:
            self.hands[seat].append(drawn)
            return None
        if answer is not True:
            raise illegal_answer(answer, "but the answer must be True or False")
        if drawn.value != WILD_DRAW_FOUR and not self.fits(drawn):
            raise Illegal(f"played the drawn card {drawn!r} on {self.top!r} when the color was {self.color!r}")
        return self.lay(drawn)

    def lay(self, card: Card) -> Card:
        """Put a card on the pile, and return the card.

        After a wild card, `color` is the old color until the player chooses a new color.
        """
        self.pile.append(self.top)
        self.top, self.color = card, card.color or self.color
        return card

    def apply_effect(self, card: Card, seat: int) -> bool:
        """Apply the effect of a card that the player at `seat` played.

        Return whether the next player loses the turn.
        """
        if card.value == REVERSE:
            self.direction = -self.direction
        if card.value in CARDS_TO_DRAW:
            self.give((seat + self.direction) % len(self.hands), CARDS_TO_DRAW[card.value])
        return card.value in TURN_LOSING_VALUES


def _index_of(hand: list[Card], answer: object) -> int:
    """Return the index of the card that is a bot's answer. Identity is compared first, because that is faster."""
    for index, held in enumerate(hand):
        if held is answer:
            return index
    if type(answer) is Card and answer in hand:
        return hand.index(answer)
    raise illegal_answer(answer, "but the answer must be a card of the hand")


def _deal(players: int, seed: int) -> _Table:
    """Return a dealt table with a digit on top of the pile.

    Action and wild cards that were turned up before the digit are below it.
    """
    if players not in PLAYER_COUNTS:
        raise ValueError("choose 2 to 10 players")
    deal, rolls = random_stream(seed, "cards").random, random_stream(seed, "rolls").random
    table = _Table(deal, rolls, list(DECK), [], [[] for _ in range(players)], DECK[0], RED)
    for seat in range(players):
        table.give(seat, HAND_SIZE)
    while (card := table.draw()) is None or card.color is None or card.value >= DRAW_TWO:
        table.pile += [card] if card else []
    table.top, table.color = card, card.color
    return table


def set_steps(players: int, seed: int, first: int = 0) -> Steps[Question, View]:
    """Play a set as a generator: yield (player, question, view), receive the answer, and return the `SetResult`.

    Raises ValueError unless there are 2 to 10 players.
    """
    table, seat = _deal(players, seed), first
    for turn in range(1, TURN_LIMIT + 1):
        card, skips = None, False
        try:
            if table.first_playable(seat):
                card = table.play(seat, (yield seat, "play_card", table.view(seat)))
            elif drawn := table.draw():
                card = table.play_drawn(seat, drawn, (yield seat, "play_drawn", table.view(seat, drawn)))
            if card and card.value >= DRAW_TWO:
                if card.value >= WILD:
                    answer = yield seat, "choose_color", table.view(seat)
                    if type(answer) is not Color:
                        raise illegal_answer(answer, "but the answer must be a color")
                    table.color = answer
                skips = table.apply_effect(card, seat)
        except Illegal as error:
            return SetResult(None, 0, turn, Foul(seat, str(error)))
        if not table.hands[seat]:
            return SetResult(seat, sum(points(tuple(hand)) for hand in table.hands), turn)
        seat = (seat + table.direction * (1 + skips)) % players
    return SetResult(None, 0, TURN_LIMIT)


def play_set(bots: Sequence[Bot], seed: int, first: int = 0) -> SetResult:
    """Play a set between `bots` and return its result.

    The bot at index `first` begins; the same seed gives the same result.

    Raises ValueError unless there are 2 to 10 bots.
    """
    return drive(set_steps(len(bots), seed, first), answers_of(bots))


def play_game(bots: Sequence[Bot], seed: int) -> Game:
    """Play a game to 500 points between `bots`, seated in this order, and return the game.

    The same seed gives the same result.

    Raises ValueError unless there are 2 to 10 bots.
    """
    return run_game(ARENA, len(bots), seed, answers_of(bots))


ARENA = Arena(
    title="A game of the Uno family",
    questions=get_args(Question),
    steps=set_steps,
    bot=Bot,
    references={"smart": "smart_player", "stupid": "stupid_player"},
    bots={
        "champion": ("champion",),
        **{name: tuple(f"{name}_{question}" for question in get_args(Question)) for name in ("smart", "stupid")},
    },
    target=TARGET,
    sets=SET_LIMIT,
    codec=CODEC,
)
