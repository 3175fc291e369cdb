"""The running notebook: its shell, its namespace, and the cells that were run."""

from __future__ import annotations

import ast
import os
import re
import sys
from dis import get_instructions
from functools import lru_cache
from typing import Any

from course.exam.calls import Names
from course.kernel.catalogue import all_statements
from course.syntax import expression_of

IN_A_BROWSER = sys.platform == "emscripten"
COVERED = "get_ipython().run_cell_magic("
STARTED_WITH = "__foldem_unit__"  # the name of the module that the kernel imported when it started
VS_CODE_CELL = "vscode-"  # how the ids of its cells begin
TRANSPARENT = {"time", "capture", "prun"}  # below these magics, names belong to the notebook


class NotRight(Exception):
    """Raised when an exercise is not right yet.

    Notebooks show it as one line, because the result above it has the details.
    """

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def stage() -> str:
    """Return the name of the nbgrader step that runs the notebook, or "" outside nbgrader."""
    return os.environ.get("NBGRADER_EXECUTION", "")


def shell() -> Any:
    """Return the running IPython shell, or None."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def namespace(depth: int) -> Names:
    """Return the learner's namespace: the notebook's, or outside a notebook that of the caller `depth` frames up."""
    running = shell()
    return running.user_ns if running else sys._getframe(depth + 1).f_globals


def cells_run(names: Names) -> list[str] | None:
    """Return the sources of all cells run so far, in order; None if there is no history."""
    history = names.get("In")
    if not isinstance(history, list):
        return None
    return [_uncovered(cell) if cell.startswith(COVERED) else cell for cell in map(str, history)]


@lru_cache(maxsize=1024)
def _uncovered(cell: str) -> str:
    """Return the code below a magic such as `%%time`, with the same line numbers."""
    match expression_of(cell.strip()) if cell.startswith(COVERED) else None:
        case ast.Call(args=[ast.Constant(value=magic), _, ast.Constant(value=str(inside))]) if magic in TRANSPARENT:
            return f"\n{_uncovered(shell().transform_cell(inside) if shell() else inside)}"
    return cell


def cells_typed(names: Names) -> list[str]:
    """Return the cells run so far as they were typed.

    In `cells_run`, IPython's own commands are translated to Python.
    """
    cells, running = cells_run(names) or [], shell()
    typed = [str(cell) for cell in running.history_manager.input_hist_raw] if running else []
    return typed if len(typed) == len(cells) else cells


def unit_here(names: Names, name: str) -> str | None:
    """Return the unit that has the exercise `name`. If several units have it, the unit imported last counts."""
    stated = all_statements()
    having = [unit for unit, each in stated.items() if name in each.by_name]
    here = [unit for unit in units_imported(names) if unit in having]
    if names.get("__name__"):
        modules = {getattr(thing, "__module__", "") for thing in list(names.values())}
        here += [unit for unit in having if stated[unit].module in modules]
    return next(iter(here + having), None)


def units_imported(names: Names) -> list[str]:
    """Return the units that the cells run so far import, the last one first.

    Last comes the unit of the kernel's start.
    """
    by_module = {each.module: unit for unit, each in all_statements().items()}
    cells = reversed(cells_run(names) or [])
    modules = [name for cell in cells for name in re.findall(r"^\s*from (\w+\.\w+) import", cell, re.MULTILINE)]
    modules.append(str(names.get(STARTED_WITH)))
    return [by_module[name] for name in dict.fromkeys(modules) if name in by_module]


def cell_now() -> str:
    """Return the id of the running cell, or "" if the front end does not send it."""
    wanted_of = (
        shell() if hasattr(shell(), "get_parent") else getattr(shell(), "kernel", None)
    )  # a kernel in a browser has the id
    header: dict[str, Any] = getattr(wanted_of, "get_parent", dict)() or {}
    return str(header.get("metadata", {}).get("cellId", ""))


def is_unwritten(names: Names, name: str) -> bool:
    """Return whether `name` is undefined, or is still the unwritten stub."""
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
    """Return whether displayed output can be updated later. This is so in Jupyter, but not in a terminal."""
    return getattr(shell(), "kernel", None) is not None


def show(thing: object, **options: object) -> None:
    """Display an object in a notebook, or print it outside a notebook."""
    if shell():
        from IPython.display import display

        display(thing, **options)
    else:
        print(thing)
