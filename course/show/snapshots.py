"""Save values as they are now: immutable values themselves, mutable values as copies, others only by class name.

No method of a learner's class is called, because it might print, raise, or take very long.
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
from course.limits import DEEPEST_COPY, MOST_ITEMS_COPIED
from course.values import Todo, value

IMMUTABLE_TYPES = frozenset(
    (NoneType, bool, int, float, complex, str, bytes, range, FunctionType, BuiltinFunctionType, type)
)
ATOMIC_TYPES = (*IMMUTABLE_TYPES, Enum, MethodType, ModuleType, partial, curry, Compose, BaseException, Todo)


@value
class UncopiedValue:
    """A replacement for a value that cannot be copied, such as a generator or an object that is no dataclass."""

    kind: str


@value
class ObjectCopy:
    """A copy of a mutable dataclass object: the name of its class, and its fields."""

    kind: str
    fields: tuple[tuple[str, object], ...]


@value
class ContainerCopy:
    """A copy of a set or a dict: the name of its class, and its items."""

    kind: str
    items: tuple[Any, ...]


class SnapshotTaker:
    """An object that copies mutable values, and remembers which objects are immutable."""

    def __init__(self) -> None:
        self.known: dict[int, object] = {}
        self.looked_at = 0  # parts of the current value; one that occurs twice is copied twice

    def snapshot(self, thing: object) -> object:
        """Return an immutable value itself, and a copy of a mutable value."""
        if type(thing) in IMMUTABLE_TYPES or id(thing) in self.known:
            return thing
        self.looked_at = 0
        return self._copy(thing, 0)

    def _is_frozen(self, thing: object) -> bool:
        """Return whether a value and all its parts are immutable. Positive results are cached."""
        visited: dict[int, object] = {}
        todo = list[Any]([thing])
        while todo and len(visited) < MOST_ITEMS_COPIED:
            part = todo.pop()
            self.looked_at += 1
            if issubclass(type(part), ATOMIC_TYPES) or id(part) in self.known:
                continue
            kind = type(part)
            visited[id(part)] = part
            if issubclass(kind, tuple):
                todo += tuple.__iter__(part)
            elif is_dataclass(kind) and kind.__dataclass_params__.frozen:  # type: ignore[attr-defined]
                todo += (each for _, each in fields_of(part))
            else:
                return False
        self.known |= visited
        return True

    def _copy(self, thing: Any, depth: int) -> object:
        if self._is_frozen(thing):
            return thing
        if depth > DEEPEST_COPY or self.looked_at > MOST_ITEMS_COPIED:
            return UncopiedValue(class_name(thing))
        kind = type(thing)
        if kind in (list, tuple):
            return kind(self._copy(each, depth + 1) for each in thing[:MOST_ITEMS_COPIED])
        if kind is dict:
            pairs = islice(thing.items(), MOST_ITEMS_COPIED)
            return ContainerCopy("dict", tuple(self._copy_all(pair, depth) for pair in pairs))
        if kind in (set, frozenset):
            return ContainerCopy(kind.__name__, self._copy_all(islice(thing, MOST_ITEMS_COPIED), depth))
        if kind is Recur:
            return Recur(self._copy_all(thing.args, depth), thing.kwargs)
        if is_dataclass(kind):
            parts = fields_of(thing)
            return ObjectCopy(class_name(thing), tuple((name, self._copy(each, depth + 1)) for name, each in parts))
        return UncopiedValue(class_name(thing))

    def _copy_all(self, things: Iterable[object], depth: int) -> tuple[object, ...]:
        return tuple(self._copy(each, depth + 1) for each in things)


def class_name(thing: object) -> str:
    """Return the name of a value's class, without using the class's own methods."""
    return str(type.__dict__["__name__"].__get__(type(thing)))


def fields_of(thing: Any) -> tuple[tuple[str, object], ...]:
    """Return the fields of a dataclass object as pairs of a name and a value."""
    return tuple((field.name, plain_attribute(thing, field.name)) for field in fields(type(thing)))


def plain_attribute(thing: object, name: str) -> object:
    """Return an attribute of an object without calling the class's own methods; None if an exception is raised."""
    try:
        return object.__getattribute__(thing, name)
    except Exception:  # raised by a learner's property
        return None
