"""Values of the game in the unit `bots`: cards, a bot's view, and how questions and answers are written as JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from course.arena.arena import Codec
from course.values import Named, value

__all__ = [
    "BLUE", "CODEC", "COLORS", "DECK", "DRAW_TWO", "GREEN", "RED", "REVERSE", "ROLLS", "SKIP", "TARGET", "WILD",
    "WILD_DRAW_FOUR", "YELLOW", "Bot", "Card", "Color", "Hand", "View", "is_action", "is_wild", "points",
]  # fmt: skip

TARGET, ROLLS = 500, 27720


class Color(Named):
    """The four colors. If several colors are equally good, choose the first in the order red, blue, green, yellow."""

    RED = 0
    BLUE = 1
    GREEN = 2
    YELLOW = 3


COLORS = RED, BLUE, GREEN, YELLOW = tuple(Color)
DRAW_TWO, REVERSE, SKIP, WILD, WILD_DRAW_FOUR = range(10, 15)


VALUE_NAMES = {DRAW_TWO: "DRAW_TWO", REVERSE: "REVERSE", SKIP: "SKIP", WILD: "WILD", WILD_DRAW_FOUR: "WILD_DRAW_FOUR"}


@value
class Card:
    """A card: its color (None for wild cards), and its value: 0 to 9 for digits, and 10 to 14 for all other cards.

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

COPIES_PER_CARD = {
    **{Card(color, number): 2 if number else 1 for color in COLORS for number in range(WILD)},
    **{Card(None, wild): 4 for wild in (WILD, WILD_DRAW_FOUR)},
}
# Equal cards are the same object, so `is` works for a bot's answer, even one from another process.
DECK: Hand = tuple(card for card, copies in COPIES_PER_CARD.items() for _ in range(copies))


def is_action(card: Card) -> bool:
    """Return whether `card` is a draw two, a reverse or a skip.

    >>> is_action(Card(RED, SKIP)), is_action(Card(RED, 9)), is_action(Card(None, WILD))
    (True, False, False)
    """
    return DRAW_TWO <= card.value <= SKIP


def is_wild(card: Card) -> bool:
    """Return whether `card` is a wild card or a wild draw four.

    >>> is_wild(Card(None, WILD)), is_wild(Card(RED, SKIP))
    (True, False)
    """
    return card.value >= WILD


def points(hand: Hand) -> int:
    """Return the winner's points for `hand`: a digit card counts its number, an action card 20, and a wild card 50.

    >>> points((Card(RED, 7), Card(BLUE, SKIP), Card(None, WILD)))
    77
    """
    return sum(card.value if card.value < DRAW_TWO else 20 if card.value < WILD else 50 for card in hand)


class View(NamedTuple):
    """The information that a bot gets with a question. Everything in a view is public, except for the bot's own hand.

    `color` is the color to follow: the color of `top`, or the color that was chosen for a wild card. If the bot must
    choose a color, `color` is the color before the wild card. `counts` has the number of cards in each player's hand,
    in the order of seats, beginning with the bot's own hand. `direction` is 1 or -1, so the next player holds
    `counts[direction]` cards. `roll` is a new random number from 0 to 27719, so that `roll % n` is fair for every n up
    to 12. If the question is about the card just drawn, `drawn` is this card, which is not in the hand yet; otherwise
    it is None.
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
    """A player: a name, and three pure functions that get a view."""

    name: str
    play_card: Callable[[View], Card | None]
    play_drawn: Callable[[View], bool]
    choose_color: Callable[[View], Color]


# ------------------------------------------------------------------------------------------------ as JSON

QUESTION_KINDS = "play_card", "play_drawn", "choose_color"
POSSIBLE_ANSWERS: tuple[Card | bool | Color, ...] = (*dict.fromkeys(DECK), True, False, *COLORS)
LETTER_BY_ANSWER = {answer: chr(ord("A") + index) for index, answer in enumerate(POSSIBLE_ANSWERS)}
ANSWER_BY_LETTER = {letter: answer for answer, letter in LETTER_BY_ANSWER.items()}
# Cards are looked up by identity, because hashing a card would take most of the time. All cards of a view are objects
# of DECK.
LETTER_BY_ID = {id(answer): LETTER_BY_ANSWER[answer] for answer in POSSIBLE_ANSWERS} | {id(None): ""}
CARD_BY_LETTER: dict[str, Any] = {
    letter: answer for letter, answer in ANSWER_BY_LETTER.items() if type(answer) is Card
} | {"": None}
COLOR_BY_LETTER = {LETTER_BY_ANSWER[color]: color for color in COLORS}


def encode_question(question: str, view: Any) -> tuple[object, ...]:
    """Return a question and its view as a short list, in which a letter represents each card or color."""
    hand, top, color, counts, direction, roll, drawn = view
    cards = "".join([LETTER_BY_ID[id(card)] for card in hand])
    kind, letters = (
        QUESTION_KINDS.index(question),
        (LETTER_BY_ID[id(top)], LETTER_BY_ID[id(color)], LETTER_BY_ID[id(drawn)]),
    )
    return kind, cards, letters, counts, direction, roll


def decode_question(data: Any) -> tuple[str, View]:
    """Return the question and the view that a short list encodes."""
    kind, cards, (top, color, drawn), counts, direction, roll = data
    hand = tuple([CARD_BY_LETTER[letter] for letter in cards])
    view = View(
        hand, CARD_BY_LETTER[top], COLOR_BY_LETTER[color], tuple(counts), direction, roll, CARD_BY_LETTER[drawn]
    )
    return QUESTION_KINDS[kind], view


def encode_answer(answer: Any) -> str:
    """Return the letter for an answer: a card, a boolean or a color. Raises LookupError for values of other types."""
    if type(answer) not in (Card, Color, bool):
        raise LookupError
    return LETTER_BY_ANSWER[answer]


CODEC = Codec(encode_question, decode_question, encode_answer, lambda letter: ANSWER_BY_LETTER[str(letter)])
