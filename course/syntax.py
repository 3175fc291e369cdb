"""Facts about Python source code: syntax trees, docstrings, and names; also, a walk over any graph."""

from __future__ import annotations

import ast
import re
import symtable
import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any, TypeVar

from course.limits import LONGEST_CACHED_SOURCE, LONGEST_NUMBER, MOST_CACHED_BRANCHES

FIELDS_WITHOUT_NODES = {
    "arg",
    "attr",
    "ctx",
    "id",
    "kind",
    "level",
    "module",
    "type_comment",
}  # fields that never contain nodes
SCOPE_NODES = ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef
COMPREHENSIONS = ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp
PARSING_ERRORS = (
    SyntaxError,
    ValueError,
    RecursionError,
    MemoryError,
)  # exceptions that parsing a learner's code may raise


def docstring_of(node: ast.stmt, after: ast.stmt) -> str:
    """Return the docstring of a definition, or "".

    The docstring of a value is the string literal in the next statement, `after`.
    """
    match node, after:
        case ast.FunctionDef() | ast.ClassDef(), _:
            return ast.get_docstring(node) or ""
        case ast.AnnAssign() | ast.Assign(), ast.Expr(value=ast.Constant(value=str(text))):
            return ast.get_docstring(ast.parse(f"def f():\n    {text!r}").body[0]) or ""  # type: ignore[arg-type]
    return ""


def first_line_number(node: ast.stmt) -> int:
    """Return the number of the line where a definition begins. A definition can begin with a decorator."""
    return min([node.lineno, *[decorator.lineno for decorator in getattr(node, "decorator_list", [])]])


def expression_of(code: str) -> ast.expr | None:
    """Return the syntax tree of an expression, or None if the text is not an expression."""
    try:
        return ast.parse(code, mode="eval").body
    except PARSING_ERRORS:
        return None


@lru_cache(maxsize=512)
def global_names_in(source: str) -> frozenset[str]:
    r"""Return the global names that source code uses or defines. Local variables of functions are left out.

    >>> sorted(global_names_in("def total(deck):\n    return sum(card_value(card) for card in deck)"))
    ['card_value', 'sum', 'total']
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return frozenset(_global_names(symtable.symtable(source, "<answer>", "exec")))
        except SyntaxError:  # some code can be parsed but not compiled: `def f(x, x): ...`
            return frozenset(node.id for node in ast.walk(tree_of(source)) if isinstance(node, ast.Name))


def _global_names(scope: symtable.SymbolTable) -> Iterator[str]:
    """Yield the global names that a scope and its inner scopes use."""
    if isinstance(scope, symtable.Function):
        yield from scope.get_globals()
    elif scope.get_type() == "module":
        yield from scope.get_identifiers()
    else:
        is_class = isinstance(scope, symtable.Class)
        yield from (s.get_name() for s in scope.get_symbols() if s.is_global() or (is_class and s.is_referenced()))
    for inner in scope.get_children():
        yield from _global_names(inner)


@lru_cache(maxsize=512)
def bound_names_in(source: str) -> frozenset[str]:
    """Return the names that the top-level statements of source code define."""
    return frozenset(name for statement in tree_of(source).body for name in bound_names(statement))


def bound_names(statement: ast.stmt) -> set[str]:
    """Return the names that a top-level statement defines, or whose values it changes in place (`table[key] = 1`)."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return {(alias.asname or alias.name).split(".")[0] for alias in names} - {"*"}
        case ast.Assign(targets=targets):
            return {name for target in targets for name in _target_names(target)}
        case ast.AnnAssign(target=target, value=value):
            return set(_target_names(target)) if value is not None else set()
        case ast.AugAssign(target=target):
            return set(_target_names(target))
        case ast.If() | ast.Try() | ast.With() | ast.For() | ast.While() | ast.Match():
            inner = [*ast.iter_child_nodes(statement)]
            for part in [*inner]:
                inner += part.body if isinstance(part, (ast.ExceptHandler, ast.match_case)) else []
            return {name for part in inner if isinstance(part, ast.stmt) for name in bound_names(part)}
    alias = getattr(statement, "name", None)  # a `type` statement, new in Python 3.12
    return {alias.id} if isinstance(alias, ast.Name) else set()


def names_defined_by(statement: ast.stmt) -> set[str]:
    r"""Return the names that a top-level statement defines. Names whose values are only changed in place are left out.

    >>> sorted(names_defined_by(ast.parse("for turn in range(3):\n    seen[turn] = last = turn").body[0]))
    ['last', 'turn']
    """
    names, todo = set[str](), list[ast.AST]([statement])
    while todo:  # names that `:=` binds in the scope of the statement, also inside comprehensions
        node = todo.pop()
        if isinstance(node, ast.NamedExpr):
            names.add(node.target.id)
        if not isinstance(node, SCOPE_NODES):
            todo += child_nodes(node)
    match statement:
        case ast.AugAssign() | ast.AnnAssign(value=None):
            return names
        case ast.Assign(targets=targets):
            return names.union(*map(_names_bound_by_target, targets))
        case ast.AnnAssign(target=target):
            return names.union(_names_bound_by_target(target))
        case ast.If() | ast.Try() | ast.With() | ast.For() | ast.While() | ast.Match():
            return names.union(*map(_names_defined_within, ast.iter_child_nodes(statement)))
    return names | bound_names(statement)


def _names_defined_within(node: ast.AST) -> Iterator[str]:
    """Yield the names that a part of a statement binds: a nested statement, a target, or a pattern."""
    match node:
        case ast.stmt():
            yield from names_defined_by(node)
        case ast.withitem(optional_vars=ast.expr() as target):
            yield from _names_bound_by_target(target)
        case ast.ExceptHandler(body=body):
            yield from (name for part in body for name in names_defined_by(part))
        case ast.match_case(pattern=pattern, body=body):
            yield from filter(None, (getattr(part, "name", None) for part in ast.walk(pattern)))
            yield from (name for part in body for name in names_defined_by(part))
        case ast.Name(ctx=ast.Store()) | ast.Tuple(ctx=ast.Store()) | ast.List(ctx=ast.Store()):
            yield from _names_bound_by_target(node)


def _names_bound_by_target(target: ast.expr) -> Iterator[str]:
    """Yield the names that a target binds, but not those in `table[key]` or `thing.field`."""
    return (part.id for part in ast.walk(target) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))


def _target_names(target: ast.expr) -> Iterator[str]:
    match target:
        case ast.Name(id=name):
            yield name
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _target_names(part)
        case ast.Starred(value=inner) | ast.Subscript(value=inner) | ast.Attribute(value=inner):
            yield from _target_names(inner)


def lines_of(source: str) -> list[str]:
    """Return the lines of source code as Python counts them. `str.splitlines` would also split at other characters.

    >>> lines_of("x = 'a\\x0cb'\\ny = 1\\n")
    ["x = 'a\\x0cb'", 'y = 1']
    """
    lines = re.split("\r\n|\r|\n", source)
    return lines if lines[-1] else lines[:-1]


def constant_code(value: object) -> str:
    """Return a constant as code. Integers are hexadecimal, because Python limits the number of decimal digits.

    >>> constant_code(255), constant_code(True), constant_code("a")
    ('0xff', 'True', "'a'")
    """
    return hex(value) if value.__class__ is int else repr(value)  # type: ignore[call-overload]


def node_code(node: ast.AST) -> str:
    """Return a syntax node as code.

    Integers with too many digits become `…`, because Python cannot write such integers.

    >>> node_code(ast.parse(f"flip(0x{'f' * 5_000}, 2)"))
    'flip(…, 2)'
    """
    try:
        return ast.unparse(node)
    except ValueError:
        return ast.unparse(_NumberShortener().visit(deepcopy(node)))


class _NumberShortener(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        is_long = isinstance(node.value, int) and node.value.bit_length() > LONGEST_NUMBER
        return ast.Name("…", ast.Load()) if is_long else node


def code_on_one_line(node: ast.AST, most: int) -> str:
    """Return a syntax node as code on one line, cut to `most` characters.

    >>> code_on_one_line(ast.parse("deal  (deck,  players)").body[0], 10)
    'deal(deck…'
    >>> code_on_one_line(ast.parse("sum(n for n in deck)").body[0], 40)  # `ast.unparse` doubles these parentheses
    'sum(n for n in deck)'
    """
    code = node_code(node)
    for inner in ast.walk(node) if len(code) <= LONGEST_CACHED_SOURCE else ():
        match inner:
            case ast.Call(args=[ast.GeneratorExp() as items], keywords=[]):
                code = code.replace(f"({node_code(items)})", node_code(items))
    code = " ".join(code.split())
    return code if len(code) <= most else f"{code[: most - 1]}…"


def child_nodes(node: ast.AST) -> list[ast.AST]:
    """Return a node's children, like `ast.iter_child_nodes`, but without the markers `Load` and `Store`."""
    nodes: list[ast.AST] = []
    kind: object = node.__class__
    for name in _fields_with_nodes(kind):
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            nodes.append(value)
        elif value and value.__class__ is list:
            nodes += [item for item in value if isinstance(item, ast.AST)]
    return nodes


@cache
def _fields_with_nodes(kind: type[ast.AST]) -> tuple[str, ...]:
    """Return the fields of a node type that may contain nodes."""
    return () if kind is ast.Constant else tuple(name for name in kind._fields if name not in FIELDS_WITHOUT_NODES)


@dataclass(frozen=True, eq=False)
class Subtree:
    """A node and all nodes below it, in source order, each with its parent."""

    nodes: Sequence[ast.AST]
    parents: Mapping[ast.AST, ast.AST]

    @cached_property
    def nodes_by_type(self) -> Mapping[type[ast.AST], list[object]]:
        """Return a dict that maps each type of node to the nodes of this type."""
        nodes: dict[type[ast.AST], list[object]] = {}
        for node in self.nodes:
            nodes.setdefault(node.__class__, []).append(node)
        return nodes

    def all(self, *kinds: type[ast.AST]) -> Iterator[Any]:
        """Return the nodes of these types. The nodes of each type are in source order."""
        return (node for kind in kinds for node in self.nodes_by_type.get(kind, ()))


@lru_cache(MOST_CACHED_BRANCHES)
def subtree_of(root: ast.AST) -> Subtree:
    """Return a node with all nodes below it. The tree must never change, because this function caches its results."""
    nodes, parents, todo = [], dict[ast.AST, ast.AST](), list[Any]([root])
    while todo:
        node = todo.pop()
        nodes.append(node)
        if _fields_with_nodes(node.__class__) and (inside := child_nodes(node)):
            for each in inside:
                parents[each] = node
            todo += inside[::-1]
    return Subtree(nodes, parents)


def nodes_in(tree: ast.Module) -> Iterator[ast.AST]:
    """Return all nodes of a tree in source order. The tree must never change, because its nodes are cached."""
    return (node for statement in tree.body for node in subtree_of(statement).nodes)


def tree_of(source: str) -> ast.Module:
    """Return the syntax tree of source code. Do not change the tree, because trees of short sources are cached."""
    return _cached_tree(source) if len(source) <= LONGEST_CACHED_SOURCE else _parsed_without_warnings(source)


def _parsed_without_warnings(source: str) -> ast.Module:
    """Return the syntax tree of a source, without Python's warnings, which the learner sees anyway."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)


_cached_tree = lru_cache(maxsize=64)(_parsed_without_warnings)


def directly_defined_names(statement: ast.stmt) -> set[str]:
    """Return the names that a statement defines. Changing a value (`table[key] = 1`) does not define a name.

    The result is empty for `if`, `for`, `try` and similar statements, even if they contain a definition.
    """
    match statement:
        case ast.Assign(targets=targets) if not all(isinstance(target, (ast.Name, ast.Tuple)) for target in targets):
            return set()
        case ast.AugAssign() | ast.If() | ast.Try() | ast.With() | ast.For() | ast.While() | ast.Match():
            return set()
    return bound_names(statement)


# ------------------------------------------------------------------------------------------------ graphs

T = TypeVar("T", bound=Hashable)


def reachable_from(start: Iterable[T], after: Callable[[T], Iterable[T]]) -> set[T]:
    """Return the nodes of a graph that can be reached from the nodes in `start`, and the nodes in `start` themselves.

    `after` returns the successors of a node.

    >>> sorted(reachable_from("a", {"a": "b", "b": "ca", "c": "", "d": "a"}.__getitem__))
    ['a', 'b', 'c']
    """
    visited = set(start)
    todo = list(visited)
    while todo:
        fresh = set(after(todo.pop())) - visited
        visited |= fresh
        todo += fresh
    return visited
