"""The one walk over what leads to what: exercises to those they call, helpers to helpers, modules to modules."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def reached(start: Iterable[T], after: Callable[[T], Iterable[T]]) -> set[T]:
    """Return all that can be come to from `start`, which is part of it, where `after` gives what follows a thing.

    >>> sorted(reached("a", {"a": "b", "b": "ca", "c": "", "d": "a"}.__getitem__))
    ['a', 'b', 'c']
    """
    found = set(start)
    todo = list(found)
    while todo:
        fresh = set(after(todo.pop())) - found
        found |= fresh
        todo += fresh
    return found
