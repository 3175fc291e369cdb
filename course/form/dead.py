"""Code in an answer that cannot matter: it never runs, or nothing uses its value. Called by the rule `requires`.

Only plain cases are recognized, since nothing is run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from course.form.reading import FUNCTIONS, Reading

ENDS = ast.Return, ast.Raise, ast.Continue, ast.Break
FIELDS = "body", "orelse", "finalbody"


def dead_nodes(reading: Reading) -> set[ast.AST]:
    """Return nodes such that everything inside them is dead."""
    return {*_never_run(reading), *_never_used(reading), *_replaced(reading)}


def _never_run(reading: Reading) -> Iterator[ast.AST]:
    """Yield the code after a `return`, and the code behind a constant condition such as `if False`."""
    for block in _blocks(reading):
        end = next((index for index, each in enumerate(block) if isinstance(each, ENDS)), len(block))
        yield from block[end + 1 :]
    for node in reading.all(ast.If, ast.While, ast.IfExp):
        value = _constant(node.test)
        parts = {False: node.body, True: getattr(node, "orelse", [])}.get(value, []) if value is not None else []
        yield from parts if isinstance(parts, list) else [parts]
    for node in reading.all(ast.BoolOp):
        decides = isinstance(node.op, ast.Or)
        last = next((index for index, each in enumerate(node.values) if _constant(each) is decides), len(node.values))
        yield from node.values[last + 1 :]


def _never_used(reading: Reading) -> Iterator[ast.AST]:
    """Yield values that nothing uses: of statements, of unread names, in annotations and in assertions."""
    yield from reading.all(ast.Assert)
    for node in reading.all(ast.Expr):
        yield node.value.func if isinstance(node.value, ast.Call) else node.value
    for node in reading.all(ast.AnnAssign):
        yield node.annotation
    yield from (part for part in (arg.annotation for arg in reading.all(ast.arg)) if part)
    for node in reading.all(ast.FunctionDef, ast.AsyncFunctionDef):
        yield from [node.returns] if node.returns else []
        if node.name not in reading.loads and reading.function_of(node):
            yield node
    for node in reading.all(ast.Assign, ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = [each.id for each in targets if isinstance(each, ast.Name)]
        if len(names) == len(targets) and not {*names} & reading.loads and reading.function_of(node):
            yield node


def _replaced(reading: Reading) -> Iterator[ast.AST]:
    """Yield functions that the next statement of their block defines again."""
    for block in _blocks(reading):
        for one, other in pairwise(block):
            if isinstance(one, FUNCTIONS) and isinstance(other, FUNCTIONS):
                name = getattr(one, "name", "")
                if name and name == getattr(other, "name", "") and not _is_read(name, other):
                    yield one


def _is_read(name: str, node: ast.AST) -> bool:
    decorators = getattr(node, "decorator_list", [])
    return any(isinstance(each, ast.Name) and each.id == name for one in decorators for each in ast.walk(one))


def _blocks(reading: Reading) -> Iterator[list[ast.stmt]]:
    yield reading.own_tops
    for node in reading.nodes:
        blocks = (getattr(node, field, None) for field in FIELDS)
        yield from (block for block in blocks if isinstance(block, list) and block and isinstance(block[0], ast.stmt))


def _constant(test: ast.expr) -> bool | None:
    """Return the truth of a condition that is written as a constant, or None."""
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand) if (value := _constant(operand)) is not None:
            return not value
        case ast.Tuple(elts=parts) | ast.List(elts=parts) if not parts:
            return False
    return None
