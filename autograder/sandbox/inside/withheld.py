"""Modules of the course that are not there: they hold answers, and come only with the exams that need them, if ever."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import NoReturn


class NotHere(NotImplementedError):
    """Something of a module that is withheld was used."""


class Withheld:
    """Finds and loads, in the place of modules of the course that are not there, some in which each name says so.

    A learner's cell may well import `check` or a table: that does no harm, as long as nothing is done with it.
    """

    def __init__(self, there: list[str]) -> None:
        self.there = there

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return the place of a module that is withheld; it may have others in it."""
        absent = "." in name and name.split(".")[0] in self.there and name not in self.there
        return ModuleSpec(name, self, is_package=True) if absent else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Leave it to Python to make the module."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Let the module have any public name."""
        module.__getattr__ = stand_in  # type: ignore[method-assign]


def stand_in(name: str) -> type:
    """Return a class that stands for `name`: annotations and patterns can name it, but nothing can call it."""
    if name.startswith("_"):
        raise AttributeError(name)

    def __new__(cls: type, *_: object, **__: object) -> NoReturn:
        raise NotHere(f"{name} is not there in the exam of this exercise")

    return type(name, (), {"__new__": __new__})


def bring(name: str, code: CodeType, user: ModuleType) -> None:
    """Make a module that was withheld until now, and let the module `user` have of it what it exports of it."""
    module = ModuleType(name)
    package, _, last = name.rpartition(".")
    sys.modules[name] = module
    setattr(sys.modules[package], last, module)
    exec(code, vars(module))
    vars(user).update({export: getattr(module, export) for export in module.__all__ if export in vars(user)})
