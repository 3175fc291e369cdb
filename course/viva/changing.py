"""Programs with one small change, each with a sentence that says what changed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from itertools import pairwise

from course.viva.program import Program

OTHER: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
LONGEST_PART = 50


def swapped_programs(program: Program) -> Iterator[tuple[str, Program]]:
    """Yield the program with two branches in each other's place, with a condition that says so: "if …"."""
    for place, node in enumerate(ast.walk(program.tree)):
        match node:
            case ast.Match(cases=cases):
                for index, (one, other) in enumerate(pairwise(cases)):
                    lines = f"lines {one.pattern.lineno} and {other.pattern.lineno}"
                    yield f"the cases on {lines} changed places", _with(program, place, _cases_swapped, index)
            case ast.If(orelse=[_, *_]) | ast.IfExp():
                words = f"the two branches of the `if` on line {node.lineno} changed places"
                yield words, _with(program, place, _branches_swapped, 0)


def edited_programs(program: Program) -> Iterator[tuple[str, Program]]:
    """Yield the program with another comparison, number or operator, with a condition that says so."""
    for place, node in enumerate(ast.walk(program.tree)):
        changed = deepcopy(node)
        if isinstance(node, ast.expr) and _edit(changed, 0):
            old, new = ast.unparse(node), ast.unparse(changed)
            if len(old) <= LONGEST_PART:
                yield f"`{new}` stood in place of `{old}` on line {node.lineno}", _with(program, place, _edit, 0)


def _with(program: Program, place: int, change, index: int) -> Program:  # type: ignore[no-untyped-def]
    tree = deepcopy(program.tree)
    change(list(ast.walk(tree))[place], index)
    return Program(tree)


def _cases_swapped(node: ast.Match, index: int) -> None:
    node.cases[index], node.cases[index + 1] = node.cases[index + 1], node.cases[index]


def _branches_swapped(node: ast.If | ast.IfExp, _: int) -> None:
    node.body, node.orelse = node.orelse, node.body  # type: ignore[assignment]


def _edit(node: ast.AST, _: int) -> bool:
    """Change a comparison, a sum or a condition in place, and return whether there was something to change."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in OTHER:
            node.ops = [OTHER[type(op)]()]
        case ast.BinOp(op=ast.Add() | ast.Sub(), right=ast.Constant(value=int(number))) if number is not True:
            node.right = ast.Constant(number + 1)
        case ast.BoolOp(op=op):
            node.op = ast.Or() if isinstance(op, ast.And) else ast.And()
        case _:
            return False
    return True
