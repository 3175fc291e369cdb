"""What a unit gives, as the rules of form need it: names, methods of its frozen types, and field types."""

from __future__ import annotations

import builtins
import enum
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from types import ModuleType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints


def words(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


BUILTINS = words(" ".join(name for name in dir(builtins) if not name.startswith("_"))) - words(
    "copyright credits license exit quit help Ellipsis"
)


@dataclass(frozen=True)
class Given:
    """What a unit gives: exported names, methods of its types, its types by name, its fields' types by name,
    the types of its values, its functions by name, and the names of its tuples.
    """

    names: frozenset[str] = frozenset()
    methods: frozenset[str] = frozenset()
    types: dict[str, Any] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)
    values: dict[str, type] = field(default_factory=dict)
    functions: dict[str, Any] = field(default_factory=dict)
    tuples: frozenset[str] = frozenset()


@cache
def given_of(name: str) -> Given:
    """Return what the unit with this module gives; empty if there is no such module."""
    try:
        module = import_module(name)
    except ImportError:
        return Given()
    exported = frozenset(getattr(module, "__all__", ())) - {
        getattr(probe, "__name__", "") for probe in getattr(module, "PROBES", ())
    }
    public = {key: value for key, value in vars(module).items() if not key.startswith("_")}
    ours = {"course", name.split(".")[0]}
    classes = [kind for kind in public.values() if isinstance(kind, type) and kind.__module__.split(".")[0] in ours]
    types = {key: value for key, value in public.items() if _is_type(value)}
    return Given(
        names=exported,
        methods=frozenset(m for cls in classes for m, it in vars(cls).items() if callable(it) and m[:2] != "__"),
        types=types,
        fields=_fields(classes, module),
        values={key: type(value) for key, value in public.items() if isinstance(value, (enum.Enum, *classes))},
        tuples=frozenset(key for key, value in public.items() if type(value) is tuple),
        functions={key: public[key] for key in exported if callable(public.get(key)) and key not in types},
    )


def _is_type(value: Any) -> bool:
    return isinstance(value, (type, UnionType)) or get_origin(value) in (tuple, Union)


def _fields(classes: list[type], module: ModuleType) -> dict[str, Any]:
    """Return the type of each field's name, unless two classes disagree on it."""
    types: dict[str, Any] = {}
    for cls in classes:
        try:
            hints = get_type_hints(cls, vars(module))
        except (NameError, TypeError):
            continue
        for name, kind in hints.items():
            types[name] = kind if types.get(name, kind) == kind else None
    return types


def item_of(kind: Any) -> Any:
    """Return the item type of `tuple[X, ...]`, or None."""
    match get_origin(kind), get_args(kind):
        case cls, (item, end) if cls is tuple and end is Ellipsis:
            return item
    return None


def members_of(kind: Any) -> frozenset[Any]:
    """Return the classes of a union, or the class itself."""
    return frozenset(get_args(kind)) if isinstance(kind, UnionType) or get_origin(kind) is Union else frozenset({kind})


def is_comparable(kind: Any) -> bool:
    """Return whether `==` is meant for a type (numbers and texts), or the type is unknown."""
    if kind is None or kind is Any or isinstance(kind, TypeVar):
        return True
    return any(member in (int, float, str, complex) for member in members_of(kind))
