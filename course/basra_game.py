"""A game of Basra in text, played with the learner's functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from typing import TypeAlias

from course.basra import (
    Captures,
    Card,
    Cards,
    Deck,
    Floor,
    Hand,
    deal_to_floor,
    deal_to_hand,
    pile_score,
    remove_cards,
)
from course.functional import recur, tail_recursive
from course.values import value

__all__ = ["Capture", "Chooser", "IsGameOver", "bot", "by_hand", "card_text", "play_basra"]

Capture: TypeAlias = Callable[[Floor, Card], Captures]
IsGameOver: TypeAlias = Callable[[Deck, Floor, Hand], bool]
Chooser: TypeAlias = Callable[[Capture, Floor, Cards], Card]

FULL_FLOOR = 6
SWEEP_POINTS = 3


@value
class Situation:
    """The state between two rounds: all cards on the table, and the number of sweeps."""

    deck: Deck
    floor: Floor = ()
    hand: Hand = ()
    scored: Cards = ()
    sweeps: int = 0


def play_basra(
    capture: Capture,
    is_game_over: IsGameOver,
    produce_shuffled_deck: Callable[[], Deck],
    sort: Callable[[Cards], Cards],
    player: Chooser,
) -> int:
    """Play a game from the deal to the score, print every round, and return the score.

    `player(capture, floor, options)` is a function such as `bot` or `by_hand`, which chooses one of `options`, the
    cards that may be played. Raises ValueError if `is_game_over` returns False when no card can be played.
    """

    def play_round(table: Situation, number: int) -> Situation:
        is_full = len(table.floor) >= FULL_FLOOR  # then only cards that capture may be played
        options = tuple(card for card in table.hand if not is_full or capture(table.floor, card))
        if not options:
            raise ValueError("no card can be played, but is_game_over says that the game goes on")
        options = sort(options)
        print(f"\nRound {number}\n  floor: {cards_text(table.floor)}\n  hand:  {cards_text(sort(table.hand))}")
        card = player(capture, table.floor, options)
        captures = capture(table.floor, card)
        after = _situation_after(table, card, captures)
        taken = ", ".join(" + ".join(map(card_text, cards)) for cards in captures)
        action = f"captures {taken}.{' A sweep!' * (not after.floor)}" if captures else "is laid on the floor."
        print(f"  {card_text(card)} {action}")
        return after

    @tail_recursive
    def play_rounds(table: Situation, number: int) -> Situation:
        if is_game_over(table.deck, table.floor, table.hand):
            return table
        return recur(_deal_again(play_round(table, number)), number + 1)

    table = play_rounds(_deal_again(Situation(produce_shuffled_deck())), 1)
    cards, sweeps = pile_score(table.scored), SWEEP_POINTS * table.sweeps
    print(f"\nThe game is over.\n  floor: {cards_text(table.floor)}\n  hand:  {cards_text(table.hand)}")
    print(f"  scored: {len(table.scored)} cards, {cards} points\n  sweeps: {table.sweeps}, {sweeps} points")
    print(f"Score: {cards + sweeps}")
    return cards + sweeps


def bot(capture: Capture, floor: Floor, options: Cards) -> Card:
    """Return the card of `options` that captures the most cards.

    If several cards capture equally many cards, return the first.
    """
    return max(options, key=lambda card: sum(map(len, capture(floor, card))))


def by_hand(_capture: Capture, _floor: Floor, options: Cards) -> Card:
    """Ask a person for the number of a card until the number is valid, and return that card of `options`."""
    offer = "  ".join(f"{number}: {card_text(card)}" for number, card in enumerate(options, 1))
    choices = {str(number): card for number, card in enumerate(options, 1)}
    answer = input(f"  You may play  {offer}\n  Which number? ").strip()
    while answer not in choices:
        answer = input(f"  A number from 1 to {len(options)}, please: ").strip()
    return choices[answer]


def card_text(card: Card) -> str:
    """Return a card as people write it, such as `Q♠`.

    >>> from course.basra import SPADE
    >>> card_text(Card(SPADE, 12))
    'Q♠'
    """
    return {1: "A", 11: "J", 12: "Q", 13: "K"}.get(card.rank, str(card.rank)) + "♠♥♦♣"[card.suit.value]


def cards_text(cards: Cards) -> str:
    """Return cards as people write them, or a dash if there are none."""
    return " ".join(map(card_text, cards)) or "–"


def _deal_again(table: Situation) -> Situation:
    deck, hand = deal_to_hand(table.deck, table.hand)
    deck, floor = deal_to_floor(deck, table.floor)
    return replace(table, deck=deck, floor=floor, hand=hand)


def _situation_after(table: Situation, card: Card, captures: Captures) -> Situation:
    """Return the situation after `card` was played. If there are no `captures`, the card is added to the floor."""
    taken = tuple(chain.from_iterable(captures))
    hand, floor = remove_cards(table.hand, (card,)), remove_cards(table.floor, taken)
    if not taken:
        return replace(table, hand=hand, floor=(*floor, card))
    return Situation(table.deck, floor, hand, (*table.scored, card, *taken), table.sweeps + (not floor))
