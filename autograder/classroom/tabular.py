"""Find answers that are mostly tables of values: the results are written down and not computed."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from course.syntax import UNPARSED, branch, children, tree_of

LEAST_VALUES, LEAST_VALUE_SHARE = 70, 0.25
LETTERS_A_VALUE, BITS_A_VALUE = 8, 32  # a long text or a large number can encode a table
VALUE_NODES = (
    ast.Tuple,
    ast.List,
    ast.Set,
    ast.Dict,
    ast.UnaryOp,
    ast.USub,
    ast.Attribute,
    ast.Call,
    ast.keyword,
    ast.MatchValue,
    ast.MatchClass,
    ast.MatchSequence,
    ast.MatchOr,
)


@dataclass(frozen=True)
class MostlyTables:
    """A student's answer that consists mostly of values: their number, and their share of the code (0 to 1)."""

    student: str
    exercise: str
    values: int
    share: float


def mostly_tables(student: str, sources: Mapping[str, str]) -> Iterator[MostlyTables]:
    """Yield a student's answers and helpers that consist mostly of values."""
    for exercise, source in sources.items():
        values, share = values_in(source)
        if values >= LEAST_VALUES and share >= LEAST_VALUE_SHARE:
            yield MostlyTables(student, exercise, values, share)


def values_in(source: str) -> tuple[int, float]:
    """Return the number of literal values in a source, and their share of all its nodes.

    >>> values_in("double = lambda n: {1: 2, 2: 4}[n]")
    (5, 0.42)
    """
    try:
        statements = tree_of(source).body
    except UNPARSED:
        return 0, 0.0
    nodes, values = list(_nodes(statements)), set[ast.AST]()
    for node in reversed(nodes):
        if _is_value(node) or (isinstance(node, VALUE_NODES) and values.issuperset(children(node))):
            values.add(node)
    count = sum(map(_weight, values))
    return count, round(count / (count + len(nodes) - len(values) or 1), 2)


def _nodes(statements: Iterable[ast.stmt]) -> Iterator[ast.AST]:
    """Yield the nodes of statements, without docstrings."""
    nodes = [node for statement in statements for node in branch(statement).nodes]
    alone = {node.value for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    yield from (node for node in nodes if node not in alone)


def _is_value(node: ast.AST) -> bool:
    """Return whether a node is a literal or a name such as `RED` or `Domino`."""
    return isinstance(node, ast.Constant | ast.MatchSingleton) or (isinstance(node, ast.Name) and node.id[:1].isupper())


def _weight(node: ast.AST) -> int:
    match node:
        case ast.Constant(value=str() | bytes() as text):
            return 1 + len(text) // LETTERS_A_VALUE
        case ast.Constant(value=int(number)):
            return 1 + number.bit_length() // BITS_A_VALUE
    return 1
