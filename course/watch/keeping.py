"""Keeping values as they are now: what cannot change is kept itself, what can is copied, what is alive is only named.

No method of a learner's class is called for it: it might print, raise, or take a day.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from functools import partial
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType, NoneType
from typing import Any

from toolz.functoolz import Compose, curry

from course.functional import Recur
from course.values import Todo, value

PLAIN = frozenset((NoneType, bool, int, float, complex, str, bytes, range, FunctionType, BuiltinFunctionType, type))
ATOMS = (*PLAIN, Enum, MethodType, ModuleType, partial, curry, Compose, BaseException, Todo)
DEEPEST_KEPT, MOST = 12, 2000


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

    def keep(self, thing: Any) -> Any:
        """Give a thing, or what stands for it, so that it stays as it is."""
        if type(thing) in PLAIN or id(thing) in self.known:
            return thing
        return self._copied(thing, 0)

    def _is_frozen(self, thing: Any) -> bool:
        """Tell whether a thing is unchangeable down to its last part, and remember that it is."""
        seen: dict[int, Any] = {}
        todo = [thing]
        while todo and len(seen) < MOST:
            part = todo.pop()
            if isinstance(part, ATOMS) or id(part) in self.known:
                continue
            if (inner := parts_of(part)) is None:
                return False
            seen[id(part)] = part
            todo += inner
        self.known |= seen
        return True

    def _copied(self, thing: Any, depth: int) -> Any:
        kind = type(thing)
        if self._is_frozen(thing):
            return thing
        if depth > DEEPEST_KEPT:
            return Alive(kind.__name__)
        if kind in (list, tuple):
            return kind(self._copied(each, depth + 1) for each in thing[:MOST])
        if kind in (set, frozenset, dict):
            items = tuple(thing.items() if kind is dict else thing)[:MOST]
            return Held(kind.__name__, self._copied(items, depth + 1))
        if kind is Recur:
            return Recur(self._copied(thing.args, depth + 1), thing.kwargs)
        inside = fields_of(thing)
        return Alive(kind.__name__) if inside is None else Copied(kind.__name__, self._copied(inside, depth + 1))


def parts_of(thing: Any) -> list[Any] | None:
    """Give the parts of a thing that cannot change by itself, None of one that can."""
    if isinstance(thing, tuple):
        return list(tuple.__iter__(thing))
    if is_dataclass(thing) and type(thing).__dataclass_params__.frozen:  # type: ignore[union-attr]
        return [each for _, each in fields_of(thing) or ()]
    return None


def fields_of(thing: Any) -> tuple[tuple[str, Any], ...] | None:
    """Give what an object of a class of one's own holds, by name; None for anything else."""
    if is_dataclass(thing):
        return tuple((field.name, getattr(thing, field.name, None)) for field in fields(thing))
    return tuple(vars(thing).items()) if hasattr(thing, "__dict__") else None
