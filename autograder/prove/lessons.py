"""Look for mistakes in the cells of a unit's solutions: lessons, predictions, and cells for catching wrong answers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from textwrap import dedent

from autograder.prove.shown import Begin
from autograder.units.build import source_notebook
from autograder.units.drawn import with_pictures
from autograder.units.mistakes import no_exercise
from autograder.units.unit import Unit, UnitError
from autograder.units.written import WrittenCell, written_cells
from course.exam.readable import one_line
from course.exam.world import worlds_of
from course.learner.predicting import Prediction


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
        file = unit.pack.course_folder / "worlds" / f"{unit.name}.py"
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
