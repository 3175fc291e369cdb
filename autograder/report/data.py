"""Frozen values as plain data, and back again."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass, replace
from functools import cache, lru_cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from autograder.report.model import ExerciseReport, Graded, Report, Ungradable

T = TypeVar("T")


def from_data(kind: type[T], data: Any) -> T:
    """Give the value that `asdict` made this of: dataclasses of tuples, texts and numbers.

    >>> from dataclasses import asdict
    >>> from autograder.report.model import FacetReport
    >>> facet = FacetReport("doubles", True, 7)
    >>> from_data(FacetReport, asdict(facet)) == facet
    True
    """
    return _made(kind, data)  # type: ignore[no-any-return]


def report_of(data: Any) -> Report:
    """Give the report that `as_dict` made this of.

    >>> report_of(Ungradable("the file is empty", "uno").as_dict())
    Ungradable(problem='the file is empty', unit='uno', title='')
    """
    if data["problem"]:
        return from_data(Ungradable, data)
    exercises = tuple(_exercise(json.dumps(each)) for each in data["exercises"])
    return replace(from_data(Graded, data | {"exercises": ()}), exercises=exercises)


@lru_cache(maxsize=4096)
def _exercise(text: str) -> ExerciseReport:
    """Give the report on an exercise: of a class, most are one of a few."""
    return from_data(ExerciseReport, json.loads(text))


def _made(kind: Any, data: Any) -> Any:
    if isinstance(kind, type) and is_dataclass(kind):
        hints = _hints(kind)
        return kind(**{name: _made(hints[name], value) for name, value in data.items() if name in hints})
    if get_origin(kind) is tuple:
        return tuple(_made(get_args(kind)[0], item) for item in data)
    if get_origin(kind) in (Union, UnionType):
        return None if data is None else _made(_fitting(get_args(kind), data), data)
    return float(data) if kind is float else data


@cache
def _hints(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _fitting(kinds: tuple[Any, ...], data: Any) -> Any:
    """Give that one of some kinds whose fields the data has."""
    classes = [kind for kind in kinds if isinstance(kind, type) and is_dataclass(kind)]
    named = [kind for kind in classes if isinstance(data, dict) and set(_hints(kind)) == set(data)]
    return next(iter(named), next(kind for kind in kinds if kind is not NoneType))
