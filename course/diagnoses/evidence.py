"""The evidence for a diagnosis: the answer's syntax tree, the failed call, and what other cells define."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from course.diagnoses.failure import GAVE, RAISED, Failure
from course.form.policy import Requirements
from course.form.reading import (
    BUILTINS,
    FUNCTION_NODES,
    FunctionSyntax,
    Source,
    UnitNames,
    unit_names_of,
    with_unit_names,
)
from course.limits import LONGEST_COMPARED_NAME
from course.syntax import PARSING_ERRORS, bound_names, code_on_one_line, tree_of

EXAMPLE_WIDTH = 70  # characters of code in an example
CORRECTION_WIDTH = 160  # characters of corrected code; if it were shortened, it could not be copied

EVERYDAY_TYPE_NAMES = frozenset(
    {"tuple", "list", "set", "generator"}
)  # names of types that messages use as plain words


@dataclass(frozen=True)
class Diagnosis:
    """A probable mistake and the next step: one or two sentences, with an example."""

    says: str
    """The next step."""
    example: str = ""
    """Code for the next step, or empty."""


@dataclass(frozen=True)
class SyntaxProblem:
    """The reason why a cell does not parse, as Python's message with the line."""

    says: str
    line: int = 0
    text: str = ""


def no_facts() -> str:
    return ""


@dataclass(frozen=True)
class Evidence:
    """Everything that is known about a wrong answer.

    `failures` are sorted, the smallest first. `helpers` are other cells, with the labels that failures use for them.
    `elsewhere` maps names to cells that define them, but were not run. `rebound` maps given names to the cells that
    redefined them, and `hidden` maps built-in names to the cells that redefined them. `not_imported` are given names
    that the notebook has not imported. If a cell failed, `defined_now` are the names that are defined in the notebook.
    """

    requirements: Requirements
    source: str
    failures: tuple[Failure, ...] = ()
    helpers: tuple[Source, ...] = ()
    prints: bool = False
    syntax_problem: SyntaxProblem | None = None
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    rebound: Mapping[str, str] = field(default_factory=dict)
    hidden: Mapping[str, str] = field(default_factory=dict)
    not_imported: frozenset[str] = frozenset()
    defined_now: frozenset[str] = frozenset()
    facts: Callable[[], str] = no_facts
    """Returns what decided the outcome of the failed call, in two sentences; "" if that is unknown."""

    # ---- the failure

    @cached_property
    def failure(self) -> Failure:
        return self.failures[0] if self.failures else Failure()

    @property
    def error(self) -> str:
        """Return the class of the exception; "" if none was raised, or if another exercise raised it."""
        return self.failure.error if self.failure.did == RAISED and not self.is_raised_inside else ""

    @property
    def message(self) -> str:
        return "" if self.is_raised_inside else self.failure.seen or ""

    def with_unit_names(self, example: str) -> str:
        """Return a code example with the unit's own names, such as `card` instead of `item`."""
        return with_unit_names(self.requirements.module, example)

    @property
    def is_raised_inside(self) -> bool:
        """Return whether the exception was raised in another exercise, which the answer called and which is right."""
        inside = self.failure.inside
        return inside is not None and inside.name in self.requirements.exercises - {self.requirements.name}

    def match_in_message(self, pattern: str, *errors: str) -> re.Match[str] | None:
        """Return the match of a pattern in the exception's message, or None.

        If `errors` are given, the exception's class must be one of `errors`.
        """
        return re.search(pattern, self.message) if not errors or self.error in errors else None

    @property
    def returned_none(self) -> bool:
        """Return whether the call returned None although another value was expected."""
        if self.failure.did == RAISED and not self.failure.line:  # the example failed when it used the returned value
            return "NoneType" in self.message and self.error in ("AttributeError", "TypeError")
        return self.failure.did == GAVE and self.failure.gives_none

    # ---- the sources

    @cached_property
    def tree(self) -> ast.Module:
        return _tree_or_empty(self.source)

    @cached_property
    def trees(self) -> dict[str, ast.Module]:
        """Return the syntax trees of the answer's cell and of the helpers, by label."""
        return {helper.label: _tree_or_empty(helper.source) for helper in self.helpers} | {
            self.requirements.name: self.tree
        }

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Return the nodes of the answer's definition."""
        return [node for top in self.defining_statements for node in ast.walk(top)]

    @cached_property
    def defining_statements(self) -> list[ast.stmt]:
        """Return the statements of the answer's cell that define something.

        Statements that only try out the answer are left out.
        """
        return [statement for statement in self.tree.body if bound_names(statement)]

    def all(self, *kinds: type[ast.AST]) -> list[Any]:
        return [node for node in self.nodes if isinstance(node, kinds)]

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return {inner: outer for outer in self.nodes for inner in ast.iter_child_nodes(outer)}

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        while node in self.parents:
            node = self.parents[node]
            yield node

    @property
    def assigned_value(self) -> ast.expr | None:
        """Return the expression that is assigned to the answer's name, or None if the answer is a `def`."""
        return next(
            (top.value for top in reversed(self.defining_statements) if isinstance(top, ast.Assign | ast.AnnAssign)),
            None,
        )

    @cached_property
    def function(self) -> ast.FunctionDef | None:
        """Return the `def` of the answer, or None if there is none."""
        defined = [
            top
            for top in self.defining_statements
            if isinstance(top, ast.FunctionDef) and top.name == self.requirements.name
        ]
        return defined[-1] if defined else None

    @cached_property
    def functions(self) -> dict[str, FunctionSyntax]:
        """Return all named functions in the answer and its helpers.

        If the answer and a helper define the same name, the answer's function is returned.
        """
        by_name: dict[str, FunctionSyntax] = {}
        for tree in reversed(self.trees.values()):
            own = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
            by_name |= {name: node for name, node in own.items() if name not in by_name}
        return by_name

    @cached_property
    def nodes_on_line(self) -> list[ast.AST]:
        """Return the nodes on the line that raised the exception."""
        line, nodes = self.failure.line, ast.walk(self.trees.get(str(self.failure.label), ast.Module([], [])))
        begins = [(node, getattr(node, "lineno", 0)) for node in nodes]
        return [
            node  # an expression that covers the line, or a statement that begins on it
            for node, begin in begins
            if begin == line or (isinstance(node, ast.expr) and begin <= line <= (node.end_lineno or 0))
        ]

    @cached_property
    def calls_on_line(self) -> list[ast.Call]:
        return [node for node in self.nodes_on_line if isinstance(node, ast.Call)]

    # ---- names

    @cached_property
    def given(self) -> UnitNames:
        return unit_names_of(self.requirements.module)

    @cached_property
    def parameters(self) -> list[str]:
        return [arg.arg for arg in positional_parameters(self.function)] if self.function else []

    @cached_property
    def known_names(self) -> set[str]:
        """Return the names that the author of a misspelt name may have meant."""
        defined = {name for tree in self.trees.values() for top in tree.body for name in bound_names(top)}
        own = self.assigned_names | self.pattern_names | defined | {*self.functions, *self.elsewhere}
        return own | self.given.names | self.requirements.exercises | BUILTINS

    @cached_property
    def assigned_names(self) -> set[str]:
        """Return the names to which the answer itself assigns a value."""
        return {node.id for node in self.all(ast.Name) if isinstance(node.ctx, ast.Store)} | {
            arg.arg for arg in self.all(ast.arg)
        }

    @cached_property
    def pattern_names(self) -> set[str]:
        """Return the names to which the answer's patterns assign a value."""
        return {node.name for node in self.all(ast.MatchAs, ast.MatchStar) if node.name}

    def most_similar_name(self, name: str, among: Iterable[str] | None = None) -> str:
        """Return the name that is most similar to a misspelt one, or "" if none is similar."""
        if len(name) > LONGEST_COMPARED_NAME:
            return ""
        pool = self.known_names if among is None else among
        others = [each for each in pool if each != name and len(each) <= LONGEST_COMPARED_NAME]
        same = [each for each in others if each.lower() == name.lower()]
        return next(iter(same + get_close_matches(name, sorted(others), 1, 0.75)), "")


def _tree_or_empty(source: str) -> ast.Module:
    """Return the syntax tree of a source; an empty tree if it does not parse."""
    try:
        return tree_of(source)
    except PARSING_ERRORS:
        return ast.Module([], [])


def called_name(node: ast.AST | None) -> str:
    """Return the name of the called function or method, or "" for other nodes."""
    match node:
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            return name
    return ""


def positional_parameters(function: FunctionSyntax) -> list[ast.arg]:
    """Return the positional parameters of a function."""
    return [*function.args.posonlyargs, *function.args.args]


def body_of(function: FunctionSyntax) -> list[ast.stmt]:
    """Return the statements of a function, without its docstring."""
    body: list[ast.stmt] = function.body if isinstance(function.body, list) else [ast.Return(function.body)]
    match body:
        case [ast.Expr(value=ast.Constant(value=str())), *rest]:
            return rest
    return body


def own_nodes(function: FunctionSyntax) -> Iterator[ast.AST]:
    """Return the nodes of a function in source order, without those of nested functions."""
    todo: list[ast.AST] = [*reversed(body_of(function))]
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, (*FUNCTION_NODES, ast.ClassDef)):
            todo += [*ast.iter_child_nodes(node)][::-1]


def code(node: ast.AST, most: int = 40) -> str:
    """Return a node as code on one line, cut to `most` characters."""
    return code_on_one_line(node, most)


def with_article(kind: str) -> str:
    """Return the name of a type with "a" or "an" before it, and in backticks if it is not an everyday word.

    >>> with_article("tuple"), with_article("Empty"), with_article("map")
    ('a tuple', 'an `Empty`', 'a `map`')
    """
    return f"{'an' if kind[:1].lower() in 'aeiou' else 'a'} {kind if kind in EVERYDAY_TYPE_NAMES else f'`{kind}`'}"
