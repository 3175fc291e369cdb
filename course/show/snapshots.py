"""Keeping values as they are now: what cannot change is kept itself, what can is copied, what is alive is only named.

No method of a learner's class is called for it: it might print, raise, or take a day.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import partial
from itertools import islice
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType, NoneType
from typing import Any

from toolz.functoolz import Compose, curry

from course.functional import Recur
from course.values import Todo, value

PLAIN = frozenset((NoneType, bool, int, float, complex, str, bytes, range, FunctionType, BuiltinFunctionType, type))
ATOMS = (*PLAIN, Enum, MethodType, ModuleType, partial, curry, Compose, BaseException, Todo)
DEEPEST_KEPT, MOST, MOST_LOOKED_AT = 12, 2000, 5_000


@value
class Alive:
    """Stands for something that cannot be kept as it is: a generator, a file."""

    kind: str


@value
class Copied:
    """Stands for an object that may change: its class's name, and what its fields were."""

    kind: str
    fields: tuple[tuple[str, Any], ...]


@value
class Held:
    """Stands for a set or a dict: its class's name, and what was in it."""

    kind: str
    items: tuple[Any, ...]


class Keeper:
    """Keeps values; what it has once found unchangeable it does not look through again."""

    def __init__(self) -> None:
        self.known: dict[int, Any] = {}
        self.looked_at = 0  # parts of the thing at hand: a list that stands in it twice is copied twice

    def keep(self, thing: Any) -> Any:
        """Return a thing, or what stands for it, so that it stays as it is."""
        if type(thing) in PLAIN or id(thing) in self.known:
            return thing
        self.looked_at = 0
        return self._copied(thing, 0)

    def _is_frozen(self, thing: Any) -> bool:
        """Return whether a thing is unchangeable down to its last part, and remember that it is."""
        seen: dict[int, Any] = {}
        todo = [thing]
        while todo and len(seen) < MOST:
            part = todo.pop()
            self.looked_at += 1
            if issubclass(type(part), ATOMS) or id(part) in self.known:
                continue
            if (inner := parts_of(part)) is None:
                return False
            seen[id(part)] = part
            todo += inner
        self.known |= seen
        return True

    def _copied(self, thing: Any, depth: int) -> Any:
        if self._is_frozen(thing):
            return thing
        if depth > DEEPEST_KEPT or self.looked_at > MOST_LOOKED_AT:
            return Alive(kind_name(thing))
        return self._copy(thing, depth)

    def _copy(self, thing: Any, depth: int) -> Any:
        kind = type(thing)
        if kind in (list, tuple):
            return kind(self._copied(each, depth + 1) for each in thing[:MOST])
        if kind is dict:
            return Held("dict", tuple(self._all(pair, depth) for pair in islice(thing.items(), MOST)))
        if kind in (set, frozenset):
            return Held(kind.__name__, self._all(islice(thing, MOST), depth))
        if kind is Recur:
            return Recur(self._all(thing.args, depth), thing.kwargs)
        inside = fields_of(thing)
        if inside is None:
            return Alive(kind_name(thing))
        return Copied(kind_name(thing), tuple((name, self._copied(each, depth + 1)) for name, each in inside))

    def _all(self, things: Iterable[Any], depth: int) -> tuple[Any, ...]:
        return tuple(self._copied(each, depth + 1) for each in things)


def kind_name(thing: Any) -> str:
    """Return the name of a thing's class, without asking the class."""
    return str(type.__dict__["__name__"].__get__(type(thing)))


def parts_of(thing: Any) -> list[Any] | None:
    """Return the parts of a thing that cannot change by itself, None of one that can."""
    kind = type(thing)
    if issubclass(kind, tuple):
        return list(tuple.__iter__(thing))
    if is_dataclass(kind) and kind.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        return [each for _, each in fields_of(thing) or ()]
    return None


def fields_of(thing: Any) -> tuple[tuple[str, Any], ...] | None:
    """Return what an object of a class of one's own holds, by name; None for anything else."""
    if is_dataclass(type(thing)):
        return tuple((field.name, held(thing, field.name)) for field in fields(type(thing)))
    inside = held(thing, "__dict__")
    return tuple(inside.items()) if type(inside) is dict else None


def held(thing: Any, name: str) -> Any:
    """Return what a thing holds under a name, None if nothing, without asking its class."""
    try:
        return object.__getattribute__(thing, name)
    except Exception:  # of a property that is the learner's
        return None
