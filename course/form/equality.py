"""The rules of comparison: no `is` for numbers and strings, and in some units no `==` for other values."""

from __future__ import annotations

import ast
import enum
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any, TypeVar

from course.form.reading import Reading, Violation, item_type_of, root_name, text, union_members
from course.syntax import COMPREHENSIONS

TypesByName = dict[str, Any]
COLLECTION_DISPLAYS = ast.Tuple, ast.List, ast.Set, ast.Dict


def identity(reading: Reading) -> Iterator[Violation]:
    """Find `is` with a number or a text, because such a comparison is true only by chance."""
    for node in reading.all(ast.Compare):
        sides = [node.left, *node.comparators]
        for left, op, right in zip(sides, node.ops, sides[1:], strict=False):
            values = [side.operand if isinstance(side, ast.UnaryOp) else side for side in (left, right)]
            is_plain = any(isinstance(each, ast.Constant) and type(each.value) in (int, float, str) for each in values)
            if isinstance(op, ast.Is | ast.IsNot) and is_plain:
                sign, word = ("==", "is") if isinstance(op, ast.Is) else ("!=", "is not")
                why = f"`{word}` tests whether both sides are the same object. Equal values can be different objects"
                example = f"{text(left)} {sign} {text(right)}\n# instead of {text(node)}"
                yield Violation(node, why, f"compare values with `{sign}`", example)
                break


def equality(reading: Reading) -> Iterator[Violation]:
    """Find `==` and `!=` with an operand that is known to be neither a number nor a text."""
    if not reading.requirements.policy.compare_with:
        return
    names = _types_of_names(reading)
    for node in reading.all(ast.Compare):
        sides = [node.left, *node.comparators]
        spots = (
            spot
            for left, op, right in zip(sides, node.ops, sides[1:], strict=False)
            if isinstance(op, (ast.Eq, ast.NotEq))
            for spot in _comparison_violations(reading, node, left, right, names, "not " * isinstance(op, ast.NotEq))
        )
        yield from islice(spots, 1)


def _comparison_violations(
    reading: Reading, node: ast.AST, left: ast.expr, right: ast.expr, names: TypesByName, negation: str
) -> Iterator[Violation]:
    one, other = (text(side, 24) for side in (left, right))
    singles = [each for each in (left, right) if isinstance(each, ast.Constant)]
    singles = [each for each in singles if each.value is None or isinstance(each.value, bool)]
    if fixed := next(
        (side for side in (left, right) if isinstance(side, COLLECTION_DISPLAYS) or side in singles), None
    ):
        value = other if fixed is left else one
        why = f"`{text(node)}` compares something other than numbers and strings"
        if isinstance(fixed, ast.Constant):
            word = "is not" if negation else "is"
            example = f"{value} {word} {text(fixed)}\n# or a `case {text(fixed)}:`"
            yield Violation(node, why, f"compare with `{word}`", example)
        else:
            yield Violation(node, why, "use `match`", f"match {value}:\n    case {text(fixed)}:")
        return
    kinds = [kind for side in (left, right) if not _allows_equality(kind := _type_of_expression(reading, side, names))]
    if not kinds:
        return
    given = reading.requirements.policy.compare_with
    name = next(
        (name for name in given if union_members(kinds[0]) <= union_members(reading.given.types.get(name))), None
    )
    why = f"`{text(node)}` compares values that are neither numbers nor strings"
    if name:
        instead, example = f"call the given `{given[name]}`", f"{negation}{given[name]}({one}, {other})"
        yield Violation(node, why, instead, f"{example}\n# instead of {text(node)}")
    elif isinstance(kinds[0], type) and issubclass(kinds[0], enum.Enum):
        yield Violation(
            node, why, "use `match`, or compare with `is`", f"match {one}:\n    case {kinds[0].__name__}.…:"
        )
    else:
        shape = other if isinstance(right, ast.Call) else "…"
        yield Violation(node, why, "use `match`", f"match {one}:\n    case {shape}:")


def _allows_equality(kind: object) -> bool:
    """Return whether `==` is allowed for a type: for numbers, texts, and unknown types."""
    is_unknown = kind is None or kind is Any or isinstance(kind, TypeVar)
    return is_unknown or any(member in (int, float, str, complex) for member in union_members(kind))


def _type_of_expression(reading: Reading, node: ast.expr, names: TypesByName) -> object:
    """Return the type of an expression, or None if it is unknown."""
    match node:
        case ast.Name(id=name):
            return names.get(name) or reading.given.values.get(name)
        case ast.Attribute(attr=attr):
            return reading.given.fields.get(attr)
        case ast.Call(func=ast.Name(id=name)):
            kind = reading.given.types.get(name)
            return kind if isinstance(kind, type) else None
        case ast.Subscript(value=value, slice=index) if not isinstance(index, ast.Slice):
            return item_type_of(_type_of_expression(reading, value, names))
    return None


def _types_of_names(reading: Reading) -> TypesByName:
    """Return the types of names, from annotations, patterns or items. A name with several types has None."""
    types: TypesByName = {}
    for name, kind in _typed_names(reading, types):
        types[name] = kind if types.get(name, kind) == kind else None
    assigned = [name.id for name in reading.all(ast.Name) if isinstance(name.ctx, ast.Store)]
    stored, elsewhere = Counter(assigned), {*assigned}
    stored.update(pattern.name for pattern in reading.all(ast.MatchAs) if pattern.name)
    stored.update(arg.arg for arg in reading.all(ast.arg))
    # a name that is only a parameter or a capture has a known type everywhere
    return {name: kind for name, kind in types.items() if stored[name] == 1 or name not in elsewhere}


def _typed_names(reading: Reading, known: TypesByName) -> Iterator[tuple[str, object]]:
    types = reading.given.types
    stub = dict(reading.requirements.parameters)
    for arg in reading.all(ast.arg):
        annotation = arg.annotation.id if isinstance(arg.annotation, ast.Name) else ""
        if not annotation and reading.function_of(arg) is reading.definition:
            annotation = stub.get(arg.arg, "")
        yield arg.arg, types.get(annotation)
    for node in reading.all(ast.MatchClass):
        kind = types.get(root_name(node.cls))
        fields = (*getattr(kind, "__match_args__", ())[: len(node.patterns)], *node.kwd_attrs)
        for name, pattern in zip(fields, (*node.patterns, *node.kwd_patterns), strict=False):
            if isinstance(pattern, ast.MatchAs) and pattern.name and pattern.pattern is None:
                yield pattern.name, reading.given.fields.get(name)
    for node in reading.all(*COMPREHENSIONS):
        for generator in node.generators:
            if isinstance(generator.target, ast.Name):
                yield generator.target.id, item_type_of(_type_of_expression(reading, generator.iter, known))
