"""Dominoes: which results count as equal.

A shuffle may have any order. If there are many items, it must neither keep nor reverse their order.
"""

from __future__ import annotations

from course.exam.alike import in_any_order
from course.exam.calls import Args
from course.exam.observation import Observation


def _ignore_order_of_shuffle(args: Args, observed: Observation) -> Observation:
    if len(args) != 1:
        return observed
    (items,) = args
    if len(set(items)) > 11 and type(observed.value) is tuple and observed.value in (items, items[::-1]):
        return observed
    return in_any_order(args, observed)


HANGING = ("play",)
ALIKE = {"list_shuffle": _ignore_order_of_shuffle}
