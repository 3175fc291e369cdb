"""A walk over any graph: of exercises and calls, of helpers, or of modules."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def reachable_from(start: Iterable[T], after: Callable[[T], Iterable[T]]) -> set[T]:
    """Return everything that can be reached from `start`, including `start`.

    `after` returns the successors of a node.

    >>> sorted(reachable_from("a", {"a": "b", "b": "ca", "c": "", "d": "a"}.__getitem__))
    ['a', 'b', 'c']
    """
    visited = set(start)
    todo = list(visited)
    while todo:
        fresh = set(after(todo.pop())) - visited
        visited |= fresh
        todo += fresh
    return visited
