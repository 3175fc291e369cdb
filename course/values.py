"""Frozen values whose `repr` is the code that makes them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, NoReturn, TypeVar, dataclass_transform

T = TypeVar("T")
STUDENT_FUNCTION = "<student function>"  # what stands for a function that is not given, where there is no code for it


def positional_repr(self: Any) -> str:
    inside = ", ".join(repr(getattr(self, field.name)) for field in fields(self))
    return f"{type(self).__name__}({inside})"


@dataclass_transform(frozen_default=True)
def value(cls: type[T]) -> type[T]:
    """Return `cls` as a frozen dataclass that prints positionally, as it is written in code.

    >>> @value
    ... class Point:
    ...     x: int
    ...     y: int
    >>> Point(1, 2)
    Point(1, 2)
    """
    if "__repr__" not in cls.__dict__:
        cls.__repr__ = positional_repr  # type: ignore[assignment]
    return dataclass(frozen=True, repr=False)(cls)


class Named(Enum):
    """An enumeration whose members print as the bare names that a unit exports (`RED`, not `<Color.RED: 4>`)."""

    def __repr__(self) -> str:
        return self.name

    __str__ = __repr__


def strictly_equal(one: object, other: object) -> bool:
    """Return whether two values are equal and of the same types throughout: `True` is not `1`, a list is no tuple.

    >>> strictly_equal((1, 2), (1, 2)), strictly_equal((1,), (True,)), strictly_equal((1,), [1])
    (True, False, False)
    """
    return type(one) is type(other) and repr(one) == repr(other)


TODO_STANDS = "this value is not written yet: it is still TODO"


class Todo:
    """Stands where a value is not written yet, and says so whatever is done with it.

    >>> TODO
    TODO
    >>> len(TODO)
    Traceback (most recent call last):
    NotImplementedError: this value is not written yet: it is still TODO
    """

    def __repr__(self) -> str:
        return "TODO"

    def _error(self) -> Exception:
        return NotImplementedError(TODO_STANDS)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise self._error()

    def __getattr__(self, _name: str) -> NoReturn:
        raise AttributeError(TODO_STANDS)  # of this class, so that who asks whether there is such an attribute hears no

    __call__ = __iter__ = __len__ = __getitem__ = __contains__ = __add__ = __radd__ = __bool__ = _refuse


TODO: Any = Todo()
