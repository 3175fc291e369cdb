"""The names that a unit's notebook lists as given, derived from the exports of the unit's module."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum
from inspect import getdoc, isclass, isfunction, signature
from typing import Any

from toolz import curry, groupby

from autograder.units.unit import Unit

FIRST_FEW = 4
IDENTIFIER = re.compile(r"\w+")
# Names of Python or toolz, with their use here. Their own docstrings differ from version to version.
OF_PYTHON = {
    "accumulate(items, step, initial=start)": "Return all results of a left fold, from the start value on.",
    "combinations(items, length)": "Return all selections of `length` items, each in the items' order.",
    "compose(f, g)": "Return the function that does `g` first and then `f`: `compose(f, g)(x)` is `f(g(x))`.",
    "curry": "Make a function that takes its arguments one at a time, or several at once: `@curry` above a `def`.",
    "identity(x)": "Return `x` unchanged.",
    "partial(function, *args)": "Return a function of the remaining arguments.",
    "replace(value, part=new)": "Return a copy of a frozen value, with new values for the parts that you name.",
}
ROWS_OF_PYTHON = {written.partition("(")[0]: (written, text) for written, text in OF_PYTHON.items()}


def given_names(unit: Unit) -> dict[str, str]:
    """Return the rows for the given names that a unit's lessons, statements or hints use, with their docstrings.

    Type names have their own table.
    """
    exported = {name: getattr(unit.module, name) for name in unit.module.__all__ if name not in unit.by_name}
    members = groupby(lambda name: type(exported[name]), exported)
    enums = {names[0]: dict(_enumeration(kind, names, exported)) for kind, names in members.items() if _is_enum(kind)}
    rows = (enums.get(name) or dict(_given(name, each)) for name, each in exported.items())
    file = unit.pack.file("solutions", unit.name)
    texts = [file.read_text("utf-8"), *(hint for each in unit.exercises for hint in each.hints)]
    used = {word for text in texts for word in IDENTIFIER.findall(text)}
    every = {written: says for row in rows for written, says in row.items()}
    return {written: says for written, says in every.items() if used & {*IDENTIFIER.findall(written.partition("(")[0])}}


def _is_enum(kind: type) -> bool:
    return issubclass(kind, Enum)


def _enumeration(kind: type[Enum], names: list[str], exported: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the row of an enumeration's members, with the dotted name that patterns need."""
    ordered = sorted(names, key=lambda name: list(kind).index(exported[name]))
    dotted = f" In a pattern, with the dot: `{kind.__name__}.{ordered[0]}`." if kind.__name__ in exported else ""
    yield ", ".join(ordered), f"{_sentence(kind)}{dotted}"


def _given(name: str, each: object) -> Iterator[tuple[str, str]]:
    """Yield the row of a name. Members of enumerations, and names that only annotations use, have no row."""
    if name in ROWS_OF_PYTHON:
        yield ROWS_OF_PYTHON[name]
    elif isfunction(each) or isinstance(each, curry):
        yield f"{name}({_parameters(each)})", _sentence(each)
    elif isclass(each):
        if each.__name__ == name and not _is_enum(each) and each.__doc__:
            yield name if issubclass(each, Exception) else f"{name}({_parameters(each)})", _sentence(each)
    elif isinstance(each, tuple):
        shown = ", ".join(map(repr, each[:FIRST_FEW]))
        yield name, f"{len(each)} values: `{shown}{', …' if len(each) > FIRST_FEW else ''}`"
    elif isinstance(each, int):
        yield name, f"`{each}`"
    elif not _is_enum(type(each)) and type(each).__module__.startswith("course"):
        yield name, _sentence(type(each))


def _parameters(function: Callable[..., object]) -> str:
    try:
        parameters = signature(function).parameters.values()
    except ValueError:  # a class written in C
        return "…"
    bare = (each.replace(annotation=each.empty, default=each.empty) for each in parameters)
    return ", ".join(map(str, bare))


def _sentence(each: object) -> str:
    """Return a docstring's first sentence, which may take several lines."""
    return " ".join((getdoc(each) or "").partition("\n\n")[0].split())
