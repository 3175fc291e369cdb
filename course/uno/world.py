"""The inputs of `is_lt` and `play` for *Find the wrong answers*: all pairs of cards, and desks of two players."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from course.exam.calls import Args
from course.exam.world import World
from course.uno import (
    BLUE,
    CLOCKWISE,
    COLORS,
    RANKS,
    RED,
    WILDS,
    Crd,
    Desk,
    DrawTwo,
    Num,
    Player,
    Proceed,
    Wild,
    always_pass,
    first_playable,
    last_in_hand,
)

SAMPLE_CARDS = (Crd(Num(5), RED), Crd(Num(5), BLUE), Crd(Num(9), BLUE), Crd(DrawTwo(), RED), *WILDS)


def _card_pairs() -> Iterator[Args]:
    return product((*(Crd(rank, color) for color in COLORS for rank in RANKS), *WILDS), repeat=2)


def _desk_inputs() -> Iterator[Args]:
    """Yield desks like the one in the lesson, each with cards of the hand."""
    hands = [hand for size in (1, 2) for hand in product(SAMPLE_CARDS, repeat=size)]
    ivan = Player("Ivan", (Wild(),), always_pass, False)
    for strategy, hand in product((first_playable, last_in_hand, always_pass), hands):
        players = Player("Olga", hand, strategy, False), ivan
        desk = Desk(players, (Crd(Num(9), RED),), (Wild(),) * 6, Proceed(), CLOCKWISE, ())
        for some in dict.fromkeys(part for size in (1, 2) for part in combinations(hand, size)):
            yield desk, some


INPUTS_TEXT = (
    "a desk that `table` makes, with one or two cards that stand beside it in the hand, and `first_playable`, "
    "`last_in_hand` or `always_pass`"
)
WORLDS = {"is_lt": World("two cards", _card_pairs), "play": World(INPUTS_TEXT, _desk_inputs)}
