"""Run the visible examples of a unit's references, and say in one line what is wrong with each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import redirect_stdout
from io import StringIO
from typing import TypeAlias

from autograder.exam.model import compile_example
from autograder.units.pack import error_in_words
from autograder.units.unit import Exercise, Unit
from course.exam import wire
from course.exam.readable import one_line
from course.kernel.catalogue import StatedExample
from course.syntax import lines_of

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
