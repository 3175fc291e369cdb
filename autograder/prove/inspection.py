"""Find mistakes of the author in the files of a unit. Called by `foldem build`, `import` and `prove`."""

from __future__ import annotations

import ast
import builtins
import doctest
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import redirect_stdout
from io import StringIO
from itertools import chain

from autograder.exam.draw import ensure_strategies
from autograder.exam.model import checks_of, compile_example
from autograder.prove.answers import right_answers
from autograder.units.build import source_notebook
from autograder.units.mistakes import exercise_meant, no_exercise
from autograder.units.pack import exception_summary
from autograder.units.unit import Exercise, Unit, UnitError
from autograder.units.written import cell_predictions, location_of_words, written_cells, written_statements
from course.exam import wire
from course.exam.readable import one_line
from course.learner.predicting import prediction_question
from course.roles import role_module
from course.syntax import bound_names, global_names_in, lines_of


def ensure_files_valid(units: Iterable[Unit]) -> None:
    """Raise UnitError for the first mistake in the files of these units.

    The error message is one line, which names the file and the line number.
    """
    for unit in units:
        for wrong in chain.from_iterable(check(unit) for check in UNIT_CHECKS):
            raise UnitError(wrong)


def _import_errors(unit: Unit) -> Iterator[str]:
    """Import all modules of a unit, and yield what is wrong with `__all__` and with the pack's folders.

    Raises UnitError, with file and line, if an import fails.
    """
    pack, name = unit.pack, unit.name
    for role, folder in pack.elsewhere:
        if role != "notebooks" and not pack.folder(role).is_dir():
            yield f"{pack.settings}:1: {folder} does not exist. Make it, or correct {role!r}"
    for module in (
        unit.module,
        *(pack.import_pack_module(withheld, pack.toml(name)) for withheld in unit.withheld_modules),
    ):
        if "__all__" not in vars(module):
            yield f"{module.__file__}:1: it has no __all__. List the names that students may use"
    for path in sorted((pack.course_folder / name).glob("[!_]*.py")):
        pack.import_pack_module(f"{pack.given_module_name(name)}.{path.stem}", path)
    for role in ("solutions", "checks"):
        pack.import_role_module(role, name)


def _reference_errors(unit: Unit) -> Iterator[str]:
    """Yield the references that need a later exercise, and the unknown exercises of ideas.

    Raises UnitError for an invalid entry of the checks.
    """
    for used in (used for idea in unit.policy.idea for used in idea.used if used not in unit.by_name):
        yield f"{location_of_words(unit.pack.toml(unit.name), used)}: {no_exercise(unit, used)}"
    for exercise in unit.exercises:
        for later in (name for name in exercise.needs if unit[name].number > exercise.number):
            yield f"{unit.location(exercise)}: {exercise.name} needs the later exercise {later}. Move {later} above it"
    ensure_strategies(unit, checks_of(unit))


def _given_example_errors(unit: Unit) -> Iterator[str]:
    """Yield the docstrings of given functions whose examples fail."""
    runner = doctest.DocTestRunner(verbose=False)
    for test in doctest.DocTestFinder().find(unit.module):
        if runner.run(test, out=lambda _: None).failed:
            name = test.name.rpartition(".")[2]
            yield f"{test.filename}:{(test.lineno or 0) + 1}: an example in the docstring of {name} is wrong"


def example_errors(unit: Unit, exercises: Collection[str] = ()) -> Iterator[tuple[str, ...]]:
    """For each visible example, yield a tuple of messages that say what is wrong, with file and line number.

    For a right example, yield (). If `exercises` are given, only their examples are tried.
    """
    file = unit.pack.file("solutions", unit.name)
    lines = [line.strip() for line in lines_of(file.read_text(encoding="utf-8"))]
    for exercise in (each for each in unit.exercises if not exercises or each.name in exercises):
        for number, example in enumerate(exercise.examples):
            shown, first = f">>> {example.call.splitlines()[0]}", exercise.node.lineno
            line = next((row for row, text in enumerate(lines, 1) if row >= first and text == shown), first)
            errors = _errors_of_example(unit, exercise, number)
            yield tuple(f"{file}:{line}: {exercise.name}: {error}" for error in errors)


def _errors_of_example(unit: Unit, exercise: Exercise, number: int) -> Iterator[str]:
    """Yield what is wrong with one example: its result differs, or it prints something."""
    example, printed = exercise.examples[number], StringIO()
    call, wanted = one_line(example.call, 200), one_line(example.raises or example.want, 200)
    try:
        with redirect_stdout(printed):
            is_right, outcome = _example_outcome(unit, exercise, number)
    except (Exception, SystemExit) as error:
        is_right, outcome = False, exception_summary(error)
    if printed.getvalue():
        yield f"{call} prints {one_line(printed.getvalue(), 200)!r}. Print nothing, or show it with `transcript`"
    elif not is_right:
        yield f"{call} returned {one_line(outcome, 200)}, not {wanted}. Correct the example or the reference"


def _example_outcome(unit: Unit, exercise: Exercise, number: int) -> tuple[bool, str]:
    """Return whether an example is right, and its outcome as text."""
    example, text = exercise.examples[number], wire.Wire(unit.module)
    *setup, call = compile_example(exercise, number)
    names, given = _names_of_solutions(unit), _names_of_solutions(unit)
    for line in setup:
        exec(line, names)
    try:
        value = eval(call, names)
    except Exception as error:
        raised = exception_summary(error)
        return example.raises in (raised, type(error).__name__), raised
    if example.raises:
        return False, repr(value)
    return wire.text_of(text.encode(value)) == wire.text_of(text.encode(eval(example.want, given))), repr(value)


def _names_of_solutions(unit: Unit) -> dict[str, object]:
    """Return the names that the solutions of a unit define or import."""
    module = unit.pack.import_role_module("solutions", unit.name)
    return {name: thing for name, thing in vars(module).items() if not name.startswith("__")}


def _answer_errors(unit: Unit) -> Iterator[str]:
    """Yield what is wrong with the known mistakes. Raises UnitError for a right answer that is not complete."""
    path = unit.pack.file("mistakes", unit.name)
    for node, _docstring, source in written_statements(path) if path.exists() else ():
        yield from (f"{path}:{node.lineno}: {wrong}" for wrong in _mistake_errors(unit, node, source))
    right_answers(unit)


def _mistake_errors(unit: Unit, node: ast.stmt, source: str) -> Iterator[str]:
    """Yield what is wrong with a statement in the file of known mistakes."""
    for name in sorted(bound_names(node)) if not isinstance(node, ast.Import | ast.ImportFrom) else ():
        exercise = exercise_meant(name)
        if not exercise:
            yield f"{name} is no mistake of an exercise. Rename it to <exercise>__<mistake>, or move it into its caller"
        elif exercise not in unit.by_name:
            yield no_exercise(unit, exercise)
        known = {*vars(builtins), *unit.module.__all__, *unit.by_name, name}
        for free in sorted(global_names_in(source) - known):
            yield f"{name} uses {free}, which is neither given nor an exercise. Define or import it inside {name}"


def _world_errors(unit: Unit) -> Iterator[str]:
    """Yield the entries of `WORLDS` and `ALIKE` for no exercise of the unit, and the worlds without inputs."""
    for role, constant in (("world", "WORLDS"), ("alike", "ALIKE")):
        file = unit.pack.role_file(role, unit.name)
        for name, entry in dict(getattr(role_module(unit.module.__name__, role), constant, {})).items():
            location = location_of_words(file, f'"{name}"')
            if name not in unit.by_name:
                yield f"{location}: {no_exercise(unit, name)}"
            try:
                _ = [*chain.from_iterable(entry.distinct())] if role == "world" else []
            except Exception as error:
                yield f"{location}: the inputs of {name} are no tuples of arguments: {exception_summary(error)}"


def _cell_errors(unit: Unit) -> Iterator[str]:
    """Yield what is wrong in the cells of a unit. Raises UnitError if no notebook can be made of the cells."""
    file = unit.pack.file("solutions", unit.name)
    cells, importing = [*written_cells(file)], f"from {unit.pack.given_module_name(unit.name)} import"
    if not any("\n".join(cell.lines).startswith(importing) for cell in cells):
        yield f"{file}:1: no cell begins with `{importing} *`. Add one below the title"
    for cell in (cell for cell in cells if cell.is_commented and "[markdown]" not in cell.head):
        try:
            ast.parse(cell.text)
        except SyntaxError as error:
            yield f"{file}:{cell.line + (error.lineno or 1)}: SyntaxError: {error.msg}"
        predictions = [*cell_predictions(cell.text)]
        if len(predictions) < cell.text.count("predict("):
            yield f"{file}:{cell.line}: a prediction needs code, choices and `why=`, all as text"
        for each in predictions:
            prediction = prediction_question(
                f"from {unit.module.__name__} import *\n{each.code}", each.choices, each.why
            )
            if prediction.right is None:
                result = one_line(prediction.result, 200)
                yield f"{file}:{cell.line}: no choice of the prediction is right. Its result is {result}"
    source_notebook(unit)


UNIT_CHECKS: tuple[Callable[[Unit], Iterable[str]], ...] = (
    _import_errors,
    _reference_errors,
    _given_example_errors,
    lambda unit: chain.from_iterable(example_errors(unit)),
    _answer_errors,
    _world_errors,
    _cell_errors,  # last, because it makes a notebook of everything else
)
