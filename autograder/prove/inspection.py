"""Look for mistakes in a unit's files, in a separate process with a time limit, so that nothing can run forever.

Called by `foldem build`, `foldem new` and `foldem prove`, and by itself in that process.
"""

from __future__ import annotations

import ast
import doctest
import faulthandler
import json
import os
import pickle
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from functools import partial
from inspect import getsourcefile
from io import StringIO
from itertools import chain, islice
from pathlib import Path
from textwrap import dedent
from types import TracebackType
from typing import IO

from autograder.exam.checks import checks_of
from autograder.exam.draw import ensure_strategies
from autograder.prove.named import Begin, answers_wrong, examples_wrong, names_of_solutions, names_wrong, without_limit
from autograder.sandbox.host import NoSandbox, find_level, forbid_writing, reading_command
from autograder.units.build import source_notebook, with_pictures
from autograder.units.mistakes import no_exercise
from autograder.units.pack import Pack, error_in_words
from autograder.units.unit import Unit, UnitError, read_unit
from autograder.units.written import WrittenCell, location_with, written_cells
from course.exam.readable import one_line
from course.exam.world import World, worlds_of
from course.learner.predicting import Prediction
from course.limits import SECONDS_PER_STEP
from course.roles import role_module


def cells_wrong(unit: Unit, begin: Begin) -> Iterator[str]:
    """Yield what is wrong in the cells of a unit, each in one line with file and line.

    Raises UnitError if no notebook can be made of them.
    """
    file = unit.pack.file("solutions", unit.name)
    cells, importing = [*written_cells(file)], f"from {unit.pack.given(unit.name)} import"
    if not any("\n".join(cell.lines).startswith(importing) for cell in cells):
        yield f"{file}:1: no cell begins with `{importing} *`. Add one below the title"
    for cell in (each for each in cells if each.is_commented):
        kind = _pictures_wrong if "[markdown]" in cell.head else _calls_wrong
        yield from (f"{file}:{wrong}" for wrong in kind(unit, begin, cell))
    source_notebook(unit)


def _pictures_wrong(unit: Unit, _: Begin, cell: WrittenCell) -> Iterator[str]:
    row = next((row for row, line in enumerate(cell.lines) if "```draw" in line), 0)
    try:
        with_pictures(cell.text)
    except UnitError as error:
        yield f"{cell.line + 1 + row}: {one_line(error)}"


def _calls_wrong(unit: Unit, begin: Begin, cell: WrittenCell) -> Iterator[str]:
    """Yield what is wrong with the calls of `predict` and `example` in a cell for notebooks."""
    try:
        calls = [node for node in ast.walk(ast.parse(cell.text)) if isinstance(node, ast.Call)]
    except SyntaxError as error:
        yield f"{cell.line + (error.lineno or 1)}: SyntaxError: {error.msg}"
        return
    for call in calls:
        row = cell.line + call.lineno
        match call:
            case ast.Call(func=ast.Name("predict")):
                begin(f"{unit.pack.file('solutions', unit.name)}:{row}", "a prediction")
                yield from (f"{row}: {wrong}" for wrong in _prediction_wrong(unit, call))
            case ast.Call(func=ast.Name("example"), args=[ast.Constant(str(name)), *_]):
                yield from (f"{row}: {wrong}" for wrong in _catching_wrong(unit, name))


def _catching_wrong(unit: Unit, name: str) -> Iterator[str]:
    """Yield what is wrong with an example that catches wrong answers to an exercise."""
    if name not in unit.by_name:
        yield no_exercise(unit, name)
    elif name not in worlds_of(unit.module.__name__):
        file = unit.pack.role_file("world", unit.name)
        yield f"{name} has no world, so nothing can be caught. Add one to WORLDS of {file}"


def _prediction_wrong(unit: Unit, call: ast.Call) -> Iterator[str]:
    """Yield what is wrong with a prediction."""
    if not any(keyword.arg == "why" for keyword in call.keywords):
        yield "the prediction has no `why=`. Explain its result"
    try:
        code, *choices = map(ast.literal_eval, call.args)
    except ValueError:  # computed texts are not known here
        return
    given = f"from {unit.module.__name__} import *\n{dedent(code).strip()}"
    try:
        ast.parse(given)
        prediction = Prediction(given, tuple(choices), "")
        if choices and not any(map(prediction.is_right, choices)):
            result = one_line(prediction.result, 200)
            yield f"no choice of the prediction is right. Its result is {result}: add this choice"
    except SyntaxError as error:
        yield f"the code of the prediction is not Python: {error.msg}"


def worlds_wrong(unit: Unit, begin: Begin) -> Iterator[str]:
    """Yield what is wrong with the worlds and common forms of a unit, each in one line with file and line."""
    for role, constant in (("world", "WORLDS"), ("alike", "ALIKE")):
        module = role_module(unit.module.__name__, role)
        if module and (file := getsourcefile(module)):
            entries = getattr(module, constant, None)
            if not isinstance(entries, Mapping):
                yield f"{file}:1: it has no dict {constant}. Define one, by exercise"
                continue
            for name, entry in entries.items():
                location = location_with(Path(file), f'"{name}"')
                begin(location, f"{constant} of {name}")
                yield from (f"{location}: {wrong}" for wrong in _entry_wrong(unit, name, entry))


def _entry_wrong(unit: Unit, name: str, entry: object) -> Iterator[str]:
    if name not in unit.by_name:
        yield f"{unit.name} has no exercise {name!r}. Correct the name, or remove the entry"
    elif isinstance(entry, World):
        yield from _world_wrong(unit, name, entry)
    elif not callable(entry):
        yield f"the entry of {name} is neither a World nor a function"


def _world_wrong(unit: Unit, name: str, world: World) -> Iterator[str]:
    try:
        yield from islice(_unusable_inputs(unit, name, world, world.inputs()), 1)
    except Exception as error:
        yield f"the inputs of {name} raise {error_in_words(error)}"


def _unusable_inputs(unit: Unit, name: str, world: World, inputs: Iterable[object]) -> Iterator[str]:
    """Yield the inputs of a world that are no arguments, or for which the reference raises an undocumented error."""
    reference, documented = names_of_solutions(unit)[name], unit[name].docstring + unit[name].source
    for args in inputs:
        shown = one_line(args, 200)
        if not isinstance(args, tuple) or not callable(reference):
            yield f"the input {shown} of {name} is not a tuple of arguments. Write `(…,)`"
            continue
        try:
            with redirect_stdout(StringIO()):
                reference(*world.canonical(args)[0])
        except Exception as error:
            if type(error).__name__ not in documented:
                raised = error_in_words(error)
                yield f"the reference of {name} raises {raised} for the input {shown}. Remove it from the world"


def inspect(unit: Unit, begin: Begin = without_limit) -> None:
    """Raise UnitError, in one line with file and line, for the first mistake of the unit's author."""
    for wrong in chain.from_iterable(check(unit, begin) for check in CHECKS_OF_AN_AUTHOR):
        raise UnitError(wrong)


def _import_all(unit: Unit, begin: Begin) -> Iterator[str]:
    """Import everything that belongs to a unit. Raises UnitError if that fails."""
    pack, name = unit.pack, unit.name
    begin(f"{pack.given_file(name)}:1", f"importing {pack.given(name)}")
    yield from _exports_wrong(unit)
    for file in sorted((pack.course_folder / name).glob("[!_]*.py")):
        begin(f"{file}:1", f"importing {name}/{file.name}")
        pack.imported(f"{pack.given(name)}.{file.stem}", file)
    for role in ("solutions", "checks"):
        begin(f"{(file := pack.file(role, name))}:1", f"importing {file.parent.name}/{file.name}")
        pack.module(role, name)


def _exports_wrong(unit: Unit) -> Iterator[str]:
    """Yield what is wrong with the names that a unit's module exports."""
    file, given = unit.pack.given_file(unit.name), vars(unit.module)
    if "__all__" not in given:
        yield f"{file}:1: it has no __all__. List the names that students may use"
    for name in given.get("__all__", ()):
        if name not in given:
            location = location_with(file, f'"{name}"', repr(name), "__all__")
            yield f"{location}: __all__ has {name!r}, which is not defined. Remove it"
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and any(map(_is_bare_dataclass, node.decorator_list)):
            wrong = f"values of {node.name} can be changed. Write `@value` above the class (from course.values)"
            yield f"{file}:{node.lineno}: {wrong}, or `@dataclass(frozen=False)` if answers shall change them"


def _is_bare_dataclass(decorator: ast.expr) -> bool:
    """Return whether a decorator makes a dataclass without `frozen=`."""
    named = isinstance(decorator, ast.Call) and any(each.arg == "frozen" for each in decorator.keywords)
    return not named and re.search(r"\bdataclass$", ast.unparse(getattr(decorator, "func", decorator))) is not None


class _Wrong(doctest.DocTestRunner):
    """A runner that collects what is wrong, in lines that begin with file and line."""

    def __init__(self) -> None:
        super().__init__(verbose=False)
        self.lines = list[str]()

    def report_failure(self, out: object, test: doctest.DocTest, example: doctest.Example, got: str) -> None:
        self._note(test, example, f"returned {one_line(got, 200)}")

    def report_unexpected_exception(
        self,
        out: object,
        test: doctest.DocTest,
        example: doctest.Example,
        exc_info: tuple[type[BaseException], BaseException, TracebackType],
    ) -> None:
        self._note(test, example, f"raised {one_line(error_in_words(exc_info[1]), 200)}")

    def _note(self, test: doctest.DocTest, example: doctest.Example, outcome: str) -> None:
        location = f"{test.filename}:{(test.lineno or 0) + example.lineno + 1}"
        call, want = one_line(example.source, 200), one_line(example.want, 200)
        self.lines.append(f"{location}: {call} {outcome}, not {want}. Correct the example or the function")


def _given_wrong(unit: Unit, begin: Begin) -> Iterator[str]:
    """Yield the wrong examples in docstrings of what a unit's module gives."""
    runner = _Wrong()
    for test in doctest.DocTestFinder().find(unit.module):
        begin(f"{test.filename}:{(test.lineno or 0) + 1}", f"the examples of {test.name.rpartition('.')[2]}")
        runner.run(test, out=lambda _: None)
        yield from runner.lines


def _references_wrong(unit: Unit, _: Begin) -> Iterator[str]:
    """Yield the references that lack an annotation or need a later exercise.

    Raises UnitError for an invalid entry of the checks, or a missing one.
    """
    for exercise in unit.exercises:
        for parameter in (each for each in exercise.parameters if not each.annotation):
            wrong = f"the parameter {parameter.name} has no annotation. Add one"
            yield f"{unit.location(exercise)}: {exercise.name}: {wrong}"
        for later in (name for name in exercise.needs if unit[name].number > exercise.number):
            yield f"{unit.location(exercise)}: {exercise.name} needs the later exercise {later}. Move {later} above it"
    ensure_strategies(unit, checks_of(unit))


CHECKS_OF_AN_AUTHOR: tuple[Callable[[Unit, Begin], Iterable[str]], ...] = (
    _import_all,
    names_wrong,
    _references_wrong,
    _given_wrong,
    lambda unit, begin: chain.from_iterable(examples_wrong(unit, begin)),
    answers_wrong,
    worlds_wrong,
    cells_wrong,  # last, because it makes a notebook of everything else
)


TIMES_ASLEEP = 6  # of waiting, so many times more
COMMAND = (sys.executable, "-P", "-m", "autograder.prove.inspection")
SOUND, END = "sound", "\n\n"
FRAME = re.compile(r'File "(.+)", line (\d+) in ')


def ensure_sound(units: Sequence[Unit]) -> tuple[str, ...]:
    """Raise UnitError, in one line with file and line, for the first mistake of the author of these units.

    Their code may read files, but neither write nor connect. Return a warning if this machine has no sandbox for that.
    """
    level, warnings = _level()
    message = pickle.dumps((units[0].catalogue, [unit.name for unit in units], SECONDS_PER_STEP, level))
    done = subprocess.run(reading_command(level, COMMAND), input=message, capture_output=True)
    *steps, last = done.stdout.decode(errors="replace").split(END)
    if last != SOUND:
        raise UnitError(_reason(units[0].pack, steps, last or done.stderr.decode(errors="replace")))
    return warnings


def _level() -> tuple[str, tuple[str, ...]]:
    """Return the best sandbox here, and a warning if there is none."""
    try:
        return find_level(()), ()
    except NoSandbox:
        return "off", ("note: this machine has no sandbox, so code of the pack may write files and connect",)


def _reason(pack: Pack, steps: list[str], last: str) -> str:
    """Return why an inspection ended: the mistake, or what took too long."""
    location, what = json.loads(steps[-1]) if steps else (f"{pack.settings}:1", "the inspection")
    if last.startswith("{"):
        return str(json.loads(last)["wrong"])
    frames = [f"{file}:{line}" for file, line in FRAME.findall(last)]
    location = next(filter(pack.is_at, frames), location)
    if frames:
        return f"{location}: {what} takes too long. Does a loop or a recursion never end here?"
    return f"{location}: {what} ended its process: {' '.join(last.split())[-200:]}"


def main() -> None:
    """Inspect the units of the message at standard input, and write what is wrong to standard output."""
    catalogue, names, seconds, level = pickle.load(sys.stdin.buffer)
    report = os.fdopen(os.dup(1), "w", encoding="utf-8")
    with open(os.devnull, "r+", encoding="utf-8") as null:
        for stream in (0, 1):
            os.dup2(null.fileno(), stream)
    forbid_writing(level)
    if hasattr(faulthandler, "register"):
        faulthandler.register(signal.SIGVTALRM, file=report, chain=True)
    units = [read_unit(catalogue, name) for name in names]
    report.write(_verdict(units, partial(_begin, report, seconds)))
    report.close()


def _verdict(units: Sequence[Unit], begin: Begin) -> str:
    try:
        for unit in units:
            inspect(unit, begin)
    except UnitError as error:
        return json.dumps({"wrong": str(error)})
    finally:
        faulthandler.cancel_dump_traceback_later()
    return SOUND


def _begin(report: IO[str], seconds: float, location: str, what: str) -> None:
    """Begin a step, which ends this process if it takes too long: then the report ends with a traceback."""
    report.write(f"{json.dumps([location, what])}{END}")
    report.flush()
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    faulthandler.dump_traceback_later(TIMES_ASLEEP * seconds, exit=True, file=report)


if __name__ == "__main__":
    main()
