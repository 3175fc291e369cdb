"""Names that are easily confused: functions, classes, constants and fields of the same type."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from itertools import groupby
from types import ModuleType

from autograder.units.unit import Exercise, Unit

Groups = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Siblings:
    """A table with, for each name or attribute, others of the same kind.

    For a local name, these are all other local names.
    """

    names: Groups
    attributes: Groups

    local: tuple[str, ...] = ()

    def of_name(self, name: str) -> tuple[str, ...]:
        if name in self.local:
            return tuple(other for other in self.local if other != name)
        return self.names.get(name, ())


def siblings_in(tree: ast.Module, unit: Unit) -> Siblings:
    """Return the siblings in a reference: among its local names, and among exercises and given names of the unit."""
    return Siblings(*_of_unit(unit), tuple(dict.fromkeys(_bound(tree))))


@cache
def _of_unit(unit: Unit) -> tuple[Groups, Groups]:
    functions = ((("function", exercise_type(exercise)), exercise.name) for exercise in unit.exercises)
    return of_one_kind([*functions, *_given(unit.module)]), of_one_kind(_attributes(unit.module))


def _bound(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.arg(name) | ast.Name(name, ast.Store()) | ast.MatchAs(_, str(name)) | ast.MatchStar(str(name)):
                yield name


def of_one_kind(kinds: Iterable[tuple[Hashable, str]]) -> Groups:
    """Return a map from each name to the other names of the same kind."""
    groups = groupby(sorted(kinds, key=repr), key=lambda pair: pair[0])
    families = [tuple(dict.fromkeys(name for _, name in group)) for _, group in groups]
    others_of: Groups = {}
    for family in families:
        for name in family:
            others_of[name] = (*others_of.get(name, ()), *(other for other in family if other != name))
    return others_of


def exercise_type(exercise: Exercise) -> str:
    """Return the type of an exercise, as in an annotation."""
    if isinstance(exercise.node, ast.AnnAssign):
        return ast.unparse(exercise.node.annotation)
    assert isinstance(exercise.node, ast.FunctionDef)
    taken = ", ".join(parameter.annotation for parameter in exercise.parameters)
    given = ast.unparse(exercise.node.returns) if exercise.node.returns else ""
    return f"Callable[[{taken}], {given}]"


def _given(module: ModuleType) -> Iterator[tuple[Hashable, str]]:
    probes = getattr(module, "PROBES", ())
    for name in module.__all__:
        thing = getattr(module, name)
        if inspect.isfunction(thing) and thing not in probes:
            yield ("function", _function_type(thing)), name
        elif is_dataclass(thing) and isinstance(thing, type):
            yield ("class", tuple(str(field.type) for field in fields(thing))), name
        elif name.isupper() and isinstance(thing, (int, str, Enum)):
            yield ("constant", type(thing).__name__), name


def _function_type(function: object) -> str:
    signature = inspect.signature(function)  # type: ignore[arg-type]
    taken = ", ".join(str(parameter.annotation) for parameter in signature.parameters.values())
    return f"Callable[[{taken}], {signature.return_annotation}]"


def _attributes(module: ModuleType) -> list[tuple[Hashable, str]]:
    things = {name: getattr(module, name) for name in module.__all__}
    classes = {name: thing for name, thing in things.items() if isinstance(thing, type)}
    members = [(name, member.name) for name, cls in classes.items() if issubclass(cls, Enum) for member in cls]
    parts = [
        ((name, str(field.type)), field.name)
        for name, cls in classes.items()
        if is_dataclass(cls)
        for field in fields(cls)
    ]
    return [*members, *parts]
