"""Find out how tests compare a result: with one value, with a tolerance, in any order, or only in part."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

from autograder.importing.reading import SourceCell

EQUAL_NAMES = {"assert_equal", "assertEqual", "eq_", "assertTrue", "assert_true", "assertFalse", "assert_false", "ok_"}
EQUAL_NAMES |= {"assert_list_equal", "assertListEqual", "assert_dict_equal", "assertDictEqual", "assert_is", "assertIs"}
EQUAL_NAMES |= {
    "assertIsNone",
    "assert_is_none",
    "array_equal",
    "assert_array_equal",
    "assertTupleEqual",
    "assert_equals",
}
CLOSE_NAMES = {"isclose": 1e-9, "assert_almost_equal": 1e-7, "assertAlmostEqual": 1e-7, "approx": 1e-6}
CLOSE_NAMES |= {
    "allclose": 1e-5,
    "assert_allclose": 1e-7,
    "assert_approx_equal": 1e-6,
    "assert_array_almost_equal": 1e-6,
}
ANY_ORDER = {"sorted", "set", "Counter", "frozenset", "assertCountEqual", "assert_count_equal"}
HIDES_NOTHING = {
    "float",
    "int",
    "bool",
    "str",
    "repr",
    "hash",
    "abs",
    "list",
    "tuple",
    "encode",
    "sha256",
    "sha1",
    "md5",
    "hexdigest",
}
LEAST_USABLE, MOST_USABLE = 1e-12, 0.5
TEST_ERRORS = {"AssertionError", "Exception", "BaseException"}


class Sees(Enum):
    """The part of a result that a test sees, from most to least."""

    ALL, CLOSE, ITEM, ANY_ORDER, PART, UNUSED = range(6)


@dataclass(frozen=True)
class Context:
    """The use of a result in a test: its part, the tolerance, and whether a named argument is compared later."""

    sees: Sees
    tolerance: float = 0.0
    inspects: bool = False


class TestTree:
    """The syntax tree of a test, with the parent of each node."""

    def __init__(self, cell: SourceCell) -> None:
        self.tree = ast.parse(cell.code) if cell.is_python else ast.Module([], [])
        last = self.tree.body[-1] if self.tree.body else None
        if cell.has_result and isinstance(last, ast.Expr):  # Otter Assign compares the result of the last expression
            equal = ast.Compare(last.value, [ast.Eq()], [ast.Constant(True)])
            test = ast.Assert(last.value if isinstance(last.value, ast.Compare | ast.BoolOp) else equal, None)
            self.tree.body[-1] = ast.fix_missing_locations(ast.copy_location(test, last))
        self.parents = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def of_calls(self, name: str, line: int) -> Context | None:
        """Return the context of a function's calls in a line, or None if no call names the function."""
        calls = [node for node in ast.walk(self.tree) if isinstance(node, ast.Call) and _name(node.func) == name]
        here = [node for node in calls if node.lineno <= line <= (node.end_lineno or node.lineno)] or calls
        contexts = [self._context(node) for node in here]
        inspects = any(isinstance(arg, ast.Name) and self._is_inspected(arg) for node in here for arg in node.args)
        best = min(contexts, key=lambda context: context.sees.value, default=None)
        return Context(best.sees, best.tolerance, inspects) if best else None

    def of_variable(self, name: str) -> Context | None:
        """Return the context of a variable, or None if the test does not read it."""
        nodes = [node for node in ast.walk(self.tree) if isinstance(node, ast.Name) and node.id == name]
        contexts = [self._context(node) for node in nodes if isinstance(node.ctx, ast.Load)]
        return min(contexts, key=lambda context: context.sees.value, default=None)

    def lambdas(self, name: str, line: int) -> Iterator[tuple[int, ast.Lambda]]:
        """Yield the functions without a name among the arguments of a function's calls in a line, by position."""
        for node in ast.walk(self.tree):
            if (
                isinstance(node, ast.Call)
                and _name(node.func) == name
                and node.lineno <= line <= (node.end_lineno or 0)
            ):
                yield from ((index, arg) for index, arg in enumerate(node.args) if isinstance(arg, ast.Lambda))

    @property
    def lines_that_cannot_fail(self) -> list[int]:
        """Return the lines that catch the error of a failed test and do not raise it again."""
        tries = [node for node in ast.walk(self.tree) if isinstance(node, ast.Try) and _has(node.body, ast.Assert)]
        handlers = [handler for node in tries for handler in node.handlers]
        return [each.lineno for each in handlers if _catches_failures(each) and not _has(each.body, ast.Raise)]

    def _is_inspected(self, argument: ast.Name) -> bool:
        """Return whether a test compares a variable after it was an argument."""
        later = (node for node in ast.walk(self.tree) if isinstance(node, ast.Name) and node.id == argument.id)
        later = (node for node in later if isinstance(node.ctx, ast.Load) and node.lineno > argument.lineno)
        return any(self._context(node).sees in (Sees.ALL, Sees.CLOSE) for node in later)

    def _context(self, node: ast.AST, tolerance: float = 0.0, depth: int = 0) -> Context:
        """Return what a test sees of an expression, from its parents up to the statement."""
        parent = self.parents.get(node)
        match parent:
            case ast.Compare():
                return self._compared(parent, tolerance)
            case ast.Assert(test=test):
                return Context(Sees.ALL if test is node else Sees.UNUSED, tolerance)
            case ast.Call():
                return self._passed(parent, node, tolerance, depth)
            case ast.Assign(targets=[target]) if depth < 3:
                names = [each.id for each in ast.walk(target) if isinstance(each, ast.Name)]
                loads = (each for each in ast.walk(self.tree) if isinstance(each, ast.Name) and each.id in names)
                contexts = [
                    self._context(each, tolerance, depth + 1)
                    for each in loads
                    if isinstance(each.ctx, ast.Load) and each.lineno >= parent.lineno
                ]
                return min(contexts, key=lambda context: context.sees.value, default=Context(Sees.UNUSED))
            case ast.BinOp(op=ast.Sub()) | ast.BoolOp() | ast.UnaryOp() | ast.keyword() | ast.IfExp() | ast.NamedExpr():
                return self._context(parent, tolerance, depth)
            case ast.Tuple() | ast.List() | ast.Starred() | ast.If():
                return self._context(parent, tolerance, depth) if not isinstance(parent, ast.If) else Context(Sees.ALL)
            case ast.Subscript(value=value, slice=ast.Constant() | ast.UnaryOp()) if value is node:
                context = self._context(parent, tolerance, depth)
                return replace(context, sees=Sees.ITEM) if context.sees in (Sees.ALL, Sees.CLOSE) else context
            case ast.Attribute(attr=attr) if attr in HIDES_NOTHING:
                return self._context(parent, tolerance, depth)
            case ast.Expr() | ast.FormattedValue() | None:
                return Context(Sees.UNUSED)
        return Context(Sees.PART)

    def _compared(self, compare: ast.Compare, tolerance: float) -> Context:
        if all(isinstance(op, ast.Eq | ast.Is | ast.NotEq | ast.IsNot) for op in compare.ops):
            return Context(Sees.ALL if not tolerance else Sees.CLOSE, tolerance)
        is_distance = isinstance(compare.ops[0], ast.Lt | ast.LtE) and "abs(" in ast.unparse(compare.left)
        if is_distance and (limit := _number(compare.comparators[0])):
            return Context(Sees.CLOSE, limit)
        return Context(Sees.PART)

    def _passed(self, call: ast.Call, node: ast.AST, tolerance: float, depth: int) -> Context:
        """Return what a test sees of an argument of a call, or of a function's own result."""
        name = _name(call.func)
        if name in EQUAL_NAMES:
            return Context(Sees.ALL if not tolerance else Sees.CLOSE, tolerance)
        if name in CLOSE_NAMES:
            given = [
                *(
                    _number(key.value)
                    for key in call.keywords
                    if key.arg in ("abs_tol", "rel_tol", "atol", "rtol", "abs", "delta")
                )
            ]
            decimals = [value.value for value in _decimals(call) if isinstance(value, ast.Constant)]
            return Context(
                Sees.CLOSE,
                max(
                    [*filter(None, given), *(0.5 * 10.0 ** -int(str(each)) for each in decimals)],
                    default=CLOSE_NAMES[name],
                ),
            )
        if name == "round" and call.args[0] is node:
            digits = call.args[1].value if len(call.args) > 1 and isinstance(call.args[1], ast.Constant) else 0
            return self._context(call, 0.5 * 10.0 ** -int(str(digits) or 0), depth)
        if name in ANY_ORDER:
            return Context(Sees.ANY_ORDER)
        if name == "print":
            return Context(Sees.UNUSED)
        return (
            self._context(call, tolerance, depth) if name in HIDES_NOTHING or call.func is node else Context(Sees.PART)
        )


def _decimals(call: ast.Call) -> list[ast.expr]:
    named = [key.value for key in call.keywords if key.arg in ("places", "decimal")]
    is_almost = _name(call.func) in ("assertAlmostEqual", "assert_almost_equal")
    return named or (call.args[2:3] if is_almost else [])


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def _number(node: ast.expr) -> float:
    """Return a small number such as `1e-6` or `10**-6`, or 0.0 for other code."""
    match node:
        case ast.BinOp(ast.Constant(10 | 10.0), ast.Pow(), ast.UnaryOp(ast.USub(), ast.Constant(int(digits)))):
            return 10.0**-digits
        case ast.Constant(int() | float() as value):
            return float(value)
    return 0.0


def _has(nodes: list[ast.stmt], kind: type[ast.AST]) -> bool:
    return any(isinstance(each, kind) for node in nodes for each in ast.walk(node))


def _catches_failures(handler: ast.ExceptHandler) -> bool:
    kinds = [handler.type] if handler.type else []
    names = {each.id for kind in kinds for each in ast.walk(kind) if isinstance(each, ast.Name)}
    return not kinds or bool(names & TEST_ERRORS)


def usable_tolerance(tolerance: float) -> float:
    """Return a tolerance that an exam can have."""
    return min(max(tolerance, LEAST_USABLE), MOST_USABLE) if tolerance else 0.0
