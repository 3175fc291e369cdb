"""The inputs for an annotation: all values of a small type, or else a Hypothesis strategy for small, readable values.

`draw.py` calls this module. The table in `docs/exercises.md` lists which values are drawn.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
import typing
from collections import abc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import prod
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias, TypeVar

from hypothesis import strategies as st

from autograder.units.unit import UnitError
from autograder.units.written import written_statements
from course.limits import LARGEST_DOMAIN
from course.syntax import bound_names

T = TypeVar("T")
AnnotationInModule: TypeAlias = tuple[
    ast.expr, ModuleType
]  # an annotation, and the module in which its names are looked up
InputDomain: TypeAlias = tuple[object, ...] | st.SearchStrategy[object]  # all values, or a strategy to draw them
Strategies: TypeAlias = Mapping[str, Any]
ITEMS_IN_ORDER, ITEMS_IN_SETS = 8, 6  # items of tuples and lists; of sets and dicts
RECURSION_LEVELS = 4  # of a type that contains itself

FLOAT_STRATEGY = st.integers(-80, 80).map(lambda number: number / 4)  # exact, so that sums do not depend on their order
DATE_STRATEGY = st.one_of(
    st.dates(date(2000, 1, 1), date(2030, 12, 31)),
    st.sampled_from((date(2023, 12, 31), date(2024, 2, 29), date(2026, 1, 1))),
)
PRINTABLE_CHARACTERS = st.characters(min_codepoint=32, max_codepoint=126)
TIME_STRATEGY = st.builds(time, st.integers(0, 23), st.integers(0, 59))
BASIC_STRATEGIES: Strategies = {
    "int": st.integers(-20, 20),
    "bool": (False, True),
    "str": st.text("abcXYZ019 -", max_size=8),
}
STRATEGY_BY_TYPE: Mapping[object, st.SearchStrategy[object]] = {
    float: FLOAT_STRATEGY,
    complex: st.builds(complex, FLOAT_STRATEGY, FLOAT_STRATEGY),
    bytes: st.lists(st.sampled_from(b"ab\x00\x01\xff"), max_size=ITEMS_IN_SETS).map(bytes),
    date: DATE_STRATEGY,
    time: TIME_STRATEGY,
    datetime: st.builds(datetime.combine, DATE_STRATEGY, TIME_STRATEGY),
    timedelta: st.builds(
        lambda days, minutes: timedelta(days, minutes=minutes), st.integers(-9, 9), st.integers(0, 1439)
    ),
    Decimal: st.integers(-2000, 2000).map(lambda number: Decimal(number).scaleb(-2)),
    Fraction: st.builds(Fraction, st.integers(-20, 20), st.integers(1, 9)),
}
REFUSED_INSTANCE = object()  # stands for a value that its own class refuses


STRATEGY_BY_CONTAINER: Mapping[object, Callable[..., st.SearchStrategy[object]]] = {
    list: partial(st.lists, max_size=ITEMS_IN_ORDER),
    set: partial(st.sets, max_size=ITEMS_IN_SETS),
    dict: partial(st.dictionaries, max_size=ITEMS_IN_SETS),
    abc.Mapping: partial(st.dictionaries, max_size=ITEMS_IN_SETS),
    **dict.fromkeys((frozenset, abc.Set), partial(st.frozensets, max_size=ITEMS_IN_SETS)),
    **dict.fromkeys(
        (tuple, abc.Sequence, abc.Collection, abc.Iterable),
        lambda items, max_size=ITEMS_IN_ORDER: st.lists(items, max_size=max_size).map(tuple),
    ),
}


class InputDomains:
    """An object that finds the possible inputs for each annotation of one exercise.

    If the unit's author has written a strategy for the name of a type, this strategy is used instead of a derived one.
    """

    def __init__(self, table: Strategies) -> None:
        self.table = {**BASIC_STRATEGIES, **table}
        self.inside = dict[str, InputDomain]()  # types that are being derived, and what stands for them inside
        self.recursive = set[str]()

    def of_annotation(self, text: str, module: ModuleType) -> InputDomain:
        """Return the inputs for an annotation. Raises UnitError if the inputs cannot be derived."""
        return self._domain_of(ast.parse(text, mode="eval").body, module)

    def _domain_of(self, node: ast.expr, module: ModuleType) -> InputDomain:
        text = ast.unparse(node)
        if text in self.table:
            drawing = self.table[text]
            return drawing() if callable(drawing) else drawing
        match node:
            case ast.Constant(None):
                return (None,)
            case ast.Constant(str(quoted)):
                return self._domain_of(ast.parse(quoted, mode="eval").body, module)
            case ast.BinOp(left, ast.BitOr(), right):
                return union_of_domains([self._domain_of(left, module), self._domain_of(right, module)])
            case ast.Subscript(value, ast.Tuple(parts)):
                return self._domain_of_generic(node, named_object(value, module), parts, module)
            case ast.Subscript(value, part):
                return self._domain_of_generic(node, named_object(value, module), [part], module)
            case ast.Name():
                return self._domain_of_name(node, module)
        return self._domain_of_object(text, named_object(node, module))

    def _domain_of_name(self, node: ast.Name, module: ModuleType) -> InputDomain:
        """Return the inputs of a named type. A type that contains itself is derived for a few levels."""
        if node.id in self.inside:
            self.recursive.add(node.id)
            return self.inside[node.id]
        kind: InputDomain = st.nothing()
        for _ in range(RECURSION_LEVELS):
            self.inside[node.id], self.recursive = kind, self.recursive - {node.id}
            meaning = aliased_type(node.id, module)
            kind = self._domain_of(*meaning) if meaning else self._domain_of_object(node.id, named_object(node, module))
            if node.id not in self.recursive:
                break
        del self.inside[node.id]
        return kind

    def _domain_of_object(self, text: str, meaning: object) -> InputDomain:
        if isinstance(meaning, type):
            if meaning in STRATEGY_BY_TYPE:
                return STRATEGY_BY_TYPE[meaning]
            if issubclass(meaning, Enum):
                return tuple(meaning)
            if (annotations := field_annotations(meaning)) is not None:
                return self._domain_of_class(meaning, annotations)
        raise _unknown_annotation_error(text, meaning)

    def _domain_of_class(self, cls: type, annotations: Mapping[str, AnnotationInModule]) -> InputDomain:
        """Return the instances of a class. Instances that the class's `__post_init__` refuses are left out."""
        kinds = {name: self._domain_of(*annotation) for name, annotation in annotations.items()}
        finite = [kind for kind in kinds.values() if isinstance(kind, tuple)]
        if len(finite) == len(kinds) and prod(map(len, finite)) <= LARGEST_DOMAIN:
            made = [_instance_of(cls, dict(zip(kinds, values, strict=True))) for values in product(*finite)]
            return tuple(value for value in made if value is not REFUSED_INSTANCE)
        drawn = st.fixed_dictionaries({name: as_strategy(kind) for name, kind in kinds.items()})
        return drawn.map(partial(_instance_of, cls)).filter(lambda value: value is not REFUSED_INSTANCE)

    def _domain_of_generic(
        self, node: ast.Subscript, origin: object, parts: list[ast.expr], module: ModuleType
    ) -> InputDomain:
        """Return the inputs of an annotation with square brackets."""
        if origin is typing.Annotated:
            return self._domain_of_annotated(parts, module)
        if origin is typing.Literal:
            return tuple(named_object(part, module) for part in parts)
        meant = typing.get_origin(origin) or origin
        if meant not in (typing.Union, typing.Optional, *STRATEGY_BY_CONTAINER):
            raise _unknown_annotation_error(ast.unparse(node), meant)
        kinds = [self._domain_of(part, module) for part in parts if ast.unparse(part) != "..."]
        if meant is typing.Union:
            return union_of_domains(kinds)
        if meant is typing.Optional:
            return union_of_domains([*kinds, (None,)])
        items = [*map(as_strategy, kinds)]
        if meant is tuple and len(kinds) == len(parts):
            finite = [kind for kind in kinds if isinstance(kind, tuple)]
            return tuple(product(*finite)) if len(finite) == len(kinds) else st.tuples(*items)
        return STRATEGY_BY_CONTAINER[meant](*items, **({"max_size": 0} if any(each.is_empty for each in items) else {}))

    def _domain_of_annotated(self, parts: list[ast.expr], module: ModuleType) -> InputDomain:
        """Return the inputs of an `Annotated`: those in a range, or those that match a pattern."""
        meaning, *marks = (named_object(part, module) for part in parts)
        for mark in marks:
            match mark:
                case range() if meaning is int:
                    return tuple(mark) if len(mark) <= LARGEST_DOMAIN else st.sampled_from(mark)
                case re.Pattern() if meaning is str:
                    return st.from_regex(
                        mark, fullmatch=True, alphabet=PRINTABLE_CHARACTERS if mark.pattern.isascii() else None
                    )
        return self._domain_of(parts[0], module)


def _instance_of(cls: type, values: dict[str, object]) -> object:
    try:
        return cls(**values)
    except (ValueError, AssertionError):
        return REFUSED_INSTANCE


def union_of_domains(kinds: Sequence[InputDomain]) -> InputDomain:
    """Return the inputs for a union of types, from the inputs of each type."""
    finite = [kind for kind in kinds if isinstance(kind, tuple)]
    return sum(finite, ()) if len(finite) == len(kinds) else st.one_of(*map(as_strategy, kinds))


def as_strategy(kind: InputDomain) -> st.SearchStrategy[object]:
    """Return a parameter's inputs as a Hypothesis strategy."""
    return st.sampled_from(kind) if isinstance(kind, tuple) else kind


def _unknown_annotation_error(annotation: str, meaning: object) -> UnitError:
    """Return the error for an annotation whose inputs cannot be derived."""
    if meaning in (*STRATEGY_BY_CONTAINER,):
        return UnitError(f"the annotation {annotation!r} does not say what is in it: write {annotation}[…]")
    return UnitError(f"no strategy for the annotation {annotation!r}: add it to STRATEGIES of the unit's checks")


# The types that annotations name: aliases, new types, and the fields of classes.


def aliased_type(name: str, module: ModuleType) -> AnnotationInModule | None:
    """Return the type behind a name in an annotation, if the name is an alias or a `NewType`; otherwise None."""
    statement, home = _definition(name, module)
    match statement:
        case (
            ast.Assign(value=ast.Call(func=ast.Name("NewType") | ast.Attribute(attr="NewType"), args=[_, of]))
            | ast.AnnAssign(annotation=ast.Name("TypeAlias") | ast.Attribute(attr="TypeAlias"), value=ast.expr() as of)
            | ast.Assign(value=ast.Name() | ast.Subscript() | ast.BinOp() as of)
        ):
            return of, home
    new = _value_of_type_statement(statement)
    return (new, home) if new else None


def field_annotations(cls: type) -> dict[str, AnnotationInModule] | None:
    """Return the annotations of the fields that a class's constructor takes; None if a field has no annotation."""
    if is_dataclass(cls):
        names = tuple(field.name for field in fields(cls) if field.init)
    elif hasattr(cls, "_fields"):
        names = tuple(cls._fields)
    else:
        return None
    written = dict[str, AnnotationInModule]()
    for base in reversed(cls.__mro__):
        statement, home = _definition(base.__name__, sys.modules[base.__module__])
        for part in statement.body if isinstance(statement, ast.ClassDef) else ():
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                written[part.target.id] = part.annotation, home
    return {name: written[name] for name in names} if written.keys() >= {*names} else None


def named_object(node: ast.expr, module: ModuleType) -> object:
    """Return the Python object that a name in an annotation refers to, or None if there is no such object."""
    names = vars(builtins) | vars(abc) | vars(typing) | vars(module)
    try:
        return eval(compile(ast.Expression(node), "<annotation>", "eval"), names)
    except Exception:
        return None


def _definition(
    name: str, module: ModuleType, visited: tuple[ModuleType, ...] = ()
) -> tuple[ast.stmt | None, ModuleType]:
    """Return the statement that defines a name, and the module that contains the statement.

    The name is looked up in `module`, and then in the modules from which it is imported.
    """
    own, origins = _definitions_and_imports(module)
    if name in own:
        return own[name], module
    others = (sys.modules.get(origin) for origin in origins.get(name, origins.get("*", ())))
    visited = (*visited, module)
    matches = (_definition(name, other, visited) for other in others if other and other not in visited)
    return next((match for match in matches if match[0]), (None, module))


@cache
def _definitions_and_imports(module: ModuleType) -> tuple[dict[str, ast.stmt], dict[str, tuple[str, ...]]]:
    """Return two tables of a module: the statements by the name that they define, and the origins of imported names."""
    own, origins = dict[str, ast.stmt](), dict[str, tuple[str, ...]]()
    path = Path(getattr(module, "__file__", None) or "")
    is_read = path.suffix == ".py" and module.__name__.split(".")[0] not in sys.stdlib_module_names
    for node, _, _ in written_statements(path) if is_read else ():
        match node:
            case ast.ImportFrom(module=str(origin), names=names):
                origins |= {each.asname or each.name: (*origins.get(each.name, ()), origin) for each in names}
            case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)) | ast.ClassDef(name=name):
                own[name] = node
            case _ if _value_of_type_statement(node):
                own |= dict.fromkeys(bound_names(node), node)
    return own, origins


def _value_of_type_statement(node: ast.stmt | None) -> ast.expr | None:
    """Return the annotation in a `type` statement, which is new in Python 3.12, or None."""
    value = getattr(node, "value", None)
    return value if type(node).__name__ == "TypeAlias" and isinstance(value, ast.expr) else None
