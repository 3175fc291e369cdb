"""Inputs from annotations: all values of a small type, or else values that Hypothesis draws reproducibly."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import partial
from itertools import product
from math import prod
from types import ModuleType
from typing import Any, TypeAlias, TypeVar
from unittest.mock import patch

import hypothesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture.providers import HypothesisProvider

from autograder.exam.cases import Case
from autograder.exam.checks import Checks
from autograder.units.unit import Exercise, Parameter, Passing, Unit, UnitError

T = TypeVar("T")
InputDomain: TypeAlias = tuple[object, ...] | st.SearchStrategy[Any]  # all values, or a strategy to draw them
Strategies = dict[str, Any]
BASIC: Strategies = {"int": st.integers(-20, 20), "bool": (False, True), "str": st.text("abcXYZ019 -", max_size=8)}


def cases(unit: Unit, exercise: Exercise, checks: Checks, seed: int) -> tuple[str, Iterable[Case]]:
    """Return the facet's name and the exercise's cases: all there are, or drawn ones."""
    check = checks[exercise.name]
    if check.cases is not None:
        return DRAWN, (_as_case(each) for each in draw_examples(drawn_lazily(check.cases), check.count, seed))
    kinds = _kinds(unit, exercise, BASIC | dict(checks.strategies))
    make = partial(_case_of, exercise.parameters)
    if not kinds:
        return EVERY_INPUT, (Case(()),) if isinstance(exercise.node, ast.FunctionDef) else ()
    domains = [kind for kind in kinds if isinstance(kind, tuple)]
    if len(domains) == len(kinds) and prod(map(len, domains)) <= LARGEST_DOMAIN:
        return EVERY_INPUT, map(make, product(*domains))
    return DRAWN, map(make, draw_examples(st.tuples(*map(as_strategy, kinds)), check.count, seed))


def _kinds(unit: Unit, exercise: Exercise, table: Strategies) -> list[InputDomain]:
    """Return the inputs of each parameter. Raises UnitError, with file and line, for an unknown annotation."""
    try:
        return [_kind_for(parameter, table, unit.module) for parameter in exercise.parameters]
    except UnitError as error:
        raise UnitError(f"{unit.location(exercise)}: {exercise.name}: {error}") from None


def _kind_for(parameter: Parameter, table: Strategies, module: ModuleType) -> InputDomain:
    if parameter.passing is Passing.MANY_NAMED:
        raise UnitError(f"no inputs for **{parameter.name}: set cases= in the exercise's Check")
    kind = input_domain(parameter.annotation, table, module)
    match parameter.passing:
        case Passing.MANY:
            return st.lists(as_strategy(kind), max_size=MOST_ARGUMENTS).map(tuple)
        case Passing.NAME_OR_NONE:
            return (*kind, OMITTED) if isinstance(kind, tuple) else st.one_of(st.just(OMITTED), kind)
    return kind


def _case_of(parameters: Iterable[Parameter], values: Iterable[Any]) -> Case:
    """Return the call with these values for the parameters."""
    args, keywords = list[object](), list[tuple[str, object]]()
    for parameter, value in zip(parameters, values, strict=True):
        match parameter.passing:
            case Passing.BY_POSITION:
                args.append(value)
            case Passing.MANY:
                args += value
            case _ if value is not OMITTED:
                keywords.append((parameter.name, value))
    return Case(tuple(args), keywords=tuple(keywords))


def drawn_lazily(drawing: T | Callable[[], T]) -> T:
    """Return the strategy or the values of a check. If the check has a function instead, call it."""
    return drawing() if callable(drawing) else drawing


def _as_case(value: Any) -> Case:
    return value if isinstance(value, Case) else Case(tuple(value))


def input_domain(annotation: str, table: Strategies, module: ModuleType) -> InputDomain:
    """Return the inputs of an annotation: a tuple of all values, or a strategy."""
    if annotation in table:
        return drawn_lazily(table[annotation])
    node = ast.parse(annotation, mode="eval").body
    if isinstance(node, ast.BinOp):
        sides = [input_domain(ast.unparse(side), table, module) for side in (node.left, node.right)]
        domains = [side for side in sides if isinstance(side, tuple)]
        return sum(domains, ()) if len(domains) == len(sides) else st.one_of(*map(as_strategy, sides))
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) in ("tuple", "list"):
        return _sequence_of(node, table, module)
    if annotation == "None":
        return (None,)
    cls = getattr(module, annotation, None)
    if isinstance(cls, type) and issubclass(cls, Enum):
        return tuple(cls)
    if isinstance(cls, type) and is_dataclass(cls) and not fields(cls):
        return (cls(),)
    raise UnitError(f"no strategy for the annotation {annotation!r}: add it to STRATEGIES of the unit's checks")


def _sequence_of(node: ast.Subscript, table: Strategies, module: ModuleType) -> InputDomain:
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    kinds = [input_domain(ast.unparse(part), table, module) for part in parts if ast.unparse(part) != "..."]
    if ast.unparse(node.value) == "list":
        return st.lists(as_strategy(kinds[0]), max_size=8)
    if len(kinds) < len(parts):
        return st.lists(as_strategy(kinds[0]), max_size=8).map(tuple)
    domains = [kind for kind in kinds if isinstance(kind, tuple)]
    if len(domains) == len(kinds):
        return tuple(product(*domains))
    return st.tuples(*map(as_strategy, kinds))


def as_strategy(kind: InputDomain) -> st.SearchStrategy[object]:
    """Return the inputs of a parameter as a Hypothesis strategy."""
    return st.sampled_from(kind) if isinstance(kind, tuple) else kind


def draw_examples(strategy: st.SearchStrategy[T], count: int, seed: int) -> list[T]:
    """Return up to `count` examples of a strategy.

    The examples are the same for the same seed and version of Hypothesis.

    Hypothesis alone would also draw constants of loaded modules. Such constants differ between a checkout and a wheel,
    and between pytest and `foldem grade`.
    """
    examples: list[T] = []

    @hypothesis.seed(seed)
    @settings(
        max_examples=count,
        database=None,
        phases=[Phase.generate],
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(strategy)
    def collect(example: T) -> None:
        examples.append(example)

    with patch.object(HypothesisProvider, "_maybe_draw_constant", lambda *_, **__: None, create=True):
        collect()
    return examples


OMITTED = object()  # no argument at all
MOST_ARGUMENTS = 5  # for a parameter such as *args
DRAWN = "other inputs"
EVERY_INPUT = "every input"
LARGEST_DOMAIN = 4000
