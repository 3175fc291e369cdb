"""Convert frozen dataclasses and named tuples to plain data, and plain data back to values of annotated types.

A dataclass becomes a dict, a named tuple a list, and bytes become text. Fields with their default value are left out of
a dict; from a list, only those at its end are.
"""

from __future__ import annotations

from base64 import b85decode, b85encode
from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from operator import call
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
Decoder = Callable[[Any], Any]


def as_data(value: object) -> Any:
    """Return a value as plain data that JSON can store.

    >>> from course.exam.calls import Call
    >>> as_data((Call("value", None), b"a", {"b": Call("example", 1, chance=0)}))
    [['value', None], 'VE', {'b': ['example', 1, [], 0]}]
    """
    if is_dataclass(value):
        parts = dict[str, Any]()
        for each in fields(value):
            default = each.default if each.default_factory is MISSING else each.default_factory()
            if (part := getattr(value, each.name)) != default:
                parts[each.name] = as_data(part)
        return parts
    if isinstance(value, bytes):
        return b85encode(value).decode()
    if isinstance(value, dict):
        return {key: as_data(part) for key, part in value.items()}
    if not isinstance(value, tuple | list):
        return value
    items, defaults = [*value], [*getattr(value, "_field_defaults", {}).values()]
    while defaults and items[-1] == defaults.pop():
        items.pop()
    return [*map(as_data, items)]


def from_data(kind: type[T], data: object) -> T:
    """Convert plain data back to a value of the type `kind`.

    Unknown keys are ignored. The types of numbers, texts and other single values are not checked.

    Raises AttributeError, LookupError, TypeError or ValueError if the data do not have the form of the type.

    >>> from course.exam.calls import Call
    >>> from_data(tuple[Call, ...], [["value", None], ["args", [[1, 2]], ["yes"]]])[1]
    Call(kind='args', what=[[1, 2]], typed=('yes',), chance=None, keywords=())
    """
    value: T = decoder_of(kind)(data)  # type: ignore[arg-type]
    return value


@cache
def decoder_of(kind: Any) -> Decoder:
    """Return the function that converts plain data to a value of the type `kind`."""
    if is_dataclass(kind) or hasattr(kind, "_fields"):
        named = {name: decoder_of(hint) for name, hint in get_type_hints(kind).items()}
        if hasattr(kind, "_fields"):
            return lambda data: kind(*map(call, named.values(), data))
        return lambda data: kind(**{name: named[name](part) for name, part in data.items() if name in named})
    origin, parts = get_origin(kind), [*map(decoder_of, get_args(kind))]
    if origin in (Union, UnionType):
        several = next((part for part in parts if part is not data_unchanged), data_unchanged)
        return lambda data: several(data) if isinstance(data, list | tuple | dict) else data
    if origin is dict:
        return lambda data: {key: parts[1](part) for key, part in data.items()}
    if origin is tuple and ... not in get_args(kind):
        return lambda data: tuple(map(call, parts, data))
    if origin in (tuple, Sequence):
        return tuple if parts[0] is data_unchanged else lambda data: tuple(map(parts[0], data))
    return b85decode if kind is bytes else data_unchanged


def data_unchanged(data: object) -> object:
    """Return the value unchanged, because it needs no conversion."""
    return data
