"""Normal forms for exercises with several right answers: equally good observations get the same form.

A unit's module `alike.py` has a table `ALIKE`. The function for an exercise takes a call's arguments and its
observation, and returns the form that all right observations share. It needs no reference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from course.exam.calls import Args
from course.exam.observation import Observation
from course.roles import role_module
from course.values import strictly_equal

EXACT_FLOATS = 2.0**53
InOneForm = Callable[[Args, Observation], Observation]


def alike_of(module: str) -> dict[str, InOneForm]:
    """Return a unit's functions that bring observations into a normal form, by exercise."""
    module_alike = role_module(module, "alike")
    return dict(module_alike.ALIKE) if module_alike else {}


def as_equal(_: Args, observed: Observation) -> Observation:
    """Return an observation whose numbers have one type, for exercises that compare as `==` does."""
    return replace(observed, value=plain_numbers(observed.value), after=tuple(map(plain_numbers, observed.after)))


def plain_numbers(value: object) -> object:
    """Return a value with whole numbers as `int`, so that two values that are `==` have the same form.

    >>> plain_numbers([True, 2.0, {"a": (0.5, -0.0)}])
    [1, 2, {'a': (0.5, 0)}]
    """
    match value:
        case bool():
            return int(value)
        case float() if value.is_integer() and abs(value) < EXACT_FLOATS:
            return int(value)
        case dict() if type(value) is dict:
            return {plain_numbers(key): plain_numbers(item) for key, item in value.items()}
        case list() | tuple() | set() | frozenset() if type(value) in (list, tuple, set, frozenset):
            return type(value)(map(plain_numbers, value))
    return value


def with_equal_parts(want: Observation, observed: Observation) -> Observation:
    """Return an observation in which each part that is `==` to the expected part is replaced by the expected part."""
    after = cast("tuple[object, ...]", _equal_part(want.after, observed.after))
    return replace(observed, value=_equal_part(want.value, observed.value), after=after)


def _equal_part(want: object, observed: object) -> object:
    if strictly_equal(plain_numbers(want), plain_numbers(observed)):
        return want
    match want, observed:
        case ([*_] as wants, [*_] as items) if type(wants) is type(items) and type(wants) in (list, tuple):
            parts = [_equal_part(*pair) for pair in zip(wants, items, strict=False)]
            rebuilt = [*parts, *items[len(wants) :]]
            return rebuilt if isinstance(items, list) else tuple(rebuilt)
        case dict(), dict():
            return {key: _equal_part(want[key], item) if key in want else item for key, item in observed.items()}
    return observed


def in_any_order(_: Args, observed: Observation) -> Observation:
    """Sort the items of a tuple, for exercises that allow any order."""
    return (
        replace(observed, value=tuple(sorted(observed.value, key=repr))) if type(observed.value) is tuple else observed
    )
