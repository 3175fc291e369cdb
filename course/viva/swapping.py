"""Programs in which two branches have changed places."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import partial

from course.viva.program import Program


def swapped_programs(program: Program) -> Iterator[tuple[str, Program]]:
    """Yield the program with two branches in each other's place, for all branches that can change places."""
    for position, node in enumerate(ast.walk(program.tree)):
        match node:
            case ast.Match(cases=cases):
                for index in range(len(cases) - 1):
                    lines = f"lines {cases[index].pattern.lineno} and {cases[index + 1].pattern.lineno}"
                    words = f"the cases on {lines} changed places"
                    yield words, _with(program, position, partial(_swap_cases, index))
            case ast.If(orelse=[_, *_]) | ast.IfExp():
                words = f"the two branches of the `if` on line {node.lineno} changed places"
                yield words, _with(program, position, _swap_branches)


def _with(program: Program, position: int, change: Callable[[ast.AST], object]) -> Program:
    tree = deepcopy(program.tree)
    change(list(ast.walk(tree))[position])
    return Program(tree)


def _swap_cases(index: int, node: ast.AST) -> None:
    if isinstance(node, ast.Match):
        node.cases[index : index + 2] = node.cases[index : index + 2][::-1]


def _swap_branches(node: ast.AST) -> None:
    vars(node).update(body=vars(node)["orelse"], orelse=vars(node)["body"])
