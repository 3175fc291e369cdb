"""The statements of a learner's source, parsed and compiled."""

from __future__ import annotations

import ast
from functools import cache
from types import CodeType

READ_BY_DATACLASSES = {"ClassVar", "InitVar", "KW_ONLY"}


@cache
def parsed_body(source: str) -> list[ast.stmt]:
    """Return the statements of a source. They are cached, since answers that run together load the same helpers."""
    return ast.parse(source).body


@cache
def compiled(statement: ast.stmt, label: str) -> CodeType:
    """Return a statement's code. As in Python 3.14, annotations are not computed, unless a dataclass needs them."""
    names = (getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(statement))
    is_read = isinstance(statement, ast.ClassDef) and not READ_BY_DATACLASSES.isdisjoint(names)
    flags = 0 if is_read else annotations.compiler_flag
    return compile(ast.Module([statement], []), f"<{label}>", "exec", flags, dont_inherit=True)


def used_elsewhere(statement: ast.stmt, source: str) -> set[str]:
    """Return the names that a definition, an import or an assignment gives values, and that other statements use."""
    others = (node for each in parsed_body(source) if each is not statement for node in ast.walk(each))
    return {*_given_by(statement)} & {node.id for node in others if isinstance(node, ast.Name)}


def _given_by(statement: ast.stmt) -> list[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return [(alias.asname or alias.name).partition(".")[0] for alias in names]
        case ast.Assign(targets=targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
    return []
