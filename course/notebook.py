"""What can be known of the notebook that is running: its namespace, the cells that were run, what is saved."""

from __future__ import annotations

import ast
import json
import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any

Names = dict[str, Any]


@cache
def statements(unit: str) -> dict[str, Any]:
    """Give what is stated of a unit: its exercises with their points and visible examples."""
    text = resources.files("course").joinpath("statements", f"{unit}.json").read_text(encoding="utf-8")
    return json.loads(text)


@cache
def units() -> tuple[str, ...]:
    """Give the names of the units there are, in no particular order."""
    folder = resources.files("course").joinpath("statements")
    return tuple(sorted(entry.name.removesuffix(".json") for entry in folder.iterdir() if entry.name.endswith(".json")))


def exercise_of(unit: str, name: str) -> dict[str, Any] | None:
    """Give what is stated of an exercise, None if the unit has none of that name."""
    return next((exercise for exercise in statements(unit)["exercises"] if exercise["name"] == name), None)


def shell() -> Any:
    """Give the running IPython shell, None outside one."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def namespace(depth: int) -> Names:
    """Give the learner's namespace: the notebook's, or that of the caller `depth` frames up."""
    running = shell()
    return running.user_ns if running else sys._getframe(depth + 1).f_globals


def cells_run(names: Names) -> list[str] | None:
    """Give the sources of all cells run so far, in order; None where nobody keeps them."""
    history = names.get("In")
    return [str(cell) for cell in history] if isinstance(history, list) else None


def unit_here(names: Names, name: str) -> str | None:
    """Give the unit at work that has the exercise `name`: the one last imported here, or the only one there is."""
    having = [unit for unit in units() if exercise_of(unit, name)]
    for cell in reversed(cells_run(names) or []):
        for unit in re.findall(r"^\s*from course\.(\w+) import", cell, re.MULTILINE):
            if unit in having:
                return unit
    here = [unit for unit in having if names.get("__name__") and f"course.{unit}" in _modules_of(names)]
    return (here or having or [None])[0]


def _modules_of(names: Names) -> set[str]:
    return {getattr(thing, "__module__", "") for thing in list(names.values())}


def saved_source(name: str) -> str | None:
    """Give the source of an exercise's cell as it is saved, None if that cannot be known."""
    try:
        with open(os.environ["JPY_SESSION_NAME"], encoding="utf-8") as file:
            cells = json.load(file)["cells"]
        found = [cell["source"] for cell in cells if _grade_id(cell) == name]
    except (KeyError, OSError, ValueError, TypeError):
        return None
    return None if not found else "".join(found[-1])


def _grade_id(cell: dict[str, Any]) -> Any:
    return cell.get("metadata", {}).get("nbgrader", {}).get("grade_id")


def defining_cells(cells: list[str], name: str) -> Iterator[tuple[str, str]]:
    """Give the cells that define `name`, the last first: each with "", or with what keeps it from parsing."""
    for cell in reversed(cells):
        if not re.search(rf"\b{name}\b", cell):
            continue
        try:
            if any(_binds(statement, name) for statement in ast.parse(cell).body):
                yield cell, ""
        except SyntaxError as error:
            if re.search(rf"^\s*(async\s+)?(def\s+{name}\b|{name}\s*[:=])", cell, re.MULTILINE):
                yield cell, f"{error.msg}, line {error.lineno}"
        except ValueError:
            continue


def _binds(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.FunctionDef(name=bound) | ast.ClassDef(name=bound):
            return bound == name
        case ast.Assign(targets=targets):
            return any(isinstance(part, ast.Name) and part.id == name for t in targets for part in ast.walk(t))
        case ast.AnnAssign(target=ast.Name(id=bound), value=value):
            return bound == name and value is not None
    return False


def is_edited(cells: list[str], name: str) -> bool:
    """Tell whether the exercise's cell was changed since it was last run, as far as the saved notebook tells."""
    saved = saved_source(name)
    return saved is not None and saved.strip() not in {cell.strip() for cell in cells}


def is_unwritten(names: Names, name: str) -> bool:
    """Tell whether what `name` means is still the stub, or nothing yet."""
    if name not in names:
        return True
    thing = names[name]
    code = getattr(getattr(thing, "__wrapped__", None) or getattr(thing, "func", None) or thing, "__code__", None)
    if code is None:
        return type(thing).__name__ == "Todo"
    return code.co_names == ("NotImplementedError",) and len(code.co_consts) <= 2
