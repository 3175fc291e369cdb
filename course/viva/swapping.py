"""Programs in which two branches have changed places."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import partial
from itertools import pairwise

from course.viva.program import Program, elif_of, words_of_ifs


def swapped_programs(program: Program) -> Iterator[tuple[str, Program]]:
    """Yield the program with two branches swapped, and in words which. None shares its words with another."""
    swaps = list(_swaps(program))
    times = Counter(words for words, _, _ in swaps)
    for words, position, change in swaps:
        if times[words] == 1:
            yield f"{words} changed places", _with(program, position, change)


def _swaps(program: Program) -> Iterator[tuple[str, int, Callable[[ast.AST], object]]]:
    """Yield what can change places in a program: in words, the position in the tree, and how to change that node."""
    ifs = words_of_ifs(program.tree)
    for position, node in enumerate(ast.walk(program.tree)):
        match node:
            case ast.Match(cases=cases):
                for index, (one, other) in enumerate(pairwise(cases)):
                    lines = f"lines {one.pattern.lineno} and {other.pattern.lineno}"
                    yield f"the cases on {lines}", position, partial(_swap_cases, index)
            case ast.If(orelse=[_, *_]) if not elif_of(node):
                words = f"the two branches of the `{ifs.get(node, 'if')}` on line {node.lineno}"
                yield words, position, _swap_branches
            case ast.IfExp(body=one, orelse=other) if not isinstance(other, ast.IfExp):
                same = one.lineno == other.lineno
                lines = f"line {one.lineno}" if same else f"lines {one.lineno} and {other.lineno}"
                yield f"the values before `if` and after `else` on {lines}", position, _swap_branches


def _with(program: Program, position: int, change: Callable[[ast.AST], object]) -> Program:
    tree = deepcopy(program.tree)
    change(list(ast.walk(tree))[position])
    return Program(tree)


def _swap_cases(index: int, node: ast.AST) -> None:
    if isinstance(node, ast.Match):
        node.cases[index : index + 2] = node.cases[index : index + 2][::-1]


def _swap_branches(node: ast.AST) -> None:
    vars(node).update(body=vars(node)["orelse"], orelse=vars(node)["body"])
