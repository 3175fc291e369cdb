"""Sources with hooks: the same program, which also says what it is doing.

Each function becomes a block that is entered and left, each expression's value passes through a hook, each decision
is told of. Nothing else changes: not the order in which things happen, not a line's number, not a name. The hooked
code is put into the learner's own function objects while a run is recorded, so that closures, curried and composed
functions are recorded wherever they were made.
"""

from __future__ import annotations

import ast
import linecache
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType
from typing import Any, TypeAlias

from course.syntax import UNPARSED, lines_of

HOOKS = "__foldem_watch__"
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
HOOKED_FUNCTIONS = (ast.FunctionDef, ast.Lambda)
TOLD = (ast.BinOp, ast.BoolOp, ast.Call, ast.Compare, ast.IfExp, ast.JoinedStr, ast.NamedExpr, *COMPREHENSIONS)
Position: TypeAlias = tuple[int | None, int | None, int | None, int | None]


@dataclass(frozen=True)
class HookedSpot:
    """A place in a source that hooks tell of: a node of the tree, which knows its parent; and the source's lines."""

    lines: tuple[str, ...]
    node: Any

    @property
    def line(self) -> int:
        """Return the number of its line."""
        return located(self.node).lineno


@dataclass(frozen=True)
class HookedSource:
    """A source with hooks: each function's code as it is and with hooks, and which spot is at a position."""

    codes: dict[CodeType, CodeType]
    places: dict[Position, int]


SPOTS: list[HookedSpot] = []


def hooked_twin(code: CodeType, namespace: dict[str, Any], inside: bool) -> tuple[CodeType, HookedSource] | None:
    """Return the code of a function with hooks, and its source; None if nobody has kept the source it was made of."""
    text = "".join(linecache.getlines(code.co_filename, namespace))
    source = source_of(code.co_filename, text, code.co_flags & annotations.compiler_flag, inside) if text else None
    twin = source.codes.get(code) if source else None
    return (twin, source) if source and twin else None


@lru_cache(maxsize=64)
def source_of(filename: str, text: str, flags: int, inside: bool) -> HookedSource | None:
    """Return a source with hooks, inside its functions too or only around them; None if that cannot be."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _source(filename, text, flags, inside)
    except UNPARSED:
        return None


def _source(filename: str, text: str, flags: int, inside: bool) -> HookedSource:
    tree, copy = ast.parse(text, filename), ast.parse(text, filename)
    first = len(SPOTS)
    SPOTS.extend(HookedSpot(tuple(lines_of(text)), node) for node in numbered(tree, first))
    hooked = ast.fix_missing_locations((Inside() if inside else Around()).visit(numbered(copy, first)[0]))
    plain, told = (compile(each, filename, "exec", flags, dont_inherit=True) for each in (tree, hooked))
    return HookedSource(dict(_pairs(plain, told)), places_in(tree))


def _pairs(plain: CodeType, told: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """Yield each function's code with its hooked twin; they stand in the same order."""
    inner = [[const for const in code.co_consts if isinstance(const, CodeType)] for code in (plain, told)]
    for one, other in zip(*inner, strict=True):
        if (one.co_name, one.co_freevars) != (other.co_name, other.co_freevars):
            raise ValueError("the hooked source has other functions")
        yield one, other
        yield from _pairs(one, other)


def numbered(tree: ast.AST, first: int) -> list[Any]:
    """Return the nodes of a tree, the tree itself first, after numbering them and telling each its parent."""
    nodes: list[Any] = list(ast.walk(tree))
    for number, node in enumerate(nodes, first):
        node.spot = number
        for child in ast.iter_child_nodes(node):
            child.parent = node  # type: ignore[attr-defined]
    return nodes


def places_in(tree: ast.AST) -> dict[Position, int]:
    """Return the number of the innermost expression or statement at each position."""
    nodes: list[Any] = [node for node in ast.walk(tree) if isinstance(node, (ast.expr, ast.stmt))]
    return {(node.lineno, node.end_lineno, node.col_offset, node.end_col_offset): node.spot for node in nodes}


# ---------------------------------------------------------------------------------------------------- the tree


def located(node: Any) -> Any:
    """Return the node that tells where a node stands: a case, and a `for` in brackets, don't know it themselves."""
    match node:
        case ast.match_case(pattern=part) | ast.comprehension(target=part):
            return part
    return node


def above(node: Any) -> Iterator[Any]:
    """Yield a node and those that it stands in, from the inside to the outside."""
    while node is not None:
        yield node
        node = getattr(node, "parent", None)


def statement_of(node: Any) -> Any:
    """Return the statement that a node belongs to, or the body of its lambda."""
    return next(
        each
        for each in above(node)
        if isinstance(each, ast.stmt) or isinstance(getattr(each, "parent", None), ast.Lambda)
    )


def function_of(node: Any) -> Any:
    """Return the function that a node stands in, None at the top of a source."""
    return next((each for each in above(getattr(node, "parent", None)) if isinstance(each, HOOKED_FUNCTIONS)), None)


def names_in(target: Any) -> tuple[str, ...]:
    """Return the names that a target or a pattern binds, in the order in which they stand there."""
    match target:
        case ast.Name(id=name):
            return (name,)
        case ast.MatchOr(patterns=[first, *_]):
            return names_in(first)
        case ast.MatchValue() | ast.Attribute() | ast.Subscript():
            return ()
        case ast.MatchClass(patterns=some, kwd_patterns=others):
            return _of_all([*some, *others])
        case ast.MatchAs(name=name) | ast.MatchStar(name=name) | ast.MatchMapping(rest=name):
            return (
                *_of_all(getattr(target, "patterns", [getattr(target, "pattern", None)])),
                *((name,) if name else ()),
            )
    return _of_all(ast.iter_child_nodes(target))


def _of_all(nodes: Any) -> tuple[str, ...]:
    return tuple(name for node in nodes if node for name in names_in(node))


def bindings(node: Any) -> tuple[str, ...]:
    """Return the names that a statement, a case, a loop or a `for` in brackets binds."""
    match node:
        case ast.Assign(targets=targets):
            return tuple(dict.fromkeys(_of_all(targets)))
        case ast.match_case(pattern=target) | ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            return names_in(target)
        case ast.comprehension(target=target) | ast.For(target=target):
            return names_in(target)
    return ()


def parameters(arguments: ast.arguments) -> tuple[str, ...]:
    """Return the names of all parameters, in order."""
    rest, named = ([each] if each else [] for each in (arguments.vararg, arguments.kwarg))
    every = (*arguments.posonlyargs, *arguments.args, *rest, *arguments.kwonlyargs, *named)
    return tuple(arg.arg for arg in every)


def _bound_in(function: Any) -> set[str]:
    """Return the names that are bound anywhere in a function: they may mean another thing each time."""
    found: set[str] = set()
    for node in ast.walk(function):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.FunctionDef(name=name) | ast.ExceptHandler(name=str(name)):
                found.add(name)
            case ast.pattern():
                found |= set(names_in(node))
            case ast.arg(arg=name):
                found.add(name)
    return found


def _always_fits(case: ast.match_case) -> bool:
    def fits(pattern: ast.pattern | None) -> bool:
        match pattern:
            case None | ast.MatchAs(pattern=None):
                return True
            case ast.MatchAs(pattern=inner) | ast.MatchOr(patterns=[*_, inner]):
                return fits(inner)
        return False

    return case.guard is None and fits(case.pattern)


# ---------------------------------------------------------------------------------------------------- hooks


def hook(name: str, node: Any, *args: ast.expr) -> Any:
    """Return the call of a hook, which stands where `node` stands."""
    called = ast.Attribute(ast.Name(HOOKS, ast.Load()), name, ast.Load())
    return ast.copy_location(ast.Call(called, [ast.Constant(node.spot), *args], []), located(node))


def told(name: str, node: Any, *args: ast.expr) -> ast.stmt:
    """Return the call of a hook as a statement."""
    call = hook(name, node, *args)
    return ast.copy_location(ast.Expr(call), call)


def loaded(names: tuple[str, ...]) -> ast.expr:
    """Return a tuple of what names mean."""
    return ast.Tuple([ast.Name(name, ast.Load()) for name in names], ast.Load())


def flat(statements: list[Any]) -> list[Any]:
    """Return statements of which some have become several."""
    return [each for found in statements for each in (found if isinstance(found, list) else [found])]


def like(node: Any, **changes: Any) -> Any:
    """Return a node with some of its fields changed."""
    fields = {name: getattr(node, name) for name in node._fields if hasattr(node, name)}
    return ast.copy_location(type(node)(**fields | changes), node)


def entered(node: ast.FunctionDef, entry: str, body: list[Any]) -> list[ast.stmt]:
    """Return the body of a function as a block that is entered through a hook; its docstring stays at its head."""
    docstrings = 1 if ast.get_docstring(node, clean=False) is not None else 0
    block = ast.With(
        [ast.withitem(hook(entry, node, loaded(parameters(node.args))))], flat(body[docstrings:]) or [ast.Pass()]
    )
    return [
        *body[:docstrings],
        ast.copy_location(block, node.body[-1] if docstrings == len(body) else node.body[docstrings]),
    ]


class Around(ast.NodeTransformer):
    """Puts hooks around the functions of a module, and none inside: given functions are recorded so."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        if function_of(node):
            return node
        return like(node, body=entered(node, "given", [self.visit(each) for each in node.body]))

    def visit_Return(self, node: ast.Return) -> Any:
        return like(node, value=hook("back", node, node.value)) if node.value else node

    def visit_Lambda(self, node: Any) -> Any:
        return node

    visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda


class Inside(ast.NodeTransformer):
    """Puts hooks around the functions of a learner's cell, and at each value and each decision in them."""

    def __init__(self) -> None:
        self.bound: frozenset[str] = frozenset()

    def visit(self, node: Any) -> Any:
        seen = super().visit(node)
        return hook("value", node, seen) if self._is_told(node) else seen

    def _is_told(self, node: Any) -> bool:
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                return name in self.bound
            case ast.Attribute(ctx=ast.Load()) | ast.Subscript(ctx=ast.Load()):
                return True
            case ast.UnaryOp(operand=operand):
                return not isinstance(operand, ast.Constant)
            case ast.Tuple(ctx=ast.Load(), elts=parts):
                return any(isinstance(each, ast.Starred) for each in parts)
        return isinstance(node, TOLD)

    def every(self, nodes: list[Any]) -> list[Any]:
        """Return nodes with their hooks; a statement may have become several."""
        return flat([self.visit(node) for node in nodes])

    def inside(self, node: Any) -> Any:
        """Return an expression with hooks in it, but none of its own."""
        return super().visit(node)

    def tested(self, node: Any) -> Any:
        """Return an expression on which it depends how things go on."""
        return node if isinstance(node, ast.Constant) else hook("test", node, self.inside(node))

    # -------------------------------------------------------------------------------------------- functions

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        decorators, arguments = self.every(node.decorator_list), self._defaults(node.args)
        before, self.bound = self.bound, self.bound | _bound_in(node)
        body = entered(node, "call", [self.visit(each) for each in node.body])
        self.bound = before
        return like(node, decorator_list=decorators, args=arguments, body=body)

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        arguments = self._defaults(node.args)
        before, self.bound = self.bound, self.bound | _bound_in(node)
        entry = hook("enter", node, loaded(parameters(node.args)))
        both = ast.Tuple([entry, hook("leave", node, self.inside(node.body))], ast.Load())
        self.bound = before
        return like(
            node, args=arguments, body=ast.copy_location(ast.Subscript(both, ast.Constant(1), ast.Load()), node)
        )

    def _defaults(self, arguments: ast.arguments) -> ast.arguments:
        named = [each and self.visit(each) for each in arguments.kw_defaults]
        fields = {name: getattr(arguments, name) for name in arguments._fields}
        return ast.arguments(**fields | {"defaults": self.every(arguments.defaults), "kw_defaults": named})

    def visit_AsyncFunctionDef(self, node: Any) -> Any:
        return node

    visit_TypeAlias = visit_AsyncFunctionDef

    def visit_Return(self, node: ast.Return) -> Any:
        return like(node, value=hook("back", node, self.inside(node.value))) if node.value else node

    def visit_Yield(self, node: ast.Yield) -> Any:
        given = self.visit(node.value) if node.value else ast.Constant(None)
        return like(node, value=hook("yielded", node, given))

    # -------------------------------------------------------------------------------------------- expressions

    def visit_Call(self, node: ast.Call) -> Any:
        called = self.inside(node.func) if isinstance(node.func, ast.Attribute) else self.visit(node.func)
        return like(node, func=called, args=self.every(node.args), keywords=self.every(node.keywords))

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        return like(node, test=self.tested(node.test), body=self.visit(node.body), orelse=self.visit(node.orelse))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Any:
        return like(node, values=[self._formatted(each) for each in node.values])

    def _formatted(self, node: Any) -> Any:
        return like(node, value=self.visit(node.value)) if isinstance(node, ast.FormattedValue) else node

    def visit_ListComp(self, node: Any) -> Any:
        generators = [self._rounds(each) for each in node.generators]
        return like(node, elt=hook("element", node.elt, self.inside(node.elt)), generators=generators)

    visit_SetComp = visit_GeneratorExp = visit_ListComp

    def visit_DictComp(self, node: ast.DictComp) -> Any:
        generators, given = [self._rounds(each) for each in node.generators], self.inside(node.value)
        return like(node, key=self.visit(node.key), value=hook("element", node.value, given), generators=generators)

    def _rounds(self, node: ast.comprehension) -> Any:
        """Return a `for` in brackets, which tells of each item before it asks its conditions."""
        item = hook("item", node, loaded(names_in(node.target)))
        conditions = [self.tested(each) for each in node.ifs]
        return ast.comprehension(node.target, self.visit(node.iter), [item, *conditions], node.is_async)

    # -------------------------------------------------------------------------------------------- statements

    def visit_If(self, node: ast.If) -> Any:
        return like(node, test=self.tested(node.test), body=self.every(node.body), orelse=self.every(node.orelse))

    def visit_While(self, node: ast.While) -> Any:
        body = [told("turn", node), *self.every(node.body)]
        return like(node, test=self.tested(node.test), body=body, orelse=self.every(node.orelse))

    def visit_For(self, node: ast.For) -> Any:
        body = [told("item", node, loaded(names_in(node.target))), *self.every(node.body)]
        return like(node, iter=self.visit(node.iter), body=body, orelse=self.every(node.orelse))

    def visit_Assert(self, node: ast.Assert) -> Any:
        return like(node, test=self.tested(node.test), msg=node.msg and self.visit(node.msg))

    def visit_Match(self, node: ast.Match) -> Any:
        cases = [self._case(each) for each in node.cases]
        if not _always_fits(node.cases[-1]):
            cases.append(ast.match_case(ast.copy_location(ast.MatchAs(), node.subject), None, [told("no_case", node)]))
        return like(node, subject=self.visit(node.subject), cases=cases)

    def _case(self, node: ast.match_case) -> Any:
        taken = told("case", node, loaded(names_in(node.pattern)))
        return ast.match_case(node.pattern, node.guard and self.tested(node.guard), [taken, *self.every(node.body)])

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> Any:
        return like(node, type=node.type and self.visit(node.type), body=[told("caught", node), *self.every(node.body)])

    def visit_Assign(self, node: ast.Assign) -> Any:
        return self._binding(
            like(node, targets=self.every(node.targets), value=self.visit(node.value)), node, node.targets
        )

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return node
        return self._binding(like(node, value=self.visit(node.value)), node, [node.target])

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        return self._binding(like(node, value=self.visit(node.value)), node, [node.target])

    def _binding(self, hooked: ast.stmt, node: ast.stmt, targets: list[ast.expr]) -> Any:
        """Return a statement with one behind it that tells what it has bound; outside of functions there is none."""
        names = tuple(dict.fromkeys(_of_all(targets)))
        return [hooked, told("bound", node, loaded(names))] if names and self.bound else hooked
