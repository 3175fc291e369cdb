"""Basra: which results count as equal. Captures and decks may be in any order, and any complete capture is right."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from course.basra import Card
from course.exam.alike import in_any_order
from course.exam.calls import Args
from course.exam.observation import Observation

# a form that no wrong answer can have, since no exception has this name
RIGHT_RESULT_TEXT = "captures that leave nothing to be captured"


def _same_if_complete(args: Args, observed: Observation) -> Observation:
    """Return the same form for all complete captures without overlap."""
    if not _are_captures(args, observed.value):
        return observed
    floor, card = args
    taken = tuple(chain.from_iterable(observed.value))
    sums = set[int]()
    for rank in (each.rank for each in floor if each not in taken):
        sums |= {rank, *(rank + each for each in sums)}
    overlaps = len(set(taken)) < len(taken)
    return observed if overlaps or card.rank in sums else Observation(raised=RIGHT_RESULT_TEXT)


def _sorted_captures(args: Args, observed: Observation) -> Observation:
    """Sort the captures, and the cards in each."""
    if not _are_captures(args, observed.value):
        return observed
    return replace(observed, value=tuple(sorted((tuple(sorted(each, key=repr)) for each in observed.value), key=repr)))


def _are_captures(args: Args, value: object) -> bool:
    """Return whether a value is a tuple of captures: different cards of the floor, with the sum of the played card."""
    if not args or type(value) is not tuple:
        return False
    floor, card = args
    for capture in value:
        if type(capture) is not tuple or not all(type(each) is Card and each in floor for each in capture):
            return False
        if not capture or len(set(capture)) < len(capture) or sum(each.rank for each in capture) != card.rank:
            return False
    return True


ALIKE = {"capture": _same_if_complete, "produce_all_captures": _sorted_captures, "produce_shuffled_deck": in_any_order}
