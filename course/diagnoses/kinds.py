"""Find the types that a parameter accepts by its annotation, and the words for them in messages to learners."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from course.diagnoses.evidence import Evidence, with_article
from course.form.policy import Signature
from course.form.reading import field_names

FUNCTION_KINDS = frozenset({"function", "builtin_function_or_method", "method", "type", "curry", "Compose", "partial"})
ITERATOR_TYPE_NAMES = ("map", "filter", "zip", "reversed", "generator")
TYPE_DESCRIPTIONS = {
    "NoneType": "`None`",
    "function": "a function",
    "curry": "a function that waits for more arguments",
    "Compose": "a function",
    "partial": "a function",
    "builtin_function_or_method": "a function",
    "type": "a class",
    "str": "a string",
    "int": "a number",
    "float": "a number",
    "bool": "True or False",
}


def signature_of(e: Evidence, name: str) -> Signature:
    """Return the parameters of an exercise, or of a given function or class, with their annotations."""
    if name in e.requirements.exercises:
        return e.requirements.signatures.get(name, ())
    maker = e.given.types.get(name) or e.given.functions.get(name)
    try:
        parameters = inspect.signature(maker).parameters.values() if callable(maker) else ()
    except (TypeError, ValueError):
        return ()
    return tuple((each.name, each.annotation if isinstance(each.annotation, str) else "") for each in parameters)


@cache
def kinds_of_annotation(annotation: str, module: str) -> frozenset[str]:
    """Return the names of the types that an annotation allows; an empty set if it allows any type or is not known.

    >>> sorted(kinds_of_annotation("Hand", "course.warmup")), sorted(kinds_of_annotation("Card", "course.warmup"))
    (['tuple'], ['Face', 'Joker', 'Number'])
    """
    return kinds_of_type(_evaluated_annotation(annotation, module))


@cache
def item_kinds_of_annotation(annotation: str, module: str) -> frozenset[str]:
    """Return the names of the types that every item of a tuple may have.

    If the items have different or unknown types, return an empty set.
    """
    kind = _without_annotated(_evaluated_annotation(annotation, module))
    match get_origin(kind), get_args(kind):
        case cls, (item, *others) if cls is tuple and {item, Ellipsis}.issuperset(others):
            return kinds_of_type(item)
    return frozenset()


def _evaluated_annotation(annotation: str, module: str) -> object:
    try:
        return eval(annotation, dict(vars(import_module(module))))
    except Exception:  # the annotation may have names that only the solutions have
        return None if annotation == "None" else Any


def _without_annotated(kind: object) -> object:
    return _without_annotated(get_args(kind)[0]) if get_origin(kind) is Annotated else kind


def kinds_of_type(kind: object) -> frozenset[str]:
    """Return the names of the classes that a type allows; an empty set if it allows any class or is not known."""
    kind = _without_annotated(kind)
    if isinstance(kind, UnionType) or get_origin(kind) is Union:
        parts = [kinds_of_type(part) for part in get_args(kind)]
        return frozenset().union(*parts) if all(parts) else frozenset()
    if kind is None:
        return frozenset({"NoneType"})
    if get_origin(kind) in (Callable, type):
        return FUNCTION_KINDS
    origin = get_origin(kind) or kind
    if not isinstance(origin, type) or origin.__module__ in ("collections.abc", "typing"):
        return frozenset()
    if origin is object or issubclass(origin, BaseException):  # these types have subclasses
        return frozenset()
    return frozenset({origin.__name__} | ({"bool"} if origin in (int, float) else set()))


def kinds_of_expression(e: Evidence, node: ast.expr) -> frozenset[str]:  # noqa: C901 (a table: one line for each case)
    """Return the names of the types that the value of an expression may have; an empty set if they are uncertain."""
    match node:
        case ast.Name(id=name) if is_own_parameter(e, name):
            return kinds_of_annotation(dict(e.requirements.parameters).get(name, ""), e.requirements.module)
        case ast.Name(id=name) if name not in e.assigned_names and name not in e.pattern_names:
            return _kinds_of_name(e, name)
        case ast.Attribute(value=owner, attr=attr) if kinds_of_expression(e, owner) & {*e.given.types}:
            return kinds_of_type(e.given.fields[attr]) if e.given.fields.get(attr) else frozenset()
        case ast.Subscript(value=items, slice=ast.Slice()) if "tuple" in kinds_of_expression(e, items):
            return frozenset({"tuple"})
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int())) if is_own_parameter(e, name):
            return item_kinds_of_annotation(dict(e.requirements.parameters).get(name, ""), e.requirements.module)
        case ast.Tuple():
            return frozenset({"tuple"})
        case ast.Lambda():
            return FUNCTION_KINDS
        case ast.Compare():
            return frozenset({"bool"})
        case ast.Constant(value=value):
            return frozenset({type(value).__name__})
        case ast.Call(func=ast.Name(id=name)) if (
            isinstance(e.given.types.get(name), type) and name not in e.assigned_names
        ):
            return frozenset({name})
        case ast.BoolOp(values=values):
            parts = [kinds_of_expression(e, part) for part in values]
            return frozenset().union(*parts) if all(parts) else frozenset()
    return frozenset()


def _kinds_of_name(e: Evidence, name: str) -> frozenset[str]:
    if name in e.given.tuples:
        return frozenset({"tuple"})
    if kind := e.given.values.get(name):
        return frozenset({kind.__name__})
    is_exercise = name in e.requirements.exercises and bool(e.requirements.signatures.get(name))
    if is_exercise or name in e.given.functions:
        return FUNCTION_KINDS
    value = getattr(import_module(e.requirements.module), name, None) if name in e.given.names else None
    return frozenset({type(value).__name__}) if isinstance(value, int | str | float) else frozenset()


def captured_fields(e: Evidence, nodes: Iterable[ast.AST]) -> Iterator[tuple[str, object]]:
    """Yield the names that patterns bind to fields of a class, each with the type of its field."""
    for node in nodes:
        if isinstance(node, ast.MatchClass):
            fields = getattr(e.given.types.get(ast.unparse(node.cls)), "__match_args__", ())
            for field, pattern in zip(fields, node.patterns, strict=False):
                if isinstance(pattern, ast.MatchAs) and pattern.pattern is None and pattern.name:
                    yield pattern.name, e.given.fields.get(field)


def is_own_parameter(e: Evidence, name: str) -> bool:
    """Return whether a name is a parameter of the answer, and has no other meaning anywhere in the answer."""
    if name not in e.parameters or name in e.pattern_names:
        return False
    stores = [node for node in e.all(ast.Name) if node.id == name and isinstance(node.ctx, ast.Store)]
    return not stores and len([arg for arg in e.all(ast.arg) if arg.arg == name]) == 1


def given_field_names(e: Evidence, kind: str) -> list[str]:
    """Return the names of the fields of a class that the unit gives, or [] if the class has no fields."""
    return field_names(e.given.types.get(kind))


def listed_fields(parts: list[str]) -> str:
    """Return the names of fields, separated by commas, for use in a sentence.

    >>> listed_fields(["left", "right"])
    '`.left`, `.right`'
    """
    return ", ".join(f"`.{part}`" for part in parts)


def fields_sentence(parts: list[str]) -> str:
    """Return a sentence that lists the fields of a value.

    >>> fields_sentence(["left", "right"]), fields_sentence(["card"])
    ('The value has the parts `.left`, `.right`.', 'The value has only one part: `.card`.')
    """
    shown = listed_fields(parts)
    return f"The value has only one part: {shown}." if len(parts) == 1 else f"The value has the parts {shown}."


def kind_words(kind: str) -> str:
    """Describe a value of a type, in words for learners.

    >>> kind_words("tuple[Card]"), kind_words("Desk"), kind_words("NoneType")
    ('a tuple', 'a `Desk`', '`None`')
    """
    plain = kind.split("[")[0]
    return TYPE_DESCRIPTIONS.get(plain) or with_article(plain)


def annotation_words(annotation: str, kinds: frozenset[str]) -> str:
    """Describe the values that a parameter accepts, in words for learners."""
    if kinds >= FUNCTION_KINDS:
        return "a function"
    if annotation.isidentifier() and len(kinds - {"bool"}) > 1:
        return with_article(annotation)
    return " or ".join(sorted({kind_words(kind) for kind in kinds - {"bool"}} or {"True or False"}))
