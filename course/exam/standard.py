"""Encode values of Python's standard library by their parts, decode them, and observe the items of iterators.

Only exact types are encoded. Subclasses are not, because their methods could return false parts.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import UnionType
from typing import TYPE_CHECKING, Any

from course.limits import MOST_DIGITS, MOST_EQUAL_HASHES

if TYPE_CHECKING:  # importing them takes time
    from datetime import date, datetime, time
    from decimal import Decimal

ENDED, UNENDED = "", "..."
ONE_INTEGER = (int,)


@dataclass(frozen=True)
class IteratedItems:
    """The first items of an iterator, and how the iterator ended.

    `end` is ENDED, or the name of the exception that was raised. If there are more items than we observe, `end` is
    UNENDED.
    """

    items: tuple[object, ...]
    end: str = ENDED

    def __repr__(self) -> str:
        return self.as_code(repr)

    def as_code(self, code: Callable[[object], str]) -> str:
        """Return the items as code; `code` is the function that writes one item.

        >>> IteratedItems((1, 2)), IteratedItems((1, 2), UNENDED), IteratedItems((), "ValueError")
        (iter((1, 2)), iter((1, 2, ...)), iter(()) that raises ValueError)
        """
        if self.end == UNENDED:
            return f"iter(({', '.join(map(code, self.items))}, ...))"
        return f"iter({code(self.items)}){f' that raises {self.end}' if self.end else ''}"


@dataclass(frozen=True)
class StandardType:
    """A type of the standard library, and how to encode its values.

    A `StandardType` has the type's module, a function that returns a value's parts, and a function that makes a value
    from parts. The first part must have the first type in `kinds`, and so on. Parts of other types are refused, because
    `Fraction("1e999999999")`, for example, would take hours.
    """

    module: str
    parts: Callable[[Any], tuple[object, ...] | None]
    kinds: tuple[type | UnionType, ...]
    make: Callable[..., object] = lambda cls, *parts: cls(*parts)


def _range_parts(value: range) -> tuple[int, ...]:
    """Return the start, stop and step of a range. Equal ranges have the same parts.

    >>> _range_parts(range(0, 5, 2)), _range_parts(range(3, 3))
    ((0, 6, 2), (0, 0, 1))
    """
    if not value:
        return 0, 0, 1
    first, last = value[0], value[-1]
    return (first, first + 1, 1) if first == last else (first, last + value.step, value.step)


def _decimal_parts(value: Decimal) -> tuple[str] | None:
    """Return a number's text, or None if it is enormous or a signaling nan. Even `==` raises for a signaling nan."""
    _, digits, exponent = value.as_tuple()
    is_enormous = len(digits) > MOST_DIGITS or (type(exponent) is int and abs(exponent) > MOST_DIGITS)
    return None if is_enormous or value.is_snan() else (str(value),)


def _time_parts(value: time | datetime) -> tuple[object, ...]:
    return value.hour, value.minute, value.second, value.microsecond, value.fold, value.tzinfo


def _date_parts(value: date) -> tuple[object, ...]:
    return value.year, value.month, value.day


def _make_time(cls: Callable[..., object], *parts: object) -> object:
    *numbers, fold, zone = parts
    return cls(*numbers, zone, fold=fold)


def _make_ordered_dict(cls: Callable[..., object], keys: tuple[object, ...], items: tuple[object, ...]) -> object:
    if not have_few_collisions(keys):
        raise ValueError("keys that are made to collide")
    return cls(zip(keys, items, strict=True))


def have_few_collisions(items: Sequence[object]) -> bool:
    """Return whether at most a few items have the same hash.

    If many items have the same hash, making a set of the items takes minutes.
    """
    return len(items) <= MOST_EQUAL_HASHES or max(Counter(map(hash, items)).values()) <= MOST_EQUAL_HASHES


STANDARD_TYPES: dict[str, StandardType] = {
    "complex": StandardType("builtins", lambda value: (value.real, value.imag), (float, float)),
    "bytes": StandardType("builtins", lambda value: (value.hex(),), (str,), lambda cls, text: cls.fromhex(text)),
    "bytearray": StandardType("builtins", lambda value: (value.hex(),), (str,), lambda cls, text: cls.fromhex(text)),
    "range": StandardType("builtins", _range_parts, 3 * ONE_INTEGER),
    "Fraction": StandardType("fractions", lambda value: (value.numerator, value.denominator), 2 * ONE_INTEGER),
    "Decimal": StandardType("decimal", _decimal_parts, (str,)),
    "date": StandardType("datetime", _date_parts, 3 * ONE_INTEGER),
    "time": StandardType("datetime", _time_parts, 5 * ONE_INTEGER, _make_time),
    "datetime": StandardType(
        "datetime", lambda value: (*_date_parts(value), *_time_parts(value)), 8 * ONE_INTEGER, _make_time
    ),
    "timedelta": StandardType(
        "datetime", lambda value: (value.days, value.seconds, value.microseconds), 3 * ONE_INTEGER
    ),
    "timezone": StandardType("datetime", lambda value: (value.utcoffset(None),), ()),
    "deque": StandardType(
        "collections", lambda value: (value.maxlen, *value), (int | None,), lambda cls, most, *items: cls(items, most)
    ),
    "Counter": StandardType("collections", lambda value: (dict(value),), (dict,)),
    "defaultdict": StandardType(
        "collections", lambda value: (dict(value),), (dict,), lambda cls, items: cls(None, items)
    ),
    "OrderedDict": StandardType(
        "collections", lambda value: (tuple(value), tuple(value.values())), (tuple, tuple), _make_ordered_dict
    ),
}
MUTABLE_STANDARD_TYPES = frozenset({"bytearray", "deque", "Counter", "defaultdict", "OrderedDict"})


def standard_parts(value: object, cls: type) -> tuple[object, ...] | None:
    """Return the parts of a value, or None if its class is not in the table or the value is too large."""
    kind = STANDARD_TYPES.get(cls.__name__)
    if kind is None or getattr(sys.modules.get(kind.module), cls.__name__, None) is not cls:
        return None
    return kind.parts(value)


def standard_value(name: str, parts: list[object]) -> object:
    """Return the value that has these parts. Raises ValueError if no value has these parts."""
    kind = STANDARD_TYPES[name]
    if len(parts) < len(kind.kinds) or not all(map(isinstance, parts, kind.kinds)):
        raise ValueError(f"a malformed {name}")
    value = kind.make(getattr(import_module(kind.module), name), *parts)
    if repr(kind.parts(value)) != repr(tuple(parts)):
        raise ValueError(f"a malformed {name}")
    return value
