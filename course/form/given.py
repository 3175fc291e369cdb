"""The names, methods, and types of a unit that the rules of form need to know."""

from __future__ import annotations

import builtins
import enum
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from types import ModuleType, UnionType
from typing import Union, get_args, get_origin, get_type_hints

from course.roles import role_module


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


# The names in examples; `docs/own-advice.md` explains them. The other names are Python's, or the learner's own.
NEUTRAL = word_set("item items wanted size value values part Kind name")


def in_words_of(module: str, example: str) -> str:
    """Return an example with the unit's own names instead of neutral ones.

    They are in `ADVICE` of the unit's `advice.py`.

    >>> in_words_of("course.uno", "(*items, item)"), in_words_of("no.unit", "(*items, item)")
    ('(*cards, card)', '(*items, item)')
    """
    words: Mapping[str, str] = getattr(getattr(role_module(module, "advice"), "ADVICE", None), "words", {})
    return re.sub(r"\b[A-Za-z]+\b", lambda match: words.get(match[0], match[0]), example)


BUILTINS = word_set(" ".join(name for name in dir(builtins) if not name.startswith("_"))) - word_set(
    "copyright credits license exit quit help Ellipsis"
)


@dataclass(frozen=True)
class Given:
    """The names that a unit exports, with the facts about them that the rules of form need.

    These are names, methods, types, types of fields and of values, functions, and tuples with all members of an
    enumeration.
    """

    names: frozenset[str] = frozenset()
    methods: frozenset[str] = frozenset()
    types: dict[str, object] = field(default_factory=dict)
    fields: dict[str, object] = field(default_factory=dict)
    values: dict[str, type] = field(default_factory=dict)
    functions: dict[str, Callable[..., object]] = field(default_factory=dict)
    tuples: frozenset[str] = frozenset()


@cache
def given_of(name: str) -> Given:
    """Return the facts about the names that a unit's module exports; empty if there is no such module."""
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
    types = {
        key: value
        for key, value in public.items()
        if isinstance(value, (type, UnionType)) or get_origin(value) in (tuple, Union)
    }
    return Given(
        names=exported,
        methods=frozenset(m for cls in classes for m, it in vars(cls).items() if callable(it) and m[:2] != "__"),
        types=types,
        fields=_fields(classes, module),
        values={key: type(value) for key, value in public.items() if isinstance(value, (enum.Enum, *classes))},
        tuples=frozenset(key for key, value in public.items() if type(value) is tuple),
        functions={key: public[key] for key in exported if callable(public.get(key)) and key not in types},
    )


def _fields(classes: list[type], module: ModuleType) -> dict[str, object]:
    """Return the type of each field name; None for a name that has different types in two classes."""
    types: dict[str, object] = {}
    for cls in classes:
        try:
            hints = get_type_hints(cls, vars(module))
        except (NameError, TypeError):
            continue
        for name, kind in hints.items():
            types[name] = kind if types.get(name, kind) == kind else None
    return types


def field_names(kind: object) -> list[str]:
    """Return the names of a class's fields, or [] if it is not a dataclass."""
    return [*getattr(kind, "__dataclass_fields__", ())]


def item_of(kind: object) -> object:
    """Return the item type X of `tuple[X, ...]`, or None for any other type."""
    args = get_args(kind)
    return args[0] if get_origin(kind) is tuple and args[1:] == (Ellipsis,) else None


def members_of(kind: object) -> frozenset[object]:
    """Return the classes of a union. For a class, return only this class."""
    return frozenset(get_args(kind)) if isinstance(kind, UnionType) or get_origin(kind) is Union else frozenset({kind})
