"""Identifiers with words that CONTRIBUTING retires."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
# Public names that notebooks use are allowed.
PUBLIC = {"whole_game", "winning_place"}


@cache
def retired_words() -> frozenset[str]:
    """Return the words in the first column of CONTRIBUTING's table, except `nothing`, which is retired only alone."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[^|]*) \|", text.split("## Vocabulary")[1], re.MULTILINE)
    return frozenset(word for row in rows for word in re.findall(r"`(\w+)`", row))


def is_retired(name: str) -> bool:
    """Return whether an identifier contains a retired word.

    >>> is_retired("papers_of"), is_retired("nothing"), is_retired("earns_nothing"), is_retired("paper")
    (True, True, False, False)
    """
    return name == "nothing" or any(word.lower() in retired_words() for word in WORD.findall(name))


def bound_in(tree: ast.Module) -> Iterator[str]:
    """Yield every identifier that a module binds: variables, parameters, functions, classes and attributes."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                yield name
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name


def retired_in(path: Path, tree: ast.Module) -> set[str]:
    """Return the retired identifiers that a module binds; its own name is one of them."""
    return {name for name in {*bound_in(tree), path.stem} - PUBLIC if is_retired(name)}


def layer(path: Path) -> str:
    """Return the layer of a file: a folder of the course or the grader, or a module that stands alone.

    >>> layer(ROOT / "course/uno/alike.py"), layer(ROOT / "tests/house.py")
    ('course/alike', 'tests')
    """
    parts = path.relative_to(ROOT).parts
    return "/".join(parts[:2]) if parts[0] in ("autograder", "course") else parts[0]
