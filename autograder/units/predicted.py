"""The predictions in a unit's lessons, which learners see again when they practise. Called by `hosts/products.py`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from textwrap import dedent

from autograder.units.unit import Unit
from autograder.units.written import WrittenCell, written_cells
from course.kernel.catalogue import StatedPrediction
from course.syntax import bound_names


def predictions_of(unit: Unit) -> dict[str, tuple[StatedPrediction, ...]]:
    """Return the predictions with choices, by the exercise that follows them."""
    waiting, by_name = list[StatedPrediction](), dict[str, tuple[StatedPrediction, ...]]()
    for cell in written_cells(unit.pack.file("solutions", unit.name)):
        waiting += _predictions(cell.text) if cell.is_commented and "predict(" in cell.text else ()
        name = "" if cell.is_commented or not waiting else _exercise_in(unit, cell)
        if name:
            by_name[name], waiting = tuple(waiting), []
    return by_name


def _exercise_in(unit: Unit, cell: WrittenCell) -> str:
    bound = [name for node in ast.parse("\n".join(cell.lines)).body for name in bound_names(node)]
    return next((name for name in bound if name in unit.by_name), "")


def _predictions(code: str) -> Iterator[StatedPrediction]:
    """Yield the predictions in a cell. Those that don't parse, or have computed texts, are left out."""
    try:
        calls = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    except SyntaxError:
        return
    for call in calls:
        match call:
            case ast.Call(func=ast.Name("predict"), args=args, keywords=[ast.keyword("why", why)]) if len(args) > 1:
                try:
                    code, *choices = map(ast.literal_eval, args)
                    yield StatedPrediction(dedent(code).strip("\n"), tuple(choices), ast.literal_eval(why))
                except ValueError:
                    continue
