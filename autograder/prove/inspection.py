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
from itertools import chain
from pathlib import Path
from textwrap import dedent
from typing import IO

from autograder.exam.checks import checks_of
from autograder.exam.draw import ensure_strategies
from autograder.prove.named import Begin, answers_wrong, examples_wrong, names_of_solutions, names_wrong, without_limit
from autograder.sandbox.host import NoSandbox, find_level, forbid_writing, reading_command
from autograder.units.build import source_notebook, with_pictures
from autograder.units.mistakes import no_exercise
from autograder.units.pack import error_in_words
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
        if "[markdown]" not in cell.head:
            yield from (f"{file}:{wrong}" for wrong in _calls_wrong(unit, begin, cell))
            continue
        try:
            with_pictures(cell.text)
        except UnitError as error:
            row = next((row for row, line in enumerate(cell.lines) if "```draw" in line), 0)
            yield f"{file}:{cell.line + 1 + row}: {one_line(error)}"
    source_notebook(unit)


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
                if name not in unit.by_name:
                    yield f"{row}: {no_exercise(unit, name)}"
                elif name not in worlds_of(unit.module.__name__):  # so no wrong answer to it can be caught
                    world = unit.pack.role_file("world", unit.name)
                    yield f"{row}: {name} has no world, so nothing can be caught. Add one to WORLDS of {world}"


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
    """Yield what is wrong with an entry: of a world, the first input that is no arguments or that nothing handles."""
    if name not in unit.by_name:
        yield f"{unit.name} has no exercise {name!r}. Correct the name, or remove the entry"
    elif not isinstance(entry, World):
        yield from [] if callable(entry) else [f"the entry of {name} is neither a World nor a function"]
    else:
        reference, documented = names_of_solutions(unit)[name], unit[name].docstring + unit[name].source
        try:
            for args in entry.inputs():
                shown = one_line(args, 200)
                if not isinstance(args, tuple) or not callable(reference):
                    yield f"the input {shown} of {name} is not a tuple of arguments. Write `(…,)`"
                    return
                try:
                    with redirect_stdout(StringIO()):
                        reference(*entry.canonical(args)[0])
                except Exception as error:
                    if type(error).__name__ not in documented:
                        raised = error_in_words(error)
                        yield f"the reference of {name} raises {raised} for the input {shown}. Remove it from the world"
                        return
        except Exception as error:
            yield f"the inputs of {name} raise {error_in_words(error)}"


def inspect(unit: Unit, begin: Begin = without_limit) -> None:
    """Raise UnitError, in one line with file and line, for the first mistake of the unit's author."""
    for wrong in chain.from_iterable(check(unit, begin) for check in CHECKS_OF_AN_AUTHOR):
        raise UnitError(wrong)


def _import_all(unit: Unit, begin: Begin) -> Iterator[str]:
    """Import everything that belongs to a unit, and yield what is wrong with the names that its module exports.

    Raises UnitError if an import fails.
    """
    pack, name, file = unit.pack, unit.name, unit.pack.role_file("__init__", unit.name)
    begin(f"{file}:1", f"importing {pack.given(name)}")
    given = vars(unit.module)
    if "__all__" not in given:
        yield f"{file}:1: it has no __all__. List the names that students may use"
    for missing in (each for each in given.get("__all__", ()) if each not in given):
        location = location_with(file, f'"{missing}"', repr(missing), "__all__")
        yield f"{location}: __all__ has {missing!r}, which is not defined. Remove it"
    nodes = ast.parse(file.read_text(encoding="utf-8")).body
    for node in (each for each in nodes if isinstance(each, ast.ClassDef)):
        for decorator in node.decorator_list:
            if re.fullmatch(r"(.*\.)?dataclass(\((?!.*\bfrozen=).*\))?", ast.unparse(decorator)):
                wrong = f"values of {node.name} can be changed. Write `@value` above the class (from course.values)"
                yield f"{file}:{node.lineno}: {wrong}, or `@dataclass(frozen=False)` if answers shall change them"
    for path in sorted((pack.course_folder / name).glob("[!_]*.py")):
        begin(f"{path}:1", f"importing {name}/{path.name}")
        pack.imported(f"{pack.given(name)}.{path.stem}", path)
    for role in ("solutions", "checks"):
        path = pack.file(role, name)
        begin(f"{path}:1", f"importing {path.parent.name}/{path.name}")
        pack.module(role, name)


def _given_wrong(unit: Unit, begin: Begin) -> Iterator[str]:
    """Yield the wrong examples in docstrings of what a unit's module gives: of each docstring, the first one."""
    for test in doctest.DocTestFinder().find(unit.module):
        first = test.lineno or 0
        begin(f"{test.filename}:{first + 1}", f"the examples of {test.name.rpartition('.')[2]}")
        try:
            doctest.DebugRunner(verbose=False).run(test)
            continue
        except doctest.DocTestFailure as failure:
            example, outcome = failure.example, f"returned {one_line(failure.got, 200)}"
        except doctest.UnexpectedException as raised:
            example, outcome = raised.example, f"raised {one_line(error_in_words(raised.exc_info[1]), 200)}"
        call, want = one_line(example.source, 200), one_line(example.want, 200)
        location = f"{test.filename}:{first + example.lineno + 1}"
        yield f"{location}: {call} {outcome}, not {want}. Correct the example or the function"


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
NO_SANDBOX = "note: this machine has no sandbox, so code of the pack may write files and connect"
FRAME = re.compile(r'File "(.+)", line (\d+) in ')


def ensure_sound(units: Sequence[Unit]) -> tuple[str, ...]:
    """Raise UnitError, in one line with file and line, for the first mistake of the author of these units.

    Their code may read files, but neither write nor connect. Return a warning if this machine has no sandbox for that.
    """
    try:
        level = find_level(())
    except NoSandbox:
        level = "off"
    message = pickle.dumps((units[0].catalogue, [unit.name for unit in units], SECONDS_PER_STEP, level))
    done = subprocess.run(reading_command(level, COMMAND), input=message, capture_output=True)
    *steps, last = done.stdout.decode(errors="replace").split(END)
    if last == SOUND:
        return (NO_SANDBOX,) if level == "off" else ()
    pack, last = units[0].pack, last or done.stderr.decode(errors="replace")
    if last.startswith("{"):
        raise UnitError(json.loads(last)["wrong"])
    location, what = json.loads(steps[-1]) if steps else (f"{pack.settings}:1", "the inspection")
    frames = [f"{file}:{line}" for file, line in FRAME.findall(last)]
    location = next(filter(pack.is_at, frames), location)
    if frames:
        raise UnitError(f"{location}: {what} takes too long. Does a loop or a recursion never end here?")
    raise UnitError(f"{location}: {what} ended its process: {' '.join(last.split())[-200:]}")


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
    try:
        for unit in units:
            inspect(unit, partial(_begin, report, seconds))
        verdict = SOUND
    except UnitError as error:
        verdict = json.dumps({"wrong": str(error)})
    finally:
        faulthandler.cancel_dump_traceback_later()
    report.write(verdict)
    report.close()


def _begin(report: IO[str], seconds: float, location: str, what: str) -> None:
    """Begin a step, which ends this process if it takes too long: then the report ends with a traceback."""
    report.write(f"{json.dumps([location, what])}{END}")
    report.flush()
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    faulthandler.dump_traceback_later(TIMES_ASLEEP * seconds, exit=True, file=report)


if __name__ == "__main__":
    main()
