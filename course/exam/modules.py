"""Find a unit's modules: in the course for our own units, and in a pack's package for other units."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType


@cache
def module_on(module: str, what: str) -> ModuleType | None:
    """Return the module for a unit in the folder `what` of the course or a pack, or None.

    `module` is the unit's own module.
    """
    package, _, unit = module.rpartition(".")
    names = (f"{package}.exam.{what}.{unit}", f"{package}.{what}.{unit}")
    return next((import_module(name) for name in names if _is_there(name)), None)


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False
