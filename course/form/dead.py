"""Code in an answer that cannot matter: it never runs, or nothing uses its value. Called by the rule `requires`.

Only plain cases are recognized, since nothing is run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from course.form.reading import Reading

ENDS = ast.Return, ast.Raise, ast.Continue, ast.Break
DEFINITIONS = ast.FunctionDef, ast.AsyncFunctionDef


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
    functions = reading.all(ast.FunctionDef, ast.AsyncFunctionDef)
    yield from reading.all(ast.Assert)
    yield from (each.value.func if isinstance(each.value, ast.Call) else each.value for each in reading.all(ast.Expr))
    yield from (each.annotation for each in reading.all(ast.AnnAssign, ast.arg) if each.annotation)
    yield from (each.returns for each in functions if each.returns)
    yield from (each for each in functions if each.name not in reading.loads and reading.function_of(each))
    for node in reading.all(ast.Assign, ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = [each.id for each in targets if isinstance(each, ast.Name)]
        if len(names) == len(targets) and not {*names} & reading.loads and reading.function_of(node):
            yield node


def _replaced(reading: Reading) -> Iterator[ast.AST]:
    """Yield functions that the next statement of their block defines again, unless its decorators use them."""
    for one, other in (pair for block in _blocks(reading) for pair in pairwise(block)):
        if isinstance(one, DEFINITIONS) and isinstance(other, DEFINITIONS) and one.name == other.name:
            read = (node for decorator in other.decorator_list for node in ast.walk(decorator))
            if not any(isinstance(node, ast.Name) and node.id == one.name for node in read):
                yield one


def _blocks(reading: Reading) -> Iterator[list[ast.stmt]]:
    yield reading.own_tops
    for node in reading.nodes:
        blocks = (getattr(node, field, None) for field in ("body", "orelse", "finalbody"))
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
