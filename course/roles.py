"""Find the modules of a unit. A unit is a package with a `unit.toml`, and with a module for each role that it needs."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

UNIT_FILE_NAME = "unit.toml"


def role_module(unit_module: str, role: str) -> ModuleType | None:
    """Return a unit's module for a role, or None if the unit has none.

    `unit_module` is the name of the unit's main module.

    >>> role_module("course.uno", "world").__name__, role_module("course.warmup", "world")
    ('course.uno.world', None)
    """
    name = f"{unit_module}.{role}"
    if name in sys.modules:
        return sys.modules[name]
    try:
        is_there = find_spec(name) is not None
    except ModuleNotFoundError:
        is_there = False
    return import_module(name) if is_there else None


def units_with_role(role: str, folder: Path) -> list[str]:
    """Return the names of the units in a folder that have a module for a role.

    >>> units_with_role("joint", Path(__file__).parent)
    ['basra', 'dominoes']
    """
    units = sorted(file.parent for file in folder.glob(f"*/{UNIT_FILE_NAME}"))
    return [unit.name for unit in units if (unit / f"{role}.py").is_file()]
