"""Only a unit's own files name it, so that units of packs can do whatever ours can."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.house import ROOT, belongs_to_a_unit
from tests.roads import name_of
from tests.units import known

# `bots` is also a plain word, so it counts only in imports and where a string has nothing else.
PLAIN = {"bots"}
UNITS = {*known().packs[0].units}
WORDS = re.compile(rf"\b({'|'.join(UNITS - PLAIN)})\b")
SCRIPTS = (".js", ".mjs", ".css", ".html")


def named_in(source: str) -> Iterator[str]:
    """Yield the units that a program names in imports, identifiers and strings, except docstrings.

    >>> [*named_in("from course import uno, bots"), *named_in("from course.sedma import RA")]
    ['uno', 'bots', 'sedma']
    >>> [*named_in("table = {'uno': basra.Card, 'bots': bots}"), *named_in("def f(dominoes):\\n    'A uno docstring.'")]
    ['uno', 'bots', 'basra', 'dominoes']
    """
    tree = ast.parse(source)
    docstrings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                modules = [getattr(node, "module", "") or "", *(alias.name for alias in names)]
                yield from (part for each in modules for part in each.split(".") if part in UNITS)
            case ast.Constant(value=str(text)) if node not in docstrings:
                yield from [text] if text in PLAIN else WORDS.findall(text)
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield from WORDS.findall(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield from WORDS.findall(name)


def test_only_the_files_of_a_unit_name_it() -> None:
    guilty = dict[Path, set[str]]()
    for path in (path for folder in ("course", "autograder") for path in (ROOT / folder).rglob("*.*")):
        if path.suffix == ".py" and not belongs_to_a_unit(name_of(path)):
            guilty[path] = {*named_in(path.read_text(encoding="utf-8"))}
        elif path.suffix in SCRIPTS:
            guilty[path] = {*WORDS.findall(path.read_text(encoding="utf-8"))}
    assert {path.relative_to(ROOT).as_posix(): names for path, names in guilty.items() if names} == {}
