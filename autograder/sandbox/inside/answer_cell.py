"""The statements of an answer's cell: which ones the answer needs, and which ones only try it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache, cached_property
from types import CodeType

NAMED_BLOCKS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTING = (ast.Import, ast.ImportFrom)
READ_BY_DATACLASSES = {"ClassVar", "InitVar", "KW_ONLY"}


@cache
def parsed_body(source: str) -> list[ast.stmt]:
    """Return the statements of a source. They are cached, since the runs of a series load the same definitions."""
    return ast.parse(source).body


@cache
def compiled(statement: ast.stmt, label: str) -> CodeType:
    """Return a statement's code. As in Python 3.14, annotations are not computed, unless a dataclass needs them."""
    names = (getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(statement))
    is_read = isinstance(statement, ast.ClassDef) and not READ_BY_DATACLASSES.isdisjoint(names)
    flags = 0 if is_read else annotations.compiler_flag
    return compile(ast.Module([statement], []), f"<{label}>", "exec", flags, dont_inherit=True)


class AnswerCell:
    """The cell of an exercise's answer. Nothing is run here."""

    def __init__(self, name: str, source: str) -> None:
        self.name, self.statements = name, parsed_body(source)

    def only_tries(self, statement: ast.stmt, values: Mapping[str, object]) -> bool:
        """Return whether a statement below the answer completes neither the answer nor a value that it uses.

        `answer.register(...)` completes an answer, and `table.update(...)` a value. Lines above it always run.
        """
        if isinstance(statement, (*NAMED_BLOCKS, *IMPORTING)) or statement not in self._below:
            return False
        changed = (name for name in self._handles.intersection(_uses(statement)) if not is_fixed(values.get(name)))
        return not self.needs(statement) and not any(changed)

    def needs(self, statement: ast.stmt) -> bool:
        """Return whether the answer is not complete without a statement."""
        return self._completes(statement) or not self._needed.isdisjoint(_binds(statement))

    def _completes(self, statement: ast.stmt) -> bool:
        match statement:
            case ast.Expr(ast.Call(func=ast.Attribute(value=ast.Name(id=owner)))):
                return owner == self.name
        return False

    @cached_property
    def _below(self) -> set[ast.stmt]:
        """Return the statements below the answer."""
        last = max((index for index, each in enumerate(self.statements) if self.name in _binds(each)), default=0)
        return {*self.statements[last + 1 :]}

    @cached_property
    def _needed(self) -> set[str]:
        """Return the names that the answer uses, directly or not, and its own name."""
        parts = [({*_binds(each)}, {*_uses(each)}) for each in self.statements if not isinstance(each, ast.Expr)]
        needed, before = {self.name}, set[str]()
        while needed != before:
            before = needed
            needed = needed.union(*(uses for binds, uses in parts if needed & binds))
        return needed

    @cached_property
    def _handles(self) -> set[str]:
        """Return the names by which a statement can change a value of the answer: the value's, or a function's."""
        others = (each for each in self.statements if not isinstance(each, (*NAMED_BLOCKS, *IMPORTING)))
        values = {name for each in others for name in _binds(each)} - {self.name}
        blocks = (each for each in self.statements if isinstance(each, NAMED_BLOCKS) and each.name not in self._needed)
        return self._needed & values | {each.name for each in blocks if self._changes(each, self._needed & values)}

    def _changes(self, block: ast.stmt, values: set[str]) -> bool:
        """Return whether a function, which does not try the answer, can change its values."""
        bound = {name for node in ast.walk(block) if isinstance(node, ast.Global) for name in node.names}
        uses = {*_uses(block)}
        return self.name not in uses and not uses.isdisjoint(values | self._needed & bound)


@cache
def answer_cell(name: str, source: str) -> AnswerCell:
    """Return the cell of an answer, cached like its statements."""
    return AnswerCell(name, source)


def is_fixed(value: object) -> bool:
    """Return whether no call can change a value."""
    frozen = getattr(getattr(type(value), "__dataclass_params__", None), "frozen", False)
    return bool(frozen) or isinstance(value, (tuple, frozenset, str, int, float, type(None)))


def _binds(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement binds, or whose values it changes."""
    for node in [statement] if isinstance(statement, NAMED_BLOCKS) else ast.walk(statement):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
            case ast.alias(name=name, asname=other):
                yield (other or name).partition(".")[0]
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
                yield name
            case ast.Attribute(value=ast.Name(id=name), ctx=ast.Store()):
                yield name


def _uses(statement: ast.stmt) -> Iterator[str]:
    """Yield the global names, and the attributes, that a statement uses. Local variables do not count."""
    codes: list[object] = []
    with suppress(SyntaxError):  # such as `await` at the top
        codes.append(compiled(statement, ""))
    while codes:
        if isinstance(code := codes.pop(), CodeType):
            yield from code.co_names
            codes += code.co_consts
