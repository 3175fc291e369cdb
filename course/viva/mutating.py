"""Programs that are changed in one place, as a slip would. Their results are plausible wrong choices."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import copy, deepcopy

from course.viva.program import Program
from course.viva.swapping import swapped_programs

SIGNS_FOR = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
OPERATORS_FOR = {ast.Add: ast.Sub, ast.Sub: ast.Add}


def mutated_programs(program: Program) -> Iterator[Program]:
    """Yield the program with another comparison, another operator, another number, or two branches swapped."""
    for position, node in enumerate(ast.walk(program.tree)):
        if _is_changed(copy(node)):
            tree = deepcopy(program.tree)
            _is_changed([*ast.walk(tree)][position])
            yield Program(tree)
    yield from (swapped for _, swapped in swapped_programs(program))


def _is_changed(node: ast.AST) -> bool:
    """Change a node, if it can be changed."""
    match node:
        case ast.Compare(ops=[sign]) if type(sign) in SIGNS_FOR:
            node.ops = [SIGNS_FOR[type(sign)]()]
        case ast.BinOp(op=operator) if type(operator) in OPERATORS_FOR:
            node.op = OPERATORS_FOR[type(operator)]()
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            node.value = number + 1
        case _:
            return False
    return True
