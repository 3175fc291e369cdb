"""Look for what is wrong in the files that an author writes: names, examples and known answers."""

from __future__ import annotations

import ast
import builtins
import keyword
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import redirect_stdout
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from types import ModuleType
from typing import TypeAlias

from autograder.exam.model import compile_example
from autograder.prove.answers import right_answers
from autograder.prove.mutate import equivalent_wrong
from autograder.toml import line_of
from autograder.units.mistakes import exercise_meant, mistakes_of, no_exercise
from autograder.units.pack import error_in_words
from autograder.units.unit import Exercise, PassedBy, Unit, ensure_exists
from autograder.units.written import location_of, written_statements
from course.exam import wire
from course.exam.readable import one_line
from course.form import CONSTRUCTS, policy_of
from course.kernel.catalogue import StatedExample
from course.show.pictures import all_kinds, art, declared_in
from course.syntax import bound_names, lines_of, names_in

Begin: TypeAlias = Callable[[str, str], None]  # called with the location of what runs next, and what it is


def without_limit(location: str, what: str) -> None:
    """Begin something that may take as long as it likes."""


def examples_wrong(
    unit: Unit, begin: Begin = without_limit, exercises: Collection[str] = ()
) -> Iterator[tuple[str, ...]]:
    """Yield for each visible example what is wrong: lines that begin with file and line, or nothing.

    These are the examples of the exercises with these names, or without names of all.
    """
    for exercise in (each for each in unit.exercises if not exercises or each.name in exercises):
        for number, example in enumerate(exercise.examples):
            location = example_location(unit, exercise, example)
            begin(location, f"{exercise.name}: the example {one_line(example.call, 200)}")
            yield tuple(f"{location}: {exercise.name}: {wrong}" for wrong in _wrong(unit, exercise, number))


def example_location(unit: Unit, exercise: Exercise, example: StatedExample) -> str:
    """Return the file and line of a visible example, or of its exercise."""
    file, first = unit.pack.file("solutions", unit.name), exercise.node.lineno
    rows = enumerate(lines_of(file.read_text(encoding="utf-8"))[first - 1 :], first)
    shown = f">>> {example.call.splitlines()[0]}"
    return f"{file}:{next((row for row, line in rows if line.strip() == shown), first)}"


def unreadable(example: StatedExample) -> str:
    """Return what is wrong with the code of an example, or ""."""
    for code, mode in ((example.call, "eval"), *((line, "exec") for line in example.setup)):
        try:
            compile(code, "<example>", mode)
        except SyntaxError:
            return f"{one_line(code, 200)} is not {'an expression' if mode == 'eval' else 'a statement'}"
    return ""


def _wrong(unit: Unit, exercise: Exercise, number: int) -> Iterator[str]:
    example = exercise.examples[number]
    if wrong := unreadable(example):
        yield f"{wrong}. An example is a call with its result"
    elif not any(exercise.name in f"{each.setup} {each.call}" for each in exercise.examples):
        yield f"no example calls {exercise.name}. Write one that does"
    else:
        yield from _not_shown(unit, exercise, number)


def _not_shown(unit: Unit, exercise: Exercise, number: int) -> Iterator[str]:
    example, printed = exercise.examples[number], StringIO()
    call, wanted = one_line(example.call, 200), one_line(example.raises or example.want, 200)
    try:
        with redirect_stdout(printed):
            is_right, outcome = _outcome(unit, exercise, number)
    except (Exception, SystemExit) as error:
        is_right, outcome = False, error_in_words(error)
    if printed.getvalue():
        yield f"{call} prints {one_line(printed.getvalue(), 200)!r}. Print nothing, or show it with `transcript`"
    elif not is_right:
        yield f"{call} returned {one_line(outcome, 200)}, not {wanted}. Correct the example or the reference"


def _outcome(unit: Unit, exercise: Exercise, number: int) -> tuple[bool, str]:
    """Return whether an example is right, and its outcome as text."""
    example, text = exercise.examples[number], wire.Wire(unit.module)
    *setup, call = compile_example(exercise, number)
    names, given = names_of_solutions(unit), names_of_solutions(unit)
    for line in setup:
        exec(line, names)
    try:
        value = eval(call, names)
    except Exception as error:
        raised = error_in_words(error)
        return example.raises in (raised, type(error).__name__), raised
    if example.raises:
        return False, repr(value)
    return wire.text_of(text.encode(value)) == wire.text_of(text.encode(eval(example.want, given))), repr(value)


def names_of_solutions(unit: Unit) -> dict[str, object]:
    """Return the names that the solutions of a unit define or import."""
    module = unit.pack.module("solutions", unit.name)
    return {name: thing for name, thing in vars(module).items() if not name.startswith("__")}


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
            pictures = unit.pack.role_file("pictures", unit.name)
            yield f"{pictures}:1: the kind {name!r} exists already: choose another name"


def _form_wrong(unit: Unit) -> Iterator[Misfit]:
    for name in unit.policy.form.imports or ():
        if not _is_module(name):
            yield ("form", "imports"), f"there is no module {name!r}. Correct it, or remove it from imports"
    known = {*unit.module.__all__, *unit.by_name, *vars(builtins)}
    for name in (each for pair in unit.policy.form.compare_with.items() for each in pair):
        if name not in known:
            yield ("form", "compare_with"), f"compare_with: {_unknown_word(name, known)}"


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
                    yield ("exercise", number, key), f"{key} of {exercise.name}: {_unknown_word(name, known)}"


def _unknown_word(name: str, known: Iterable[str]) -> str:
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


def answers_wrong(unit: Unit, _: Begin) -> Iterator[str]:
    """Yield what is wrong with the files of known answers, each in one line with file and line."""
    yield from _strays(unit)
    path = unit.pack.file("mistakes", unit.name)
    for node, _docstring, source in written_statements(path) if path.exists() else ():
        yield from (f"{path}:{node.lineno}: {wrong}" for wrong in _mistakes_wrong(unit, node, source))
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
            ensure_exists(pack, pack.folder(role), "folders", role)
    for file in (*pack.folder("solutions").glob("[!_]*.py"), *pack.folder("exams").glob("[!_]*")):
        if file.stem not in pack.units:
            yield f"{file}:1: the pack has no unit {file.stem!r}. Rename it, or list the unit in {pack.settings}"
    for file in sorted(pack.folder("right").glob("[!_]*.py")):
        if not any(file.stem.startswith(f"{name}_") for name in pack.units):
            yield f"{file}:1: the name does not begin with a unit. Rename the file to {unit.name}_{file.stem}.py"


def _mistakes_wrong(unit: Unit, node: ast.stmt, source: str) -> Iterator[str]:
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
                yield from _function_wrong(unit, exercise, node)


def _function_wrong(unit: Unit, exercise: str, node: ast.FunctionDef) -> Iterator[str]:
    names = {each.arg for each in (*node.args.args, *node.args.kwonlyargs)}
    for parameter in unit[exercise].parameters:
        by_name = parameter.passing in (PassedBy.NAME, PassedBy.NAME_OR_NONE)
        if by_name and not node.args.kwarg and parameter.name not in names:
            yield f"{node.name} has no parameter {parameter.name}, which the exam passes by name. Add it"
