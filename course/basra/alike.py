"""Basra: captures and decks may be in any order, and any complete capture is right."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from itertools import chain

from course.basra import Card, Floor
from course.exam.alike import in_any_order
from course.exam.calls import Args
from course.exam.observation import Observation

# a form that no wrong answer can have, since no exception has this name
RIGHT = "captures that leave nothing to be captured"


def _captures(args: Args, observed: Observation) -> Observation:
    """Return the same form for all complete captures without overlap."""
    if not _are_captures(args, observed.value):
        return observed
    taken = tuple(chain.from_iterable(observed.value))
    left = [card.rank for card in args[0] if card not in taken]
    overlaps = len(set(taken)) < len(taken)
    return observed if overlaps or args[1].rank in _sums(left) else Observation(raised=RIGHT)


def _all_captures(args: Args, observed: Observation) -> Observation:
    """Sort the captures, and the cards in each."""
    if not _are_captures(args, observed.value):
        return observed
    return replace(observed, value=tuple(sorted((tuple(sorted(each, key=repr)) for each in observed.value), key=repr)))


def _are_captures(args: Args, value: object) -> bool:
    if not args or type(value) is not tuple or not all(type(capture) is tuple for capture in value):
        return False
    floor, card = args
    return all(_is_capture(floor, card, capture) for capture in value)


def _is_capture(floor: Floor, card: Card, capture: tuple[Card, ...]) -> bool:
    lies_there = bool(capture) and all(type(each) is Card and each in floor for each in capture)
    return lies_there and len(set(capture)) == len(capture) and sum(each.rank for each in capture) == card.rank


def _sums(ranks: list[int]) -> set[int]:
    """Return the sums of all non-empty selections of these ranks."""
    return reduce(lambda sums, rank: sums | {rank} | {rank + each for each in sums}, ranks, set[int]())


ALIKE = {"capture": _captures, "produce_all_captures": _all_captures, "produce_shuffled_deck": in_any_order}
