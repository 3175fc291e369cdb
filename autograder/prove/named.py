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
    file = unit.pack.file("solutions", unit.name)
    lines = [line.strip() for line in lines_of(file.read_text(encoding="utf-8"))]
    for exercise in (each for each in unit.exercises if not exercises or each.name in exercises):
        for number, example in enumerate(exercise.examples):
            shown, first = f">>> {example.call.splitlines()[0]}", exercise.node.lineno
            line = next((row for row, text in enumerate(lines, 1) if row >= first and text == shown), first)
            begin(f"{file}:{line}", f"{exercise.name}: the example {one_line(example.call, 200)}")
            yield tuple(f"{file}:{line}: {exercise.name}: {wrong}" for wrong in _wrong(unit, exercise, number))


def _wrong(unit: Unit, exercise: Exercise, number: int) -> Iterator[str]:
    example = exercise.examples[number]
    for code, mode in ((example.call, "eval"), *((line, "exec") for line in example.setup)):
        try:
            compile(code, "<example>", mode)
        except SyntaxError:
            kind = "an expression" if mode == "eval" else "a statement"
            yield f"{one_line(code, 200)} is not {kind}. An example is a call with its result"
            return
    if not any(exercise.name in f"{each.setup} {each.call}" for each in exercise.examples):
        yield f"no example calls {exercise.name}. Write one that does"
        return
    call, wanted, printed = one_line(example.call, 200), one_line(example.raises or example.want, 200), StringIO()
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
    for where, wrong in (*_policy_wrong(unit), *_exercises_wrong(unit)):
        yield f"{file}:{line_of(text, *where)}: {wrong}"
    declared = declared_in(unit.pack.course).get(unit.name)
    for name, kind in declared.kinds.items() if declared else ():
        if any(kinds.get(name, kind) is not kind for kinds in all_kinds()):
            pictures = unit.pack.role_file("pictures", unit.name)
            yield f"{pictures}:1: the kind {name!r} exists already: choose another name"


def _policy_wrong(unit: Unit) -> Iterator[Misfit]:
    """Yield what is wrong with the names in the table `form`, and with the picture."""
    for name in unit.policy.form.imports or ():
        if not _is_module(name):
            yield ("form", "imports"), f"there is no module {name!r}. Correct it, or remove it from imports"
    known = {*unit.module.__all__, *unit.by_name, *vars(builtins)}
    for name in (each for pair in unit.policy.form.compare_with.items() for each in pair):
        if name not in known:
            yield ("form", "compare_with"), f"compare_with: {_unknown_word(name, known)}"
    picture = unit.policy.picture
    try:
        is_drawn = not picture or bool(art(picture))
    except Exception:  # a painter may raise anything for a text that it does not know
        is_drawn = False
    if not is_drawn:
        yield ("picture",), f"unknown picture {picture!r}. Write one such as 'card:JS', or remove the key"


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def _exercises_wrong(unit: Unit) -> Iterator[Misfit]:
    """Yield the names in `requires` and `bans` that no answer could use, neither as a name nor as an attribute."""
    allowed = (*policy_of(unit.policy.form).imports, "random")  # which no answer may import, but exercises may ban
    modules = [import_module(name) for name in allowed if _is_module(name)]
    names = {*CONSTRUCTS, *vars(builtins), *keyword.kwlist, *keyword.softkwlist, *vars(unit.module), *unit.by_name}
    names = names.union(*(vars(each) for each in modules), (each.__name__ for each in modules))
    things = [each for home in (builtins, unit.module, *modules) for each in vars(home).values()]
    kinds = [each for each in (*things, *modules) if isinstance(each, type | ModuleType)]
    attributes = {name for kind in kinds for name in dir(kind)}
    for number, exercise in enumerate(unit.exercises):
        for key in ("requires", "bans"):
            for name in (option for each in getattr(exercise, key) for option in each.split(" or ")):
                known = attributes if name.startswith(".") else names
                if name.removeprefix(".") not in known:
                    yield ("exercise", number, key), f"{key} of {exercise.name}: {_unknown_word(name, known)}"


def _unknown_word(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name.removeprefix("."), known, 1)
    kind = "method" if name.startswith(".") else "name"
    return f"unknown {kind} {name!r}: {f'did you mean {near[0]!r}?' if near else 'correct or remove it'}"


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
            if isinstance(node, ast.FunctionDef) and not node.args.kwarg:
                taken = {each.arg for each in (*node.args.args, *node.args.kwonlyargs)}
                for parameter in unit[exercise].parameters:
                    if parameter.passing in (PassedBy.NAME, PassedBy.NAME_OR_NONE) and parameter.name not in taken:
                        yield f"{name} has no parameter {parameter.name}, which the exam passes by name. Add it"
