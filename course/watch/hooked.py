"""Insert hooks into source code, so that a program reports what it does. The results of the program do not change.

A hook runs at the start and end of each function. Hooks also receive each value and each decision. The order of
evaluation, the line numbers and the names do not change. While a run is recorded, the hooks are in the learner's own
function objects, so closures and curried functions are recorded, too.
"""

from __future__ import annotations

import ast
import linecache
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType
from typing import Any, TypeAlias, TypeVar

from course.syntax import COMPREHENSIONS, PARSING_ERRORS, lines_of

HOOKS_NAME = "__foldem_watch__"
HOOKED_FUNCTION_NODES = (ast.FunctionDef, ast.Lambda)
HOOKED_EXPRESSION_NODES = (
    ast.BinOp,
    ast.BoolOp,
    ast.Call,
    ast.Compare,
    ast.IfExp,
    ast.JoinedStr,
    ast.NamedExpr,
    *COMPREHENSIONS,
)
HookedFunction: TypeAlias = ast.FunctionDef | ast.Lambda
NodeWithPosition: TypeAlias = ast.expr | ast.stmt | ast.pattern | ast.ExceptHandler
N = TypeVar("N", bound=ast.AST)
Position: TypeAlias = tuple[int | None, int | None, int | None, int | None]


@dataclass(frozen=True)
class HookedSpot:
    """A node of a syntax tree, with the lines of the source. Hooks refer to a spot by its index in SPOTS."""

    lines: tuple[str, ...]
    node: ast.AST

    @property
    def line(self) -> int:
        """Return the number of the node's line."""
        return positioned_node(self.node).lineno


@dataclass(frozen=True)
class HookedSource:
    """Source code to which hooks have been added.

    `codes` maps each code object without hooks to the code object with hooks. `spots` maps each position in the source
    to the index of a node in SPOTS.
    """

    codes: dict[CodeType, CodeType]
    spots: dict[Position, int]


SPOTS: list[HookedSpot] = []


def code_with_hooks(code: CodeType, namespace: dict[str, object], inside: bool) -> tuple[CodeType, HookedSource] | None:
    """Return a function's code with hooks, and the source with hooks; None if the source is unknown."""
    text = "".join(linecache.getlines(code.co_filename, namespace))
    source = hooked_source(code.co_filename, text, code.co_flags & annotations.compiler_flag, inside) if text else None
    twin = source.codes.get(code) if source else None
    return (twin, source) if source and twin else None


@lru_cache(maxsize=64)
def hooked_source(filename: str, text: str, flags: int, inside: bool) -> HookedSource | None:
    """Add hooks around the functions in source code; return None if the source cannot be compiled.

    If `inside` is true, add hooks inside the functions, too.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            first, copy = len(SPOTS), ast.parse(text, filename)
            tree = add_spots(text)
            number_nodes(copy, first)
            hooked = ast.fix_missing_locations((AnswerHookInserter() if inside else GivenHookInserter()).visit(copy))
            codes = [compile(each, filename, "exec", flags, dont_inherit=True) for each in (tree, hooked)]
        # Of nodes at the same position, the innermost one counts. It comes last.
        spots: dict[Position, int] = {}
        for node in ast.walk(tree):
            if isinstance(node, (ast.expr, ast.stmt)):
                spots[node.lineno, node.end_lineno, node.col_offset, node.end_col_offset] = spot_index(node)
        return HookedSource(dict(_code_pairs(*codes)), spots)
    except PARSING_ERRORS:
        return None


def add_spots(text: str) -> ast.Module:
    """Parse source code, and add the nodes of its syntax tree to SPOTS. Return the tree."""
    tree, lines = ast.parse(text), tuple(lines_of(text))
    SPOTS.extend([HookedSpot(lines, node) for node in number_nodes(tree, len(SPOTS))])
    return tree


def _code_pairs(plain: CodeType, hooked: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """Yield each function's code and its code with hooks. Both trees have the functions in the same order."""
    inner = [[const for const in code.co_consts if isinstance(const, CodeType)] for code in (plain, hooked)]
    for one, other in zip(*inner, strict=True):
        if (one.co_name, one.co_freevars) != (other.co_name, other.co_freevars):
            raise ValueError("the code with hooks has other functions than the code without hooks")
        yield one, other
        yield from _code_pairs(one, other)


def number_nodes(tree: ast.AST, first: int) -> list[ast.AST]:
    """Number the nodes of a tree and set their parents. Return all nodes, beginning with the tree itself."""
    nodes = list(ast.walk(tree))
    for number, node in enumerate(nodes, first):
        vars(node)["spot"] = number
        for child in ast.iter_child_nodes(node):
            vars(child)["parent"] = node
    return nodes


def spot_index(node: ast.AST) -> int:
    """Return the index of a node in SPOTS."""
    return vars(node)["spot"]


# ---------------------------------------------------------------------------------------------------- the tree


def positioned_node(node: ast.AST) -> NodeWithPosition:
    """Return the node whose position is used as the position of `node`. Raises TypeError if no node has a position.

    A `case` has the position of its pattern, and the `for` of a comprehension has the position of its target.
    """
    match node:
        case ast.match_case(pattern=pattern):
            return pattern
        case ast.comprehension(target=target):
            return target
        case ast.expr() | ast.stmt() | ast.pattern() | ast.ExceptHandler():
            return node
    raise TypeError(f"{type(node).__name__} has no position")


def node_and_ancestors(node: ast.AST | None) -> Iterator[ast.AST]:
    """Yield a node, its parent, the parent of its parent, and so on."""
    while node is not None:
        yield node
        node = getattr(node, "parent", None)


def source_root(node: ast.AST) -> ast.AST:
    """Return the root of the syntax tree that contains a node. Each cell has its own tree."""
    *_, root = node_and_ancestors(node)
    return root


def statement_of(node: ast.AST) -> ast.AST:
    """Return the statement that contains a node, or the body of the lambda that contains the node."""
    return next(
        each
        for each in node_and_ancestors(node)
        if isinstance(each, ast.stmt) or isinstance(getattr(each, "parent", None), ast.Lambda)
    )


def function_of(node: ast.AST) -> HookedFunction | None:
    """Return the function that contains a node, or None if the node is at the top level of the source."""
    return next(
        (each for each in node_and_ancestors(getattr(node, "parent", None)) if isinstance(each, HOOKED_FUNCTION_NODES)),
        None,
    )


def target_names(target: ast.AST) -> tuple[str, ...]:
    """Return the names that an assignment target or a pattern assigns, from left to right."""
    match target:
        case ast.Name(id=name, ctx=ast.Store()):
            return (name,)
        case ast.MatchOr(patterns=[first, *_]):
            return target_names(first)
        case ast.Attribute() | ast.Subscript():  # a comprehension in its index has names of its own
            return ()
    inner = tuple(name for part in ast.iter_child_nodes(target) for name in target_names(part))
    own = getattr(target, "name", None) or getattr(target, "rest", None)  # after `as`, `*` or `**`
    return (*inner, own) if own else inner


def assigned_names(node: ast.AST) -> tuple[str, ...]:
    """Return the names that a statement, a case, a loop or a comprehension's `for` assigns."""
    match node:
        case ast.Assign(targets=targets):
            return tuple(dict.fromkeys(name for target in targets for name in target_names(target)))
        case ast.match_case(pattern=target):
            return target_names(target)
        case ast.AnnAssign() | ast.AugAssign() | ast.comprehension() | ast.For():
            return target_names(node.target)
    return ()


def parameter_names(arguments: ast.arguments) -> tuple[str, ...]:
    """Return the names of all parameters, in order."""
    ordinary = (*arguments.posonlyargs, *arguments.args)
    every = (*ordinary, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg)
    return tuple(each.arg for each in every if each)


def _names_bound_in(function: ast.AST) -> set[str]:
    """Return all names that are bound in a function. Their values may differ from call to call."""
    names: set[str] = set()
    for node in ast.walk(function):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.FunctionDef(name=name) | ast.ExceptHandler(name=str(name)):
                names.add(name)
            case ast.pattern():
                names |= set(target_names(node))
            case ast.arg(arg=name):
                names.add(name)
    return names


def _always_matches(pattern: ast.pattern) -> bool:
    match pattern:
        case ast.MatchAs(pattern=inner) | ast.MatchOr(patterns=[*_, inner]):
            return inner is None or _always_matches(inner)
    return False


# ---------------------------------------------------------------------------------------------------- hooks


def hook_expression(name: str, node: ast.AST, *args: ast.expr) -> ast.Call:
    """Return the syntax node of a call of the hook `name`, with the position of `node`."""
    called = ast.Attribute(ast.Name(HOOKS_NAME, ast.Load()), name, ast.Load())
    return ast.copy_location(ast.Call(called, [ast.Constant(spot_index(node)), *args], []), positioned_node(node))


def hook_statement(name: str, node: ast.AST, *args: ast.expr) -> ast.stmt:
    """Return the syntax node of a statement that calls the hook `name`."""
    call = hook_expression(name, node, *args)
    return ast.copy_location(ast.Expr(call), call)


def names_tuple(names: tuple[str, ...]) -> ast.expr:
    """Return the syntax node of a tuple of these names."""
    return ast.Tuple([ast.Name(name, ast.Load()) for name in names], ast.Load())


def node_copy_with(node: N, **changes: object) -> N:
    """Return a copy of a node with some fields changed."""
    fields = {name: getattr(node, name) for name in node._fields if hasattr(node, name)}
    return ast.copy_location(type(node)(**fields | changes), node)


def body_with_entry_hook(node: ast.FunctionDef, entry: str, body: list[ast.stmt]) -> list[ast.stmt]:
    """Return a function's body inside a `with` block that calls a hook.

    The docstring remains the first statement of the function.
    """
    docstrings = int(ast.get_docstring(node, clean=False) is not None)
    called = hook_expression(entry, node, names_tuple(parameter_names(node.args)))
    block = ast.With([ast.withitem(called)], body[docstrings:] or [ast.Pass()])
    return [*body[:docstrings], ast.copy_location(block, node.body[min(docstrings, len(node.body) - 1)])]


class GivenHookInserter(ast.NodeTransformer):
    """A transformer that adds hooks around the functions of a module, but none inside them.

    This transformer is used for given functions.
    """

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if function_of(node):
            return node
        return node_copy_with(
            node, body=body_with_entry_hook(node, "given_call", [self.visit(each) for each in node.body])
        )

    def visit_Return(self, node: ast.Return) -> ast.AST:
        return node_copy_with(node, value=hook_expression("return_value", node, node.value)) if node.value else node

    def visit_Lambda(self, node: ast.AST) -> ast.AST:
        return node

    visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda


class AnswerHookInserter(ast.NodeTransformer):
    """A transformer that adds hooks around a learner's functions, and at each value and decision inside them."""

    def __init__(self) -> None:
        self.bound: frozenset[str] = frozenset()

    def visit(self, node: ast.AST) -> Any:
        observed = super().visit(node)
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                is_hooked = name in self.bound
            case ast.Attribute(ctx=ast.Load()) | ast.Subscript(ctx=ast.Load()):
                is_hooked = True
            case ast.UnaryOp(operand=operand):
                is_hooked = not isinstance(operand, ast.Constant)
            case ast.Tuple(ctx=ast.Load(), elts=parts):
                is_hooked = any(isinstance(each, ast.Starred) for each in parts)
            case _:
                is_hooked = isinstance(node, HOOKED_EXPRESSION_NODES)
        return hook_expression("value", node, observed) if is_hooked else observed

    def visit_all(self, nodes: Iterable[N]) -> list[N]:
        """Add hooks to nodes, and return the new nodes in one list. With hooks, one statement may become several."""
        results = [self.visit(node) for node in nodes]
        return [each for result in results for each in (result if isinstance(result, list) else [result])]

    def visit_parts(self, node: ast.expr) -> ast.expr:
        """Add hooks to the parts of an expression, but not to the expression itself."""
        return super().visit(node)

    def condition_with_hook(self, node: ast.expr) -> ast.expr:
        """Add a hook that reports the value of a condition."""
        return node if isinstance(node, ast.Constant) else hook_expression("test", node, self.visit_parts(node))

    # -------------------------------------------------------------------------------------------- functions

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        decorators, arguments = self.visit_all(node.decorator_list), self._defaults_with_hooks(node.args)
        before, self.bound = self.bound, self.bound | _names_bound_in(node)
        body = body_with_entry_hook(node, "call", self.visit_all(node.body))
        self.bound = before
        return node_copy_with(node, decorator_list=decorators, args=arguments, body=body)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        arguments = self._defaults_with_hooks(node.args)
        before, self.bound = self.bound, self.bound | _names_bound_in(node)
        entry = hook_expression("enter_lambda", node, names_tuple(parameter_names(node.args)))
        both = ast.Tuple([entry, hook_expression("leave_lambda", node, self.visit_parts(node.body))], ast.Load())
        self.bound = before
        body = ast.copy_location(ast.Subscript(both, ast.Constant(1), ast.Load()), node)
        return node_copy_with(node, args=arguments, body=body)

    def _defaults_with_hooks(self, arguments: ast.arguments) -> ast.arguments:
        named = [each and self.visit(each) for each in arguments.kw_defaults]
        return node_copy_with(arguments, defaults=self.visit_all(arguments.defaults), kw_defaults=named)

    def visit_AsyncFunctionDef(self, node: ast.AST) -> ast.AST:
        return node

    visit_TypeAlias = visit_AsyncFunctionDef

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if node.value is None:
            return node
        return node_copy_with(node, value=hook_expression("return_value", node, self.visit_parts(node.value)))

    # -------------------------------------------------------------------------------------------- expressions

    def visit_Call(self, node: ast.Call) -> ast.AST:
        called = self.visit_parts(node.func) if isinstance(node.func, ast.Attribute) else self.visit(node.func)
        return node_copy_with(node, func=called, args=self.visit_all(node.args), keywords=self.visit_all(node.keywords))

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        return node_copy_with(
            node, test=self.condition_with_hook(node.test), body=self.visit(node.body), orelse=self.visit(node.orelse)
        )

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        return node_copy_with(node, value=self.visit(node.value))

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> ast.AST:
        element = hook_expression("element", node.elt, self.visit_parts(node.elt))
        return node_copy_with(node, elt=element, generators=self.visit_all(node.generators))

    visit_SetComp = visit_GeneratorExp = visit_ListComp

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        # The hook reports each item before its conditions are tested.
        item = hook_expression("item", node, names_tuple(assigned_names(node)))
        return node_copy_with(node, iter=self.visit(node.iter), ifs=[item, *map(self.condition_with_hook, node.ifs)])

    # -------------------------------------------------------------------------------------------- statements

    def visit_If(self, node: ast.If) -> ast.AST:
        return node_copy_with(
            node,
            test=self.condition_with_hook(node.test),
            body=self.visit_all(node.body),
            orelse=self.visit_all(node.orelse),
        )

    def visit_While(self, node: ast.While) -> ast.AST:
        # The hook is also in `while True`, which may run without end.
        test = hook_expression("test", node.test, self.visit_parts(node.test))
        return node_copy_with(node, test=test, body=self.visit_all(node.body), orelse=self.visit_all(node.orelse))

    def visit_For(self, node: ast.For) -> ast.AST:
        body = [hook_statement("item", node, names_tuple(assigned_names(node))), *self.visit_all(node.body)]
        return node_copy_with(node, iter=self.visit(node.iter), body=body, orelse=self.visit_all(node.orelse))

    def visit_Match(self, node: ast.Match) -> ast.AST:
        cases, last = self.visit_all(node.cases), node.cases[-1]
        if last.guard or not _always_matches(last.pattern):
            others = ast.copy_location(ast.MatchAs(), node.subject)
            cases.append(ast.match_case(others, None, [hook_statement("no_case", node)]))
        return node_copy_with(node, subject=self.visit(node.subject), cases=cases)

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        taken = hook_statement("case", node, names_tuple(assigned_names(node)))
        return node_copy_with(
            node, guard=node.guard and self.condition_with_hook(node.guard), body=[taken, *self.visit_all(node.body)]
        )

    def visit_Assign(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> ast.stmt | list[ast.stmt]:
        """Return an assignment with hooks. Inside functions, a hook after the assignment reports the assigned names."""
        if node.value is None:
            return node
        changes = {"targets": self.visit_all(node.targets)} if isinstance(node, ast.Assign) else {}
        hooked = node_copy_with(node, **changes, value=self.visit(node.value))
        names = assigned_names(node)
        return [hooked, hook_statement("bound", node, names_tuple(names))] if names and self.bound else hooked

    visit_AnnAssign = visit_AugAssign = visit_Assign
