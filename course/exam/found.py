"""Finding what there is on a unit: in the course for its own, in a pack's package for a pack's."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType


@cache
def module_on(module: str, what: str) -> ModuleType | None:
    """Return what the course, or a pack, has on a unit in the folder `what`; `module` gives what the unit gives."""
    package, _, unit = module.rpartition(".")
    places = (f"{package}.exam.{what}.{unit}", f"{package}.{what}.{unit}")
    return next((import_module(place) for place in places if _is_there(place)), None)


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False
