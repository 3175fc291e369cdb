"""Helpers in `solutions/`: private definitions that references use. They are put into the references' bodies."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from course.graph import reachable_from
from course.syntax import bound_names, first_line, lines_of

DEEPER = " " * 4


def helper_name(node: ast.stmt) -> str:
    """Return the name of the helper that a top-level statement defines, or "" if it defines none.

    >>> [helper_name(node) for node in ast.parse("def _rank(card): return 1\\n_ACES = 4\\ndeck = ()").body]
    ['_rank', '_ACES', '']
    """
    is_definition = isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign)
    names = [name for name in bound_names(node) if name.startswith("_") and name.strip("_")] if is_definition else []
    return names[0] if len(names) == 1 else ""


def helpers_used(node: ast.stmt, helpers: Mapping[str, ast.stmt]) -> tuple[str, ...]:
    """Return the helpers that a reference uses, directly or not, in the order of their definitions."""
    used = reachable_from(names_below(node) & helpers.keys(), lambda name: names_below(helpers[name]) & helpers.keys())
    return tuple(name for name in helpers if name in used)


def names_below(node: ast.AST | None) -> set[str]:
    """Return the names in a tree."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} if node else set()


def with_helpers(node: ast.FunctionDef, source: str, helpers: list[str]) -> str:
    """Return the source of a function with its helpers inside, after its docstring.

    So a helper is wherever the reference is, and no answer can call it.

    >>> source = "def f(x):\\n    'Return x.'\\n    return _g(x)"
    >>> print(with_helpers(ast.parse(source).body[0], source, ["def _g(x):\\n    return x"]))
    def f(x):
        'Return x.'
    <BLANKLINE>
        def _g(x):
            return x
    <BLANKLINE>
        return _g(x)
    """
    lines, last = lines_of(source), (node.body[0].end_lineno or 0) - first_line(node) + 1
    inside = [line for text in helpers for line in ("", *_indented(text))]
    return "\n".join([*lines[:last], *inside, "", *lines[last + (lines[last : last + 1] == [""]) :]])


def _indented(text: str) -> list[str]:
    """Return the lines of a statement one level deeper. Lines within a string stay as they are."""
    strings = (part for part in ast.walk(ast.parse(text)) if isinstance(part, ast.Constant | ast.JoinedStr))
    inside = {line for part in strings for line in range(part.lineno + 1, (part.end_lineno or 0) + 1)}
    lines = enumerate(lines_of(text), 1)
    return [line if number in inside or not line else DEEPER + line for number, line in lines]
