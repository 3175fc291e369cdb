"""Find unknown names in a unit's TOML: bans, requirements, modules, comparisons and pictures."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TypeAlias

from autograder.prove.shown import Begin
from autograder.toml import line_of
from autograder.units.unit import Unit
from course.form import CONSTRUCTS, policy_of
from course.show.pictures import all_kinds, art, declared_in

Misfit: TypeAlias = tuple[tuple[str | int, ...], str]  # a key of the TOML, and what is wrong with it


def names_wrong(unit: Unit, _: Begin) -> Iterator[str]:
    """Yield what is wrong with the names in a unit's TOML, each in one line with file and line."""
    file = unit.pack.toml(unit.name)
    text = file.read_text(encoding="utf-8")
    for where, wrong in (*_form_wrong(unit), *_exercises_wrong(unit), *_picture_wrong(unit)):
        yield f"{file}:{line_of(text, *where)}: {wrong}"
    declared = declared_in(unit.pack.course).get(unit.name)
    for name, kind in declared.kinds.items() if declared else ():
        if any(kinds.get(name, kind) is not kind for kinds in all_kinds()):
            pictures = unit.pack.course_folder / "pictures" / f"{unit.name}.py"
            yield f"{pictures}:1: the kind {name!r} exists already: choose another name"


def _form_wrong(unit: Unit) -> Iterator[Misfit]:
    for name in unit.policy.form.imports or ():
        if not _is_module(name):
            yield ("form", "imports"), f"there is no module {name!r}. Correct it, or remove it from imports"
    known = {*unit.module.__all__, *unit.by_name, *vars(builtins)}
    for name in (each for pair in unit.policy.form.compare_with.items() for each in pair):
        if name not in known:
            yield ("form", "compare_with"), f"compare_with: {_unknown(name, known)}"


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def _exercises_wrong(unit: Unit) -> Iterator[Misfit]:
    names, methods = _names(unit), _methods(unit)
    for number, exercise in enumerate(unit.exercises):
        for key in ("requires", "bans"):
            for name in (option for each in getattr(exercise, key) for option in each.split(" or ")):
                known = methods if name.startswith(".") else names
                if name.removeprefix(".") not in known:
                    yield ("exercise", number, key), f"{key} of {exercise.name}: {_unknown(name, known)}"


def _unknown(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name.removeprefix("."), known, 1)
    kind = "method" if name.startswith(".") else "name"
    return f"unknown {kind} {name!r}: {f'did you mean {near[0]!r}?' if near else 'correct or remove it'}"


def _modules(unit: Unit) -> list[ModuleType]:
    allowed = (*policy_of(unit.policy.form).imports, "random")  # which no answer may import, but exercises may ban
    return [import_module(name) for name in allowed if _is_module(name)]


def _names(unit: Unit) -> set[str]:
    """Return the names that an answer could use."""
    modules = _modules(unit)
    own = {*CONSTRUCTS, *vars(builtins), *keyword.kwlist, *keyword.softkwlist, *vars(unit.module), *unit.by_name}
    return own.union(*(vars(each) for each in modules), (each.__name__ for each in modules))


def _methods(unit: Unit) -> set[str]:
    """Return the attributes that an answer could use."""
    kinds = [each for home in (builtins, unit.module, *_modules(unit)) for each in vars(home).values()]
    return {name for kind in (*kinds, *_modules(unit)) if isinstance(kind, type | ModuleType) for name in dir(kind)}


def _picture_wrong(unit: Unit) -> Iterator[Misfit]:
    try:
        drawn = not unit.policy.picture or art(unit.policy.picture)
    except Exception:  # a painter may raise anything for a text that it does not know
        drawn = ""
    if not drawn:
        yield (
            ("picture",),
            f"unknown picture {unit.policy.picture!r}. Write one such as 'card:JS', or remove the key",
        )
