"""The calls of an exam: all possible inputs if there are few, or else inputs that Hypothesis draws reproducibly."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from math import prod
from random import Random
from typing import Any, TypeVar, cast
from unittest.mock import patch

import hypothesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.internal.conjecture.providers import HypothesisProvider

from autograder.config import cache_folder
from autograder.exam.cases import Case, Joint
from autograder.exam.kinds import InputDomain, InputDomains, Strategies, as_strategy
from autograder.exam.model import Checks
from autograder.units.unit import Exercise, Parameter, PassingMode, Unit, UnitError
from course.diagnoses.failure import EVERY_INPUT_FACET
from course.limits import LARGEST_DOMAIN

NEAR_INPUTS = "near"
NUMBER_STEPS = (-2, -1, 1, 2)
SMALL_NUMBER = 20  # a whole number below it may grow a little; others stay among the chosen ones
TRIES_PER_INPUT = 8  # for each input; many are found twice


def near_cases(chosen: Sequence[Case], count: int, seed: int, avoided: Sequence[Case] = ()) -> list[Case]:
    """Return up to `count` different calls, made by small changes to the calls in `chosen`.

    None of the returned calls is in `chosen` or `avoided`. The same seed gives the same calls.
    """
    known = {repr(replace(case, hidden=False)) for case in (*chosen, *avoided)}
    random, drawn = Random(seed), list[Case]()
    leaves = [leaf for case in chosen for leaf in _leaf_values((*case.args, *(value for _, value in case.keywords)))]
    for _ in range(TRIES_PER_INPUT * count):
        case = random.choice(chosen)
        args, named = list(case.args), dict(case.keywords)
        for _ in range(random.choice((1, 1, 1, 2, 2, 3))):  # parts that differ, or arguments of another call
            index = random.randrange(len(args) + len(named)) if args or named else 0
            others = [other.args[index] for other in chosen if index < len(other.args)]
            if index < len(args):
                args[index] = (
                    random.choice(others) if random.random() < 0.15 else _change_value(random, args[index], leaves)
                )
            elif named:
                name = [*named][index - len(args)]
                named[name] = _change_value(random, named[name], leaves)
        case = replace(case, args=tuple(args), keywords=tuple(named.items()), hidden=False)
        if len(drawn) < count and repr(case) not in known:
            known.add(repr(case))
            drawn.append(case)
    return drawn


def _leaf_values(value: object) -> Iterable[object]:
    """Yield the values inside a value that are no containers, such as numbers and texts."""
    if isinstance(value, dict):
        yield from (leaf for pair in value.items() for leaf in _leaf_values(pair))
    elif isinstance(value, list | tuple | set | frozenset):
        yield from (leaf for part in value for leaf in _leaf_values(part))
    else:
        yield value


def _change_value(random: Random, value: object, leaves: list[object]) -> object:
    """Return a value with one small change: another number or text, or an item that is removed, doubled or moved."""
    match value:
        case list() | tuple():
            items = _change_items(random, [*value], leaves)
            return items if isinstance(value, list) else tuple(items)
        case set() | frozenset():
            return type(value)(_change_items(random, sorted(value, key=repr), leaves))
        case dict():  # the shorter of both decides how many items are left
            keys, items = [*value], [*value.values()]
            if random.random() < 0.3:
                keys = _change_items(random, keys, leaves)
            else:
                items = _change_items(random, items, leaves)
            return dict(zip(keys, items, strict=False))
    return _change_leaf(random, value, [leaf for leaf in leaves if type(leaf) is type(value)])


def _change_items(random: Random, items: list[object], leaves: list[object]) -> list[object]:
    if not items:
        return items
    index, other = random.randrange(len(items)), random.randrange(len(items))
    match random.choice(("part", "part", "part", "drop", "double", "swap", "reverse")):
        case "drop":
            return items[:index] + items[index + 1 :]
        case "double":
            return [*items[: index + 1], *items[index:]]
        case "swap":
            items[index], items[other] = items[other], items[index]
            return items
        case "reverse":
            return items[::-1]
    return [*items[:index], _change_value(random, items[index], leaves), *items[index + 1 :]]


def _change_leaf(random: Random, value: object, alike: list[object]) -> object:
    """Return another number or text: one near `value`, or one that occurs in the chosen calls.

    In a text, a letter is dropped, doubled, moved, replaced, or changed between upper and lower case. If the text has
    several words, a word may be dropped, doubled, moved or replaced, too.
    """
    if type(value) is bool:
        return not value
    if not isinstance(value, int | float | str) or random.random() >= 0.7:
        return random.choice(alike or [value])
    if isinstance(value, str):
        if " " in value and random.random() < 0.5:
            return " ".join(map(str, _change_items(random, [*value.split(" ")], [*" ".join(map(str, alike)).split()])))
        index = random.randrange(len(value)) if value else 0
        letter = random.choice("".join(map(str, alike)) or "a")
        before, here, after = value[:index], value[index : index + 1], value[index + 1 :]
        middles = "", 2 * here, letter, here.swapcase(), letter + here
        return random.choice((*(before + each + after for each in middles), value[::-1], after + before + here))
    numbers = cast("list[float]", alike)
    low, high = min(numbers), max(numbers)
    if random.random() < 0.3 and type(value) is int:
        return random.randint(int(low), int(high))
    new = value + random.choice(NUMBER_STEPS) * (1 if type(value) is int else random.choice((0.25, 0.5, 1.0)))
    return new if low <= new <= high or abs(new) <= SMALL_NUMBER else random.choice(numbers)


T = TypeVar("T")


def derived_cases(
    unit: Unit, exercise: Exercise, checks: Checks, seed: int, share: float = 1
) -> tuple[str, Iterable[Case]]:
    """Return the name and the cases of a facet, which has all possible inputs or random inputs.

    `share` reduces the number of random inputs; 1 means the usual number.
    """
    check = checks[exercise.name]
    count = -int(-check.count * share // 1)
    if check.cases is not None:
        return OTHER_INPUTS, map(
            _as_case, draw_examples(check.cases() if callable(check.cases) else check.cases, count, seed)
        )
    if check.inputs == NEAR_INPUTS and exercise.parameters:
        specials = (each.cases if isinstance(each, Joint) else each for each in check.facets.values())
        chosen = [_as_case(each) for special in specials for each in special]
        shown = [each for each in chosen if share < 1 or not each.hidden]  # a secret input may be near a hidden call
        return OTHER_INPUTS, near_cases(shown or chosen, count * NEAR_INPUT_FACTOR, seed, chosen)
    kinds = _input_domains(unit, exercise, checks.strategies)
    make = partial(_case_of, exercise.parameters)
    if not kinds:
        return EVERY_INPUT_FACET, (Case(()),) if isinstance(exercise.node, ast.FunctionDef) else ()
    domains = [kind for kind in kinds if isinstance(kind, tuple)]
    if len(domains) == len(kinds) and prod(map(len, domains)) <= LARGEST_DOMAIN:
        return EVERY_INPUT_FACET, map(make, product(*domains))
    return OTHER_INPUTS, map(make, draw_examples(st.tuples(*map(as_strategy, kinds)), count, seed))


def ensure_strategies(unit: Unit, checks: Checks) -> None:
    """Raise UnitError, with file and line, if an exercise's inputs cannot be drawn because a type has no strategy."""
    for exercise in unit.exercises:
        check = checks[exercise.name]
        if exercise.is_called and check.cases is None and not check.contests and check.inputs != NEAR_INPUTS:
            _input_domains(unit, exercise, checks.strategies)


def _input_domains(unit: Unit, exercise: Exercise, table: Strategies) -> list[InputDomain]:
    """Return the inputs of each parameter. Raises UnitError, with file and line, for an unknown annotation."""
    kinds, location = list[InputDomain](), f"{unit.location(exercise)}: {exercise.name}"
    for parameter in exercise.parameters:
        name = parameter.name
        if parameter.passing is PassingMode.MANY_NAMED:
            raise UnitError(f"{location}: no inputs for **{name}: set cases= in the exercise's Check")
        if not parameter.annotation:
            raise UnitError(f"{location}: the parameter {name} has no annotation: add one, or set cases= in its Check")
        try:
            kind = InputDomains(table).of_annotation(parameter.annotation, unit.module)
        except UnitError as error:
            raise UnitError(f"{location}: {error}") from None
        if parameter.passing is PassingMode.MANY:
            kind = st.lists(as_strategy(kind), max_size=EXTRA_ARGUMENT_COUNT).map(tuple)
        elif parameter.passing is PassingMode.NAME_OR_NONE:
            kind = (*kind, OMITTED_ARGUMENT) if isinstance(kind, tuple) else st.one_of(st.just(OMITTED_ARGUMENT), kind)
        kinds.append(kind)
    return kinds


def _case_of(parameters: Iterable[Parameter], values: Iterable[Any]) -> Case:
    """Return the call with these values for the parameters."""
    args, keywords = list[object](), list[tuple[str, object]]()
    for parameter, value in zip(parameters, values, strict=True):
        match parameter.passing:
            case PassingMode.BY_POSITION:
                args.append(value)
            case PassingMode.MANY:
                args += value
            case _ if value is not OMITTED_ARGUMENT:
                keywords.append((parameter.name, value))
    return Case(tuple(args), keywords=tuple(keywords))


def _as_case(value: Any) -> Case:
    return value if isinstance(value, Case) else Case(tuple(value))


def draw_examples(strategy: st.SearchStrategy[T], count: int, seed: int) -> list[T]:
    """Return up to `count` examples of a strategy.

    The examples are the same for the same seed and version of Hypothesis.

    By default, Hypothesis would also draw constants of loaded modules. Constants of loaded modules differ between a
    checkout and a wheel, and between pytest and `foldem grade`. Hypothesis would also read its table of characters from
    the current folder, where a student may have put a wrong table. This function keeps Hypothesis from using the
    constants and the table.
    """
    examples: list[T] = []

    @hypothesis.seed(seed)
    @settings(
        max_examples=count,
        database=None,
        phases=[Phase.generate],
        deadline=None,
        suppress_health_check=ALL_HEALTH_CHECKS,
    )
    @hypothesis.given(strategy)
    def collect(example: T) -> None:
        examples.append(example)

    set_hypothesis_home_dir(cache_folder("hypothesis"))
    with patch.object(HypothesisProvider, "_maybe_draw_constant", lambda *_, **__: None, create=True):
        collect()
    return examples


ALL_HEALTH_CHECKS = list(HealthCheck)
OMITTED_ARGUMENT = object()  # no argument at all
EXTRA_ARGUMENT_COUNT = 5  # for a parameter such as *args
OTHER_INPUTS = "other inputs"
NEAR_INPUT_FACTOR = 3  # times as many are drawn, because the reference may raise on some
