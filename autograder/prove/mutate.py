"""The mutants of an exercise: its reference with one change."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile

from autograder.prove.algebra import is_same, number_names
from autograder.prove.operators import replacements
from autograder.prove.siblings import siblings_in
from autograder.units.unit import Exercise, Unit

Key = tuple[str, str, str, str]
NOT_CODE = ("annotation", "returns", "ctx", "type_comment", "op", "ops")


@dataclass(frozen=True)
class Mutant:
    """A changed reference: the original lines, and the changed ones."""

    unit: Unit
    exercise: str
    line: str
    becomes: str
    source: str

    @property
    def key(self) -> Key:
        return self.unit.name, self.exercise, self.line, self.becomes

    def __str__(self) -> str:
        """Return the changed lines as a diff."""
        old, new = (text.replace("\n", "\n  ") for text in (self.line, self.becomes))
        return f"{self.unit.name}.{self.exercise}\n- {old}\n+ {new}"


@dataclass(frozen=True)
class NodePosition:
    """The position of a node in its tree."""

    parent: ast.AST
    field: str
    index: int | None
    node: ast.AST

    def put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def _code_of(exercise: Exercise) -> ast.Module:
    """Return a new tree of the reference, without its docstring."""
    tree = ast.parse(exercise.source)
    match tree.body[0]:
        case ast.FunctionDef(body=[ast.Expr(ast.Constant(str())), *rest]) as function:
            function.body = rest
    return tree


def positions(tree: ast.AST) -> Iterator[NodePosition]:
    """Yield all positions in a tree, except in annotations."""
    for field, value in ast.iter_fields(tree):
        nodes = value if isinstance(value, list) else [value]
        for index, node in enumerate(nodes) if field not in NOT_CODE else ():
            if isinstance(node, ast.AST):
                yield NodePosition(tree, field, index if isinstance(value, list) else None, node)
                yield from positions(node)


@cache
def mutants_of(unit: Unit, exercise: Exercise) -> tuple[Mutant, ...]:
    """Return the mutants of an exercise. No two have the same text, and none is right by algebra."""
    tree = _code_of(exercise)
    original = ast.unparse(tree)
    changed = changed_texts(tree, unit, number_names(unit, exercise))
    texts = {text: None for text in changed if text != original and compiles(text)}
    return tuple(Mutant(unit, exercise.name, *changed_lines(original, text), text) for text in texts)


def all_mutants(unit: Unit) -> tuple[Mutant, ...]:
    """Return the mutants of all exercises of a unit."""
    return tuple(mutant for exercise in unit.exercises for mutant in mutants_of(unit, exercise))


def changed_texts(tree: ast.Module, unit: Unit, numbers: Collection[str] = ()) -> Iterator[str]:
    """Yield the text of the tree with one node replaced, for all nodes and replacements that are not right by algebra.

    `numbers` are names of numbers.
    """
    siblings = siblings_in(tree, unit)
    for position in list(positions(tree)):
        for node in replacements(position.node, siblings):
            if not is_same(position.parent, position.node, node, numbers):
                position.put(node)
                yield ast.unparse(tree)
                position.put(position.node)


def compiles(text: str) -> bool:
    """Return whether a text compiles. A mutant may not: only the last `match` arm may match everything."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "<mutant>", "exec")
        except (SyntaxError, ValueError):
            return False
    return True


def changed_lines(old: str, new: str) -> tuple[str, str]:
    """Return the changed lines of the old text and of the new text."""
    one, other = ([line.strip() for line in text.splitlines()] for text in (old, new))
    head = common_length(one, other)
    tail = common_length(one[head:][::-1], other[head:][::-1])
    return "\n".join(one[head : len(one) - tail]), "\n".join(other[head : len(other) - tail])


def common_length(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the common prefix of two sequences."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
