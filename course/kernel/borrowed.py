"""The references that learners have borrowed in this kernel, and the names that references can use when they run."""

from __future__ import annotations

import builtins
from functools import cache, wraps
from importlib import import_module
from typing import Any

from course.exam.calls import Names
from course.kernel import catalogue
from course.kernel.notebook import is_unwritten
from course.kernel.workspace import workspace_of
from course.syntax import names_in

OF_REFERENCES = "our "  # how the file names of references begin
_borrowed: dict[tuple[str, str], object] = {}
_made: dict[str, PlayingReferences] = {}


class PlayingReferences(dict[str, Any]):
    """The global names of a unit's references. A function that the learner has written replaces its reference.

    The dict contains only the given names. Python looks up any other name with `__missing__` each time that it is used.
    So a function that the learner writes later is used at once. If `names` is empty, only references are used.
    """

    def __init__(self, unit: str, names: Names) -> None:
        self.unit, self.names, self.stated = unit, names, catalogue.statements(unit)
        self.functions: dict[str, object] = {}
        module = import_module(self.stated.module)
        given = {name: getattr(module, name) for name in module.__all__}
        super().__init__(vars(builtins) | given | {"__name__": f"{OF_REFERENCES}{unit}"})

    def __missing__(self, name: str) -> object:
        if name not in self.stated.by_name:
            raise KeyError(name)
        return self.names[name] if self.is_own(name) else self.reference(name)

    def is_own(self, name: str) -> bool:
        """Return whether the learner has written a function or value of this name."""
        if is_unwritten(self.names, name) or is_borrowed(self.names, self.unit, name):
            return False
        return self.stated.by_name[name].is_value or callable(self.names[name])

    def reference(self, name: str) -> object:
        """Return the reference of an exercise. A value is computed each time, because it may depend on functions."""
        if name in self.functions:
            return self.functions[name]
        source = catalogue.references().reference(self.unit, name)
        code = compile(source, f"<{OF_REFERENCES}{name}>", "exec", dont_inherit=True)
        if not self.stated.by_name[name].is_value:
            exec(code, self)
            self.functions[name] = self.pop(name)
            return self.functions[name]
        needs = names_in(source) & self.stated.by_name.keys() - {name}
        scope = {**self, **{each: self._later(each) for each in needs}}
        exec(code, scope)
        return scope[name]

    def _later(self, name: str) -> object:
        """Return a function that calls the current function of this name, or the current value of the name."""
        now = self[name]
        return wraps(now)(lambda *args, **named: self[name](*args, **named)) if callable(now) else now


def may_borrow(names: Names) -> bool:
    """Return whether references are installed, and the course of the namespace's notebook allows borrowing them."""
    return workspace_of(names).is_allowed("borrowing") and catalogue.references() is not None


def references_for(unit: str, names: Names) -> PlayingReferences:
    """Return the references of a unit, which call the learner's own functions if a namespace has them."""
    if unit not in _made or _made[unit].names is not names:
        _made[unit] = PlayingReferences(unit, names)
    return _made[unit]


@cache
def references_alone(unit: str) -> PlayingReferences:
    """Return the references of a unit, which call no function of the learner."""
    return PlayingReferences(unit, {})


def borrow_into(names: Names, unit: str, name: str) -> None:
    """Assign an exercise's reference to the exercise's name, and record that it is borrowed."""
    names[name] = _borrowed[unit, name] = references_for(unit, names).reference(name)


def is_borrowed(names: Names, unit: str, name: str) -> bool:
    """Return whether the value of a name is the reference that was borrowed for it."""
    return (unit, name) in _borrowed and names.get(name) is _borrowed[unit, name]
