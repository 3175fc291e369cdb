"""The notebook that is running: its shell, its namespace, and the cells that were run."""

from __future__ import annotations

import ast
import os
import re
import sys
from dis import get_instructions
from functools import lru_cache
from typing import Any

from course.kernel.catalogue import exercise_of, home_of, units
from course.syntax import expression_of

IN_A_BROWSER = sys.platform == "emscripten"
COVERED = "get_ipython().run_cell_magic("
TRANSPARENT = {"time", "capture", "prun"}  # below these a cell's names are the notebook's
Names = dict[str, Any]


class NotRight(Exception):
    """An exercise is not right yet. Shown as one line: what is wrong stands above it."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def stage() -> str:
    """Return what nbgrader is doing with the notebook, "" if nothing."""
    return os.environ.get("NBGRADER_EXECUTION", "")


def shell() -> Any:
    """Return the running IPython shell, None outside one."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def namespace(depth: int) -> Names:
    """Return the learner's namespace: the notebook's, or that of the caller `depth` frames up."""
    running = shell()
    return running.user_ns if running else sys._getframe(depth + 1).f_globals


def cells_run(names: Names) -> list[str] | None:
    """Return the sources of all cells run so far, in order; None where nobody keeps them."""
    history = names.get("In")
    return [_uncovered(str(cell)) for cell in history] if isinstance(history, list) else None


@lru_cache(maxsize=1024)
def _uncovered(cell: str) -> str:
    """Return what a cell runs below a magic such as `%%time`, each line where it was typed."""
    found = expression_of(cell.strip()) if cell.startswith(COVERED) else None
    match found:
        case ast.Call(args=[ast.Constant(value=magic), _, ast.Constant(value=str(inside))]) if magic in TRANSPARENT:
            return f"\n{_uncovered(shell().transform_cell(inside) if shell() else inside)}"
    return cell


def cells_typed(names: Names) -> list[str]:
    """Return the same cells as they were typed: `cells_run` has IPython's own commands replaced by Python."""
    cells, running = cells_run(names) or [], shell()
    typed = [str(cell) for cell in running.history_manager.input_hist_raw] if running else []
    return typed if len(typed) == len(cells) else cells


def unit_here(names: Names, name: str) -> str | None:
    """Return the unit at work that has the exercise `name`: the one last imported here, or the only one there is."""
    having = [unit for unit in units() if exercise_of(unit, name)]
    here = [unit for unit in units_imported(names) if unit in having]
    here += [unit for unit in having if names.get("__name__") and f"{home_of(unit)}.{unit}" in _modules_of(names)]
    return next(iter(here + having), None)


def units_imported(names: Names) -> list[str]:
    """Return the units that the cells run so far import from, the last first."""
    cells = reversed(cells_run(names) or [])
    found = [pair for cell in cells for pair in re.findall(r"^\s*from (\w+)\.(\w+) import", cell, re.MULTILINE)]
    known = units() if found else ()
    return [unit for home, unit in dict.fromkeys(found) if unit in known and home == home_of(unit)]


def _modules_of(names: Names) -> set[str]:
    return {getattr(thing, "__module__", "") for thing in list(names.values())}


def cell_now() -> str:
    """Return the id of the cell that is running, as the front end tells it; "" if it does not."""
    asked_of = (
        shell() if hasattr(shell(), "get_parent") else getattr(shell(), "kernel", None)
    )  # the latter in a browser
    told: dict[str, Any] = getattr(asked_of, "get_parent", dict)() or {}
    return str(told.get("metadata", {}).get("cellId", ""))


def is_unwritten(names: Names, name: str) -> bool:
    """Return whether what `name` means is still the stub, or nothing yet."""
    if name not in names:
        return True
    thing = names[name]
    code = getattr(getattr(thing, "__wrapped__", None) or getattr(thing, "func", None) or thing, "__code__", None)
    if code is None:
        return type(thing).__name__ == "Todo"
    if code.co_names != ("NotImplementedError",) or len(code.co_consts) > 2:
        return False
    return not any("JUMP" in step.opname for step in get_instructions(code))


def has_frontend() -> bool:
    """Return whether what is displayed can be drawn again later: in Jupyter, not in a terminal."""
    return getattr(shell(), "kernel", None) is not None


def show(thing: Any, **options: Any) -> None:
    """Display something where a notebook is running, else print it."""
    if shell():
        from IPython.display import display

        display(thing, **options)
    else:
        print(thing)
