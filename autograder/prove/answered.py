"""Look for mistakes in what an author lists as wrong or right: known mistakes, right answers, equivalent mutants."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path

from autograder.prove.answers import right_answers
from autograder.prove.equivalent import equivalent_wrong
from autograder.prove.shown import Begin
from autograder.units.mistakes import exercise_meant, mistakes_of, no_exercise
from autograder.units.unit import Passing, Unit, demand_exists
from autograder.units.written import location_of, written_statements
from course.syntax import bound_names, names_in

ROLES_BY_UNIT = "solutions", "checks", "mistakes"
OPTIONAL_PARTS = "alike", "arena", "diagnoses", "form", "pictures", "tables", "wholes", "worlds"  # by unit, too


def answers_wrong(unit: Unit, _: Begin) -> Iterator[str]:
    """Yield what is wrong with the files of known answers, each in one line with file and line."""
    yield from _strays(unit)
    path = unit.pack.file("mistakes", unit.name)
    for statement in written_statements(path) if path.exists() else ():
        yield from (f"{path}:{statement[0].lineno}: {wrong}" for wrong in _mistakes_wrong(unit, *statement))
    for name, count in Counter((each.exercise, each.name) for each in mistakes_of(unit)).items():
        if count > 1:
            yield f"{location_of(path, '__'.join(name))}: the mistake {'__'.join(name)} is defined twice. Rename one"
    right_answers(unit)
    yield from equivalent_wrong(unit)


def _strays(unit: Unit) -> Iterator[str]:
    """Yield the files that belong to no unit of the pack. Raises UnitError for a missing folder."""
    pack = unit.pack
    for role, _ in pack.elsewhere:
        if role != "notebooks":
            demand_exists(pack, pack.folder(role), "folders", role)
    for file in _modules_in(map(pack.folder, ROLES_BY_UNIT)):
        if file.stem not in pack.units:
            yield f"{file}:1: the pack has no unit {file.stem!r}. Rename the file, or list the unit in {pack.settings}"
    for file in sorted(pack.folder("right").glob("[!_]*.py")):
        if not any(file.stem.startswith(f"{name}_") for name in pack.units):
            yield f"{file}:1: the name does not begin with a unit. Rename the file to {unit.name}_{file.stem}.py"
    for file in _modules_in(pack.course_folder / part for part in OPTIONAL_PARTS):
        if file.stem not in pack.units and (near := get_close_matches(file.stem, pack.units, 1, 0.65)):
            yield f"{file}:1: the pack has no unit {file.stem!r}. Did you mean {near[0]}.py?"


def _modules_in(folders: Iterable[Path]) -> list[Path]:
    return [file for folder in folders for file in sorted(folder.glob("[!_]*.py"))]


def _mistakes_wrong(unit: Unit, node: ast.stmt, docstring: str, source: str) -> Iterator[str]:
    """Yield what is wrong with a statement in the file of known mistakes."""
    for name in sorted(bound_names(node)) if not isinstance(node, ast.Import | ast.ImportFrom) else ():
        exercise = exercise_meant(name)
        if not exercise:
            yield f"{name} is no mistake of an exercise. Rename it to <exercise>__<mistake>, or move it into its caller"
        elif exercise not in unit.by_name:
            yield no_exercise(unit, exercise)
        else:
            known = {*vars(builtins), *unit.module.__all__, *unit.by_name, name}
            for free in sorted(names_in(source) - known):
                yield f"{name} uses {free}, which is neither given nor an exercise. Define or import it inside {name}"
            if isinstance(node, ast.FunctionDef):
                yield from _function_wrong(unit, exercise, node, docstring)


def _function_wrong(unit: Unit, exercise: str, node: ast.FunctionDef, docstring: str) -> Iterator[str]:
    if not docstring:
        yield f"{node.name} has no docstring. Write in it what its author believes"
    names = {each.arg for each in (*node.args.args, *node.args.kwonlyargs)}
    for parameter in unit[exercise].parameters:
        by_name = parameter.passing in (Passing.NAME, Passing.NAME_OR_NONE)
        if by_name and not node.args.kwarg and parameter.name not in names:
            yield f"{node.name} has no parameter {parameter.name}, which the exam passes by name. Add it"
