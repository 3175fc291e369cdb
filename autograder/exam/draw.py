"""The calls of an exam: all inputs if there are few, or else inputs that Hypothesis draws reproducibly."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import partial
from itertools import product
from math import prod
from types import ModuleType
from typing import Any, TypeVar
from unittest.mock import patch

import hypothesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.internal.conjecture.providers import HypothesisProvider

from autograder.config import cache_folder
from autograder.exam.cases import EVERY_INPUT, Case, Joint
from autograder.exam.checks import Checks
from autograder.exam.kinds import LARGEST_DOMAIN, InputDomain, Kinds, Strategies, as_strategy, drawn_lazily
from autograder.exam.near import NEAR, near_cases
from autograder.units.unit import Exercise, Parameter, Passing, Unit, UnitError

T = TypeVar("T")


def cases(unit: Unit, exercise: Exercise, checks: Checks, seed: int, share: float = 1) -> tuple[str, Iterable[Case]]:
    """Return the facet's name and the exercise's cases: all there are, or this share of the usual number, drawn."""
    check = checks[exercise.name]
    count = -int(-check.count * share // 1)
    if check.cases is not None:
        return DRAWN, (_as_case(each) for each in draw_examples(drawn_lazily(check.cases), count, seed))
    if check.inputs == NEAR and exercise.parameters:
        chosen = [_as_case(each) for special in check.facets.values() for each in _cases_in(special)]
        shown = [each for each in chosen if share < 1 or not each.hidden]  # a secret input may be near a hidden call
        return DRAWN, near_cases(shown or chosen, count * MORE_NEAR, seed, chosen)
    kinds = _kinds(unit, exercise, checks.strategies)
    make = partial(_case_of, exercise.parameters)
    if not kinds:
        return EVERY_INPUT, (Case(()),) if isinstance(exercise.node, ast.FunctionDef) else ()
    domains = [kind for kind in kinds if isinstance(kind, tuple)]
    if len(domains) == len(kinds) and prod(map(len, domains)) <= LARGEST_DOMAIN:
        return EVERY_INPUT, map(make, product(*domains))
    return DRAWN, map(make, draw_examples(st.tuples(*map(as_strategy, kinds)), count, seed))


def _cases_in(special: tuple[Case, ...] | Joint) -> tuple[Case, ...]:
    return special.cases if isinstance(special, Joint) else special


def demand_strategies(unit: Unit, checks: Checks) -> None:
    """Raise UnitError, with file and line, if inputs of an exercise cannot be drawn because a strategy is missing."""
    for exercise in unit.exercises:
        check = checks[exercise.name]
        if exercise.is_called and check.cases is None and not check.contests and check.inputs != NEAR:
            _kinds(unit, exercise, checks.strategies)


def _kinds(unit: Unit, exercise: Exercise, table: Strategies) -> list[InputDomain]:
    """Return the inputs of each parameter. Raises UnitError, with file and line, for an unknown annotation."""
    try:
        return [_kind_for(parameter, Kinds(table), unit.module) for parameter in exercise.parameters]
    except UnitError as error:
        raise UnitError(f"{unit.location(exercise)}: {exercise.name}: {error}") from None


def _kind_for(parameter: Parameter, kinds: Kinds, module: ModuleType) -> InputDomain:
    if parameter.passing is Passing.MANY_NAMED:
        raise UnitError(f"no inputs for **{parameter.name}: set cases= in the exercise's Check")
    if not parameter.annotation:
        raise UnitError(f"the parameter {parameter.name} has no annotation: add one, or set cases= in its Check")
    kind = kinds.of_annotation(parameter.annotation, module)
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


def _as_case(value: Any) -> Case:
    return value if isinstance(value, Case) else Case(tuple(value))


def draw_examples(strategy: st.SearchStrategy[T], count: int, seed: int) -> list[T]:
    """Return up to `count` examples of a strategy.

    The examples are the same for the same seed and version of Hypothesis.

    Hypothesis alone would also draw constants of loaded modules. Such constants differ between a checkout and a wheel,
    and between pytest and `foldem grade`. It would read its table of characters from the current folder, where a
    student's may be.
    """
    examples: list[T] = []

    @hypothesis.seed(seed)
    @settings(max_examples=count, database=None, phases=[Phase.generate], deadline=None, suppress_health_check=HEALTH)
    @hypothesis.given(strategy)
    def collect(example: T) -> None:
        examples.append(example)

    set_hypothesis_home_dir(cache_folder("hypothesis"))
    with patch.object(HypothesisProvider, "_maybe_draw_constant", lambda *_, **__: None, create=True):
        collect()
    return examples


HEALTH = list(HealthCheck)
OMITTED = object()  # no argument at all
MOST_ARGUMENTS = 5  # for a parameter such as *args
DRAWN = "other inputs"
MORE_NEAR = 3  # times as many are drawn, because the reference may raise on some
