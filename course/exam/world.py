"""Small worlds: the inputs of an exercise for which kits store the right results.

Learners choose their own inputs. Both these inputs and the stored ones are normalized: differences that do not matter
to an exercise, such as the names of suits, are removed. So a few hundred stored inputs cover nearly everything that
people write.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from typing import Any, TypeAlias, TypeVar

from course.exam.calls import Args
from course.roles import role_module

T = TypeVar("T")
H = TypeVar("H", bound=Hashable)
Renaming: TypeAlias = Callable[[Any], Any]


def as_it_is(value: T) -> T:
    """Return a value unchanged."""
    return value


def unchanged(args: Args) -> tuple[Args, Renaming]:
    """Return the arguments unchanged, and a function that returns its own argument unchanged."""
    return args, as_it_is


@dataclass(frozen=True)
class World:
    """A few hundred inputs of an exercise, a short description of them, and a function that normalizes other inputs.

    `canonical` returns the normal form of an input, and a function that normalizes the result for this input. `blind`
    lists wrong answers that the world cannot catch, because normalizing removes the differences that these answers
    depend on.
    """

    description: str
    """A short description of the inputs."""
    inputs: Callable[[], Iterable[Args]]
    """A function that returns the inputs, a few hundred."""
    canonical: Callable[[Args], tuple[Args, Renaming]] = unchanged
    """A function that returns the normal form of an input, and how to normalize its result."""
    blind: tuple[str, ...] = ()
    """Known mistakes that depend on what normalizing removes."""

    def distinct(self) -> tuple[Args, ...]:
        """Return the inputs in normal form, without duplicates."""
        normalized = (self.canonical(args)[0] for args in self.inputs())
        return tuple({repr(args): args for args in normalized}.values())  # an argument may be a list


def worlds_of(module: str) -> dict[str, World]:
    """Return the world of each exercise of a unit. `module` is the name of the unit's module."""
    module_worlds = role_module(module, "world")
    return dict(module_worlds.WORLDS) if module_worlds else {}


def longer_tuples(length: int, before: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Yield the tuples that begin with `before` and have `length` more numbers.

    Each added number is at most one higher than the highest number before it.

    >>> tuple(longer_tuples(2, (0,)))
    ((0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (0, 1, 2))
    """
    if length == 0:
        yield before
        return
    for number in range(max(before, default=-1) + 2):
        yield from longer_tuples(length - 1, (*before, number))


def canonical_names(things: Iterable[H], names: Iterable[T]) -> dict[H, T]:
    """Return a dict that maps each distinct thing to a name: the first thing to the first name, and so on.

    >>> canonical_names("banana", (1, 2, 3))
    {'b': 1, 'a': 2, 'n': 3}
    """
    return dict(zip(dict.fromkeys(things), names, strict=False))


def renamed(value: Any, name: Renaming) -> Any:
    """Return a value with the function `name` applied to each part that is not a collection.

    >>> renamed((1, [2, "a"]), lambda part: part * 2)
    (2, [4, 'aa'])
    """
    if type(value) in (tuple, list):
        return type(value)(renamed(part, name) for part in value)
    if is_dataclass(value) and not isinstance(value, (type, Enum)):
        return replace(value, **{each.name: renamed(getattr(value, each.name), name) for each in fields(value)})
    return name(value)
