"""Placeholders for modules of the course that contain answers.

The real modules are sent only with exams that need them.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import NoReturn


class NotHere(NotImplementedError):
    """Raised when a part of a withheld module is used."""


class Withheld:
    """An import finder: instead of missing modules of the course, it loads modules full of placeholders.

    A learner's cell may import `check` or a table. The import does no harm as long as the modules are not used.
    """

    def __init__(self, there: list[str]) -> None:
        self.there = there

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return the spec of a withheld module, which may contain other modules."""
        absent = "." in name and name.split(".")[0] in self.there and name not in self.there
        return ModuleSpec(name, self, is_package=True) if absent else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Return None, so that Python makes the module."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Add a placeholder for every public name to the module."""
        module.__getattr__ = stand_in  # type: ignore[method-assign]


def stand_in(name: str) -> type:
    """Return a class that replaces `name`. Annotations and patterns can mention it; calling it raises NotHere."""
    if name.startswith("_"):
        raise AttributeError(name)

    def __new__(cls: type, *_: object, **__: object) -> NoReturn:
        raise NotHere(f"{name} is not available in the exam of this exercise")

    return type(name, (), {"__new__": __new__})


def bring(name: str, code: CodeType, user: ModuleType) -> None:
    """Load a withheld module. The module `user` gets the names that it imports from the withheld one."""
    module = ModuleType(name)
    package, _, last = name.rpartition(".")
    sys.modules[name] = module
    setattr(sys.modules[package], last, module)
    exec(code, vars(module))
    vars(user).update({export: getattr(module, export) for export in module.__all__ if export in vars(user)})
