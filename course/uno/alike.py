"""Uno: which results count as equal.

Hands and a new deck may be in any order. `precedes` may raise an exception for a list that has neither of the values.
"""

from __future__ import annotations

from dataclasses import replace

from course.exam.alike import in_any_order
from course.exam.calls import Args
from course.exam.observation import Observation
from course.uno import Desk


def unordered(desk: Desk) -> Desk:
    """Return the desk with every hand sorted. A list of players stays a list, so it is never equal to a tuple."""
    players = [player.with_cards(type(player.cards)(sorted(player.cards, key=repr))) for player in desk.players]
    return desk.with_players(type(desk.players)(players))


def _ignore_hand_order(_: Args, observed: Observation) -> Observation:
    return replace(observed, value=unordered(observed.value)) if isinstance(observed.value, Desk) else observed


def _false_if_neither(args: Args, observed: Observation) -> Observation:
    if observed.raised != "IllegalGame" or not args:
        return observed
    equal, items, *values = args
    is_there = any(equal(item, value) for item in items for value in values)
    return observed if is_there else Observation(value=False)


HANGING = ("your_turn", "game")  # strategies see hands, whose order is free
DESK_FUNCTIONS = [
    "deal",
    "desk_normalize",
    "draw",
    "draw_two",
    "draw_four",
    "move_action",
    "play",
    "execution",
    "your_turn",
]
ALIKE = {"precedes": _false_if_neither, "deck": in_any_order, **dict.fromkeys(DESK_FUNCTIONS, _ignore_hand_order)}
