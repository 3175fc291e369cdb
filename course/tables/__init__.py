"""Tables: the games on screen, played with the learner's own functions. Each unit's tables are in a module here."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from course.tables.drawn import picture as picture
from course.tables.recorded import whole_game as whole_game


@cache
def _names(*folders: str) -> list[str]:
    """Return the names of the modules in folders."""
    return [each.name for each in iter_modules(folders) if not each.ispkg]


def _offered() -> dict[str, str]:
    """Return the module of each unit's table. The module of a unit has the same name as that of its types."""
    units = {*_names(*__path__)} & {*_names(*(str(Path(folder).parent) for folder in __path__))}
    return {table: unit for unit in sorted(units) for table in import_module(f"{__name__}.{unit}").__all__}


def __getattr__(name: str) -> Any:
    """Return a table of a unit. The modules are imported only when a table is used."""
    if name == "__all__":
        return sorted(["picture", "whole_game", *_offered()])
    unit = None if name[0] == "_" or name in _names(*__path__) else _offered().get(name)
    if unit is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{unit}"), name)
