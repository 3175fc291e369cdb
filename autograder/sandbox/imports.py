"""The modules that sources import.

These modules are loaded before the sources run, because answers cannot open files.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache

from course.limits import MOST_IMPORTS
from course.syntax import UNPARSED, nodes_in, tree_of

ROOTS = sys.stdlib_module_names | {"toolz"}
# Importing these has side effects or takes very long, and no answer needs them.
REFUSED = {"__main__", "antigravity", "ensurepip", "idlelib", "lib2to3", "site", "test", "this", "tkinter", "turtle"}
REFUSED |= {"turtledemo", "venv"}
# Python imports these only when needed: for `strptime`, and for "\N{BLACK HEART SUIT}" in a source. Inputs may be
# values of `datetime` and `fractions`.
ALWAYS = ("datetime", "encodings.ascii", "encodings.latin_1", "fractions", "typing", "unicodedata", "zlib")
WITH = {"datetime": "_strptime", "time": "_strptime"}


def imported(sources: Iterable[str]) -> tuple[str, ...]:
    """Return the modules that these sources import and that exist where answers run.

    >>> imported(["from fractions import Fraction", "import time, solutions.uno, unittest.__main__"])
    ('_strptime', 'fractions', 'fractions.Fraction', 'time')
    """
    named = {name for source in sources for name in _imported_names(source) if _is_importable(name)}
    return tuple(sorted(named | {WITH[name] for name in named & {*WITH}})[:MOST_IMPORTS])


def _is_importable(name: str) -> bool:
    root, *_ = parts = name.split(".")
    is_fit = root in ROOTS and not REFUSED & {*parts} and not root.startswith(("_test", "_xx", "xx"))
    return is_fit and name.isascii()


@lru_cache(maxsize=512)
def _imported_names(source: str) -> frozenset[str]:
    if "import" not in source:
        return frozenset()
    try:
        return frozenset(name for node in nodes_in(tree_of(source)) for name in _named_in(node))
    except UNPARSED:
        return frozenset()


def _named_in(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(module=str(module), names=names, level=0):
            yield module
            yield from (f"{module}.{alias.name}" for alias in names if alias.name != "*")
        case ast.Call(
            func=ast.Name(id="__import__") | ast.Attribute(attr="import_module"), args=[ast.Constant(str(name))]
        ):
            yield name
        case ast.Call(func=ast.Name(id="import_module"), args=[ast.Constant(str(name))]):
            yield name
