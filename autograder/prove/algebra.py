"""Changes that are right for all values: swapped factors, swapped numbers of a sum, and swapped items after `in`.

The sum of a number and anything else is an error, so it is enough to know that one operand is a number.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction

from autograder.units.unit import Exercise, Passing, Unit

NUMBER_TYPES = (int, bool, float, Fraction)
NUMBER_FUNCTIONS = ("abs", "int", "len", "ord", "sum")
COMMUTATIVE_NUMBERS = (ast.Add, ast.BitAnd, ast.BitOr, ast.BitXor)  # `+` joins texts, and `|` merges dicts


def number_names(unit: Unit, exercise: Exercise) -> frozenset[str]:
    """Return the parameters of an exercise that are numbers, and with a dot the fields that are in all given types."""
    given = vars(unit.module)
    types = [thing for thing in given.values() if isinstance(thing, type) and is_dataclass(thing)]
    parts = [(f".{field.name}", _is_number_type(field.type, given)) for each in types for field in fields(each)]
    others = {name for name, is_number in parts if not is_number}
    plain = [each for each in exercise.parameters if each.passing not in (Passing.MANY, Passing.MANY_NAMED)]
    named = {each.name for each in plain if _is_number_type(each.annotation, given)}
    return frozenset({name for name, _ in parts} - others | named)


def _is_number_type(annotation: object, given: Mapping[str, object]) -> bool:
    try:
        kind = eval(annotation, dict(given)) if isinstance(annotation, str) else annotation
    except Exception:
        return False
    return kind in NUMBER_TYPES


def is_number(node: ast.expr, names: Collection[str]) -> bool:
    """Return whether an expression is surely a number; `names` are those of numbers.

    >>> [is_number(ast.parse(code, mode="eval").body, ["n"]) for code in ("n + x", "x.n", "-x", "x + x", "sum(x, ())")]
    [True, False, True, False, False]
    """
    match node:
        case ast.Constant(value):
            return isinstance(value, NUMBER_TYPES)
        case ast.Name(name):
            return name in names
        case ast.Attribute(attr=name):
            return f".{name}" in names
        case ast.BinOp(left, ast.Add(), right):
            return is_number(left, names) or is_number(right, names)
        case ast.UnaryOp(ast.USub()) | ast.BinOp(op=ast.Sub() | ast.FloorDiv()) | ast.Call(ast.Attribute(attr="count")):
            return True
    return _is_pure_call(node)


def _is_pure_call(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) in NUMBER_FUNCTIONS and len(node.args) == 1


def _may_have_effects(node: ast.expr) -> bool:
    return any(isinstance(each, ast.Call) and not _is_pure_call(each) for each in ast.walk(node))


def is_same(parent: ast.AST, node: ast.AST, new: ast.AST, numbers: Collection[str]) -> bool:
    """Return whether a node and its replacement have the same value and effects. `numbers` are names of numbers."""
    match node, new:
        case ast.BinOp(left, op, right), ast.BinOp() if (new.left, new.right) == (right, left):
            has_number = is_number(left, numbers) or is_number(right, numbers)
            is_commutative = isinstance(op, ast.Mult) or (isinstance(op, COMMUTATIVE_NUMBERS) and has_number)
            return is_commutative and not (_may_have_effects(left) and _may_have_effects(right))
        case ast.Compare(ast.Call(ast.Name("len")), [ast.Eq()], [ast.Constant(0)]), ast.Compare(ops=[ast.LtE()]):
            return True
        case ast.Tuple(items), ast.Tuple(others) if {*items} == {*others} and isinstance(parent, ast.Compare):
            return node is parent.comparators[-1] and isinstance(parent.ops[-1], ast.In | ast.NotIn)
    return False
