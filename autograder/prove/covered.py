"""Find the constructors, members and sizes of arguments, and of their parts, that occur in no input of an exam."""

from __future__ import annotations

import ast
import typing
from collections import abc
from collections.abc import Iterator, Sequence
from enum import Enum
from fnmatch import fnmatchcase
from types import ModuleType
from typing import Any

from autograder.exam.annotations import alias, field_annotations, named_object
from autograder.exam.store import exam_for
from autograder.units.unit import Passing, Unit

MANY = 4  # items: all larger sizes count as one
LEVELS_OF_PARTS = 2  # levels: an argument, and its items or fields
SIZES = ("0 items", "1 item", "2 items", "3 items", "more than 3 items")
MAPPINGS = (dict, abc.Mapping)
CONTAINER_TYPES = (tuple, list, set, frozenset, abc.Sequence, abc.Collection, abc.Iterable, abc.Set, *MAPPINGS)


def uncovered(unit: Unit, name: str) -> list[str]:
    """Return the kinds of argument that no call of an exercise has, except those in `ABSENT` of the unit's checks."""
    exam, exercise = exam_for(unit), unit[name]
    cases = [exam.case(call) for call in exam.by_name[name].calls if call.kind == "args"]
    missing = list[str]()
    for index, each in enumerate(exercise.parameters):
        if not each.annotation or each.passing is not Passing.BY_POSITION:
            continue
        values = [case.args[index] for case in cases if len(case.args) > index]
        missing += _missing(ast.parse(each.annotation, mode="eval").body, unit.module, values, each.name)
    kinds = (f"{name}: {each}" for each in dict.fromkeys(missing))
    explained = exam.checks.absent
    return [f"no input has this: {each}" for each in kinds if not any(fnmatchcase(each, key) for key in explained)]


def _missing(
    node: ast.expr, module: ModuleType, values: Sequence[Any], where: str, depth: int = LEVELS_OF_PARTS
) -> Iterator[str]:
    """Yield the kinds of an annotation that none of the values has, down to some depth."""
    if not depth or not values:
        return
    text = ast.unparse(node)
    meaning, written = named_object(node, module), alias(text, module) if isinstance(node, ast.Name) else None
    if written:
        yield from _missing(*written, values, where, depth)
    elif sides := _sides(node):
        for side in sides:
            fitting = [value for value in values if _fits(side, module, value)]
            yield from _missing(side, module, fitting, where, depth)
            yield from () if fitting else [f"{ast.unparse(side)} in {where}"]
    elif isinstance(node, ast.Subscript):
        yield from _missing_parts(node, module, values, where, depth)
    elif meaning is bool or (isinstance(meaning, type) and issubclass(meaning, Enum)):
        members = (False, True) if meaning is bool else tuple(meaning)
        yield from (f"{member!r} in {where}" for member in members if member not in values)
    elif isinstance(meaning, type):
        for field, annotation in (field_annotations(meaning) or {}).items():
            parts = [getattr(value, field) for value in values if hasattr(value, field)]
            yield from _missing(*annotation, parts, f"{text}.{field} of {where}", depth - 1)


def _missing_parts(
    node: ast.Subscript, module: ModuleType, values: Sequence[Any], where: str, depth: int
) -> Iterator[str]:
    """Yield the missing kinds of an annotation with square brackets."""
    origin = named_object(node.value, module)
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    kind = typing.get_origin(origin) or origin
    if kind is typing.Literal:
        literals = [named_object(part, module) for part in parts]
        yield from (f"{each!r} in {where}" for each in literals if each not in values)
    elif kind is typing.Annotated:
        yield from _missing(parts[0], module, values, where, depth)
        for mark in (named_object(part, module) for part in parts[1:]):
            ends = (mark[0], mark[-1]) if isinstance(mark, range) else ()
            yield from (f"{end} in {where}" for end in ends if end not in values)
    elif kind is tuple and ast.unparse(parts[-1]) != "...":
        for index, part in enumerate(parts):
            yield from _missing(part, module, [value[index] for value in values], f"{where}[{index}]", depth - 1)
    elif kind in CONTAINER_TYPES:
        sizes = {min(len(value), MANY) for value in values}
        yield from (f"{word} in {where}" for size, word in enumerate(SIZES) if size not in sizes)
        items = [item for value in values for item in value]
        yield from _missing(parts[0], module, items, f"the items of {where}", depth - 1)
        if kind in MAPPINGS:
            below = [item for value in values for item in value.values()]
            yield from _missing(parts[1], module, below, f"the values of {where}", depth - 1)


def _sides(node: ast.expr) -> Sequence[ast.expr]:
    """Return the sides of a union, or ()."""
    match node:
        case ast.BinOp(left, ast.BitOr(), right):
            return [*(_sides(left) or [left]), *(_sides(right) or [right])]
        case ast.Subscript(ast.Name("Optional"), part):
            return [part, ast.Constant(None)]
        case ast.Subscript(ast.Name("Union"), ast.Tuple(parts)):
            return parts
    return ()


def _fits(node: ast.expr, module: ModuleType, value: object) -> bool:
    """Return whether a value is of the kind of an annotation, without a look at its parts."""
    if isinstance(node, ast.Constant):
        return value is None
    if isinstance(node, ast.Name) and (written := alias(node.id, module)):
        sides = _sides(written[0]) or [written[0]]
        return any(_fits(side, written[1], value) for side in sides)
    kind = named_object(node.value if isinstance(node, ast.Subscript) else node, module)
    kind = typing.get_origin(kind) or kind
    return type(value) is kind or (isinstance(kind, type) and kind is not int and isinstance(value, kind))
