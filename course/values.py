"""Frozen values, whose `repr` is the code that creates them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, NoReturn, TypeVar, dataclass_transform

T = TypeVar("T")
STUDENT_FUNCTION = "<student function>"  # shown in place of a function whose code is unknown


def positional_repr(self: Any) -> str:
    """Return the code that creates a dataclass value, with positional arguments."""
    inside = ", ".join([repr(getattr(self, name)) for name in type(self).__match_args__])
    return f"{type(self).__name__}({inside})"


@dataclass_transform(frozen_default=True)
def value(cls: type[T]) -> type[T]:
    """Return `cls` as a frozen dataclass. The `repr` of a value is a call with positional arguments.

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
    """An enumeration whose members are printed as their names only (`RED`, not `<Color.RED: 4>`)."""

    def __repr__(self) -> str:
        return self.name

    __str__ = __repr__


def strictly_equal(one: object, other: object) -> bool:
    """Return whether two values and all their parts are equal and have the same types, unlike `True` and `1`.

    >>> strictly_equal((1, 2), (1, 2)), strictly_equal((1,), (True,)), strictly_equal((1,), [1])
    (True, False, False)
    """
    return type(one) is type(other) and repr(one) == repr(other)


TODO_MESSAGE = "this value is not written yet: it is still TODO"


class Todo:
    """A placeholder for a value that is not written yet. Using a TODO as a value raises NotImplementedError.

    >>> TODO
    TODO
    >>> len(TODO)
    Traceback (most recent call last):
    NotImplementedError: this value is not written yet: it is still TODO
    """

    def __repr__(self) -> str:
        return "TODO"

    def _error(self) -> Exception:  # placeholders of the grader raise another one
        return NotImplementedError(TODO_MESSAGE)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise self._error()

    def __getattr__(self, _name: str) -> NoReturn:
        raise AttributeError(TODO_MESSAGE)  # this class, so that `hasattr` returns False

    __call__ = __iter__ = __len__ = __getitem__ = __contains__ = __add__ = __radd__ = __bool__ = _refuse


TODO: Any = Todo()
