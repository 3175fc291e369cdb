"""Find what a unit has. For each role that it fills, a folder next to the unit has a module of the unit's name."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType


def role_module(unit_module: str, role: str) -> ModuleType | None:
    """Return a unit's module in a role, or None if it has none. `unit_module` is the name of the unit's own module.

    >>> role_module("course.uno", "worlds").__name__, role_module("course.warmup", "worlds")
    ('course.worlds.uno', None)
    """
    package, _, unit = unit_module.rpartition(".")
    name = f"{package}.{role}.{unit}"
    return sys.modules.get(name) or (import_module(name) if _is_there(name) else None)


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False
