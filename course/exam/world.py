"""Small worlds: inputs of an exercise, each standing for many similar ones, with their right results known to kits.

Learners choose inputs of their own. Differences that don't matter to an exercise (such as which suit is which) are
normalized on both sides, so that a few hundred inputs stand for nearly all that people write.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from typing import Any, TypeAlias

from course.exam.found import module_on

Args: TypeAlias = tuple[Any, ...]
Renaming: TypeAlias = Callable[[Any], Any]


def as_it_is(value: Any) -> Any:
    """Return a value unchanged."""
    return value


def unchanged(args: Args) -> tuple[Args, Renaming]:
    """Return inputs that stand for themselves."""
    return args, as_it_is


@dataclass(frozen=True)
class World:
    """The inputs of a world, a short description of them, and how other inputs are normalized.

    `canonical` returns the normal form of an input, and how to normalize its result. `blind` lists wrong answers that
    depend on what normalizing removes.
    """

    told: str
    inputs: Callable[[], Iterable[Args]]
    canonical: Callable[[Args], tuple[Args, Renaming]] = unchanged
    blind: tuple[str, ...] = ()

    def distinct(self) -> tuple[Args, ...]:
        """Return the normalized inputs, each once."""
        return tuple(dict.fromkeys(self.canonical(args)[0] for args in self.inputs()))


def worlds_of(module: str) -> dict[str, World]:
    """Return the worlds of a unit's exercises, by the name of the unit's module."""
    module_worlds = module_on(module, "worlds")
    return dict(module_worlds.WORLDS) if module_worlds else {}


def grown(length: int, before: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Yield the tuples with so many more numbers, each of which is either already there or the next new one.

    >>> tuple(grown(2, (0,)))
    ((0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (0, 1, 2))
    """
    if length == 0:
        yield before
        return
    for number in range(max(before, default=-1) + 2):
        yield from grown(length - 1, (*before, number))


def named_in_order(things: Iterable[Hashable], names: Iterable[Any]) -> dict[Any, Any]:
    """Return a name for each thing, in the order of first occurrence.

    >>> named_in_order("banana", (1, 2, 3))
    {'b': 1, 'a': 2, 'n': 3}
    """
    return dict(zip(dict.fromkeys(things), names, strict=False))


def renamed(value: Any, name: Renaming) -> Any:
    """Return a value with `name` applied to every part that has no parts itself.

    >>> renamed((1, [2, "a"]), lambda part: part * 2)
    (2, [4, 'aa'])
    """
    if type(value) in (tuple, list):
        return type(value)(renamed(part, name) for part in value)
    if is_dataclass(value) and not isinstance(value, (type, Enum)):
        return replace(value, **{each.name: renamed(getattr(value, each.name), name) for each in fields(value)})
    return name(value)
