"""What a diagnosis goes by: the answer's syntax tree, the call that failed, and what the cells around it define."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from course.diagnoses.failure import GAVE, RAISED, Failure
from course.form.given import BUILTINS, Given, given_of
from course.form.policy import Requirements
from course.form.reading import FUNCTIONS, Function, Source
from course.syntax import UNPARSED, bound_names, in_a_line, tree_of

LONGEST_NAME = 40  # of longer ones thousands could be compared for minutes, and nobody mistypes one


@dataclass(frozen=True)
class Diagnosis:
    """What a learner has probably done, and what to do next, in a sentence or two; with a line or two of code."""

    says: str
    example: str = ""


@dataclass(frozen=True)
class Trouble:
    """Why a cell does not parse: what Python says, and where."""

    says: str
    line: int = 0
    text: str = ""


@dataclass(frozen=True)
class Evidence:
    """All that is known of an answer that is not right.

    `failures` are all that were seen, the smallest first; `helpers` are the texts of other cells, by the label that
    failures call them by; `elsewhere` tells of names in which cell they are defined that was not run, and `rebound` of
    given ones which cell gave them another meaning; `hidden` says what
    names of Python's own mean instead, since when; `not_imported` are given ones that the notebook does not have,
    and `defined_now` names that it has, where the failure is that of a cell.
    """

    asked: Requirements
    source: str
    failures: tuple[Failure, ...] = ()
    helpers: tuple[Source, ...] = ()
    prints: bool = False
    trouble: Trouble | None = None
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    rebound: Mapping[str, str] = field(default_factory=dict)
    hidden: Mapping[str, str] = field(default_factory=dict)
    not_imported: frozenset[str] = frozenset()
    defined_now: frozenset[str] = frozenset()

    # ---- the failure

    @cached_property
    def failure(self) -> Failure:
        return self.failures[0] if self.failures else Failure()

    @property
    def error(self) -> str:
        """The class of the exception, "" if there was none."""
        return self.failure.error if self.failure.did == RAISED else ""

    @property
    def message(self) -> str:
        return self.failure.seen or ""

    def said(self, pattern: str) -> re.Match[str] | None:
        """Return where the exception says something."""
        return re.search(pattern, self.message)

    @property
    def gave_none(self) -> bool:
        """Return whether the call gave None, where something else was expected."""
        return self.failure.did == GAVE and self.failure.gives_none

    # ---- the sources

    @cached_property
    def tree(self) -> ast.Module:
        return parsed(self.source)

    @cached_property
    def trees(self) -> dict[str, ast.Module]:
        """The trees of all that the answer may consist of, by label."""
        return {helper.label: parsed(helper.source) for helper in self.helpers} | {self.asked.name: self.tree}

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """The nodes of the answer's definition."""
        return [node for top in self.tops for node in ast.walk(top)]

    @cached_property
    def tops(self) -> list[ast.stmt]:
        """The statements of the answer's cell that define something: what is only tried out there does not count."""
        return [statement for statement in self.tree.body if bound_names(statement)]

    def all(self, *kinds: type[ast.AST]) -> list[Any]:
        return [node for node in self.nodes if isinstance(node, kinds)]

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return {inner: outer for outer in self.nodes for inner in ast.iter_child_nodes(outer)}

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        while node in self.parents:
            node = self.parents[node]
            yield node

    @cached_property
    def function(self) -> ast.FunctionDef | None:
        """The answer's own `def`, None if it has none."""
        found = [top for top in self.tops if isinstance(top, ast.FunctionDef) and top.name == self.asked.name]
        return found[-1] if found else None

    @cached_property
    def functions(self) -> dict[str, Function]:
        """The functions with names in all sources, the answer's own first."""
        found: dict[str, Function] = {}
        for tree in reversed(self.trees.values()):
            own = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
            found |= {name: node for name, node in own.items() if name not in found}
        return found

    @cached_property
    def here(self) -> list[Any]:
        """The nodes on the line that the exception came from."""
        tree = self.trees.get(str(self.failure.label))
        return [node for node in ast.walk(tree) if _covers(node, self.failure.line)] if tree else []

    @cached_property
    def calls_here(self) -> list[ast.Call]:
        return [node for node in self.here if isinstance(node, ast.Call)]

    def called_here(self, *names: str) -> str:
        """Return which of some functions is called on the line that failed, "" if none is."""
        return next((name for call in self.calls_here if (name := called(call)) in names), "")

    # ---- names

    @cached_property
    def given(self) -> Given:
        return given_of(self.asked.module)

    @cached_property
    def parameters(self) -> list[str]:
        return [arg.arg for arg in arguments(self.function)] if self.function else []

    @cached_property
    def known(self) -> set[str]:
        """The names that could have been meant."""
        own = {node.id for node in self.all(ast.Name) if isinstance(node.ctx, ast.Store)}
        own |= {arg.arg for arg in self.all(ast.arg)} | {*self.functions} | {*self.elsewhere}
        own |= {node.name for node in self.all(ast.MatchAs, ast.MatchStar) if node.name}
        own |= {name for tree in self.trees.values() for top in tree.body for name in bound_names(top)}
        return own | self.given.names | self.asked.exercises | BUILTINS

    @cached_property
    def bound(self) -> set[str]:
        """The names that the answer binds itself."""
        return {node.id for node in self.all(ast.Name) if isinstance(node.ctx, ast.Store)} | {
            arg.arg for arg in self.all(ast.arg)
        }

    def near(self, name: str, among: Any = None) -> str:
        """Return the name that a misspelt one is most like, "" if there is none."""
        if len(name) > LONGEST_NAME:
            return ""
        among = [each for each in (self.known if among is None else among) if each != name]
        among = [each for each in among if len(each) <= LONGEST_NAME]
        same = [each for each in among if each.lower() == name.lower()]
        return next(iter(same + get_close_matches(name, sorted(among), 1, 0.75)), "")


def parsed(source: str) -> ast.Module:
    """Return a source as a tree, an empty one if it does not parse."""
    try:
        return tree_of(source)
    except UNPARSED:
        return ast.Module([], [])


def _covers(node: ast.AST, line: int) -> bool:
    """Return whether a node stands on a line, and is not a whole definition around it."""
    begin, end = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
    return begin <= line <= end if isinstance(node, ast.expr) else begin == line


def called(node: ast.AST | None) -> str:
    """Return the name of what is called, be it bare or behind a dot; "" if the node is no such call."""
    match node:
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            return name
    return ""


def arguments(function: Function) -> list[ast.arg]:
    """Return the parameters of a function that have a place."""
    return [*function.args.posonlyargs, *function.args.args]


def body_of(function: Function) -> list[ast.stmt]:
    """Return the statements of a function, without its docstring."""
    body: list[ast.stmt] = function.body if isinstance(function.body, list) else [ast.Return(function.body)]
    match body:
        case [ast.Expr(value=ast.Constant(value=str())), *rest]:
            return rest
    return body


def own_nodes(function: Function) -> Iterator[ast.AST]:
    """Return the nodes of a function in the order of the text, without those of functions inside it."""
    todo: list[ast.AST] = [*reversed(body_of(function))]
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            todo += [*ast.iter_child_nodes(node)][::-1]


def code(node: ast.AST, most: int = 40) -> str:
    """Return a node as code on one line, shortened."""
    return in_a_line(node, most)


def with_article(kind: str) -> str:
    """Return the name of a type with its article.

    >>> with_article("int"), with_article("tuple")
    ('an int', 'a tuple')
    """
    return f"{'an' if kind[:1].lower() in 'aeiou' else 'a'} {kind}"
