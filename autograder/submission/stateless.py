"""Find out whether a unit's given names hold no state, so that calls in one process cannot affect each other.

`grading/run.py` groups answers only if the names hold none.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from dis import get_instructions
from enum import Enum
from enum import property as enum_property
from functools import cache, partial
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    GenericAlias,
    GetSetDescriptorType,
    MappingProxyType,
    MemberDescriptorType,
    ModuleType,
    UnionType,
)

from toolz import curry

from course.exam.calls import FacetOrder
from course.values import Todo

TRUSTED_PACKAGES = {"course", "toolz", *sys.stdlib_module_names}
LEAF_TYPES = {bool, bytes, complex, float, int, range, str, type(None), BuiltinFunctionType, Todo}
DESCRIPTORS = {MemberDescriptorType, GetSetDescriptorType, enum_property, type(FacetOrder.name)}
UNREACHED = {"_field_defaults", "_abc_impl"}


class _State(Exception):
    """Raised for an object that may hold state."""


@cache
def is_stateless(module: ModuleType) -> bool:
    """Return whether the exports of a unit's module, and the objects that they refer to, are immutable.

    Functions and classes of the course, the standard library and toolz are trusted.

    >>> import course.dominoes as dominoes
    >>> is_stateless(dominoes)
    True
    """
    waiting, visited = [getattr(module, name) for name in module.__all__], dict[int, object]()
    try:
        while waiting:
            thing = waiting.pop()
            if id(thing) not in visited:
                visited[id(thing)] = thing
                waiting += _parts(thing)
    except (_State, ValueError):  # a variable of an enclosing function may have no value yet
        return False
    return True


def _parts(thing: object) -> Iterable[object]:
    """Return what an object refers to. Raises _State if the object is mutable, or of an unknown kind."""
    if _is_leaf(thing):
        return ()
    match thing:
        case type():
            return (*thing.__bases__, *_attributes_of(thing))
        case FunctionType():
            return _parts_of_function(thing)
        case partial() | curry():
            return (thing.func, *thing.args, *thing.keywords.values())
        case classmethod() | staticmethod():
            return (thing.__func__,)
        case property():
            return (thing.fget, thing.fset, thing.fdel)
    return _parts_of_value(thing, type(thing))


def _is_leaf(thing: object) -> bool:
    kind = type(thing)
    if isinstance(thing, type | FunctionType | ModuleType):
        name = getattr(thing, "__module__", None) or getattr(thing, "__name__", "")
        return str(name).split(".")[0] in TRUSTED_PACKAGES
    is_alias = isinstance(thing, GenericAlias | UnionType) or kind.__module__ == "typing"
    return is_alias or kind in LEAF_TYPES or kind in DESCRIPTORS


def _parts_of_value(value: object, kind: type) -> Iterable[object]:
    match value:
        case Enum():
            return (kind, value.value)
        case tuple() | frozenset() if not hasattr(value, "__dict__"):
            return value
        case MappingProxyType():
            return value.values()
    if is_dataclass(kind) and kind.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        return (kind, *(getattr(value, field.name) for field in fields(kind)))
    raise _State


def _attributes_of(kind: type) -> Iterator[object]:
    """Yield a class's attributes, except those that Python or a decorator has added."""
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    for name, part in vars(kind).items():
        is_added = name in UNREACHED or name[:1] == "_" == name[-1:]
        if not is_added or (isinstance(part, FunctionType) and part.__code__.co_filename == file):
            yield part


def _parts_of_function(function: FunctionType) -> Iterator[object]:
    yield from (cell.cell_contents for cell in function.__closure__ or ())
    yield from (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values(), *vars(function).values())
    codes = [function.__code__]
    for code in codes:
        codes += [part for part in code.co_consts if isinstance(part, CodeType)]
        for step in get_instructions(code):
            if step.opname == "STORE_GLOBAL" or (step.opname == "STORE_DEREF" and step.argval in code.co_freevars):
                raise _State
        yield from (function.__globals__[name] for name in code.co_names if name in function.__globals__)
