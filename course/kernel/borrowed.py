"""References that learners have borrowed in this kernel, and unwritten exercises, whose cells show what to do first."""

from __future__ import annotations

import builtins
import sys
from functools import cache, wraps
from importlib import import_module
from traceback import walk_tb
from typing import Any

from course.exam.calls import Names
from course.kernel import catalogue, notebook
from course.kernel.history import statements_of
from course.kernel.notebook import is_unwritten
from course.kernel.workspace import workspace_of
from course.syntax import bound_names, lines_of, names_in
from course.values import TODO

OF_REFERENCES = "our "  # how the file names of references begin
_borrowed: dict[tuple[str, str], object] = {}
_made: dict[str, PlayingReferences] = {}


class PlayingReferences(dict[str, Any]):
    """The global names of a unit's references. The learner's functions replace references.

    The dict itself contains only the names that the unit exports. Python looks up any other name with `__missing__` at
    each use, so a function that the learner writes later is used at once. If `names` is empty, only references are
    used.
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
        """Return the reference of an exercise.

        A value is computed at each call of this method, because the value may depend on functions that the learner has
        changed.
        """
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
    """Return the references of a unit, which call the learner's own functions if `names` contains them."""
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


# ------------------------------------------------------------------------------------------------ unwritten exercises

THEN = "then run this cell again"
OR_BORROW = '. Or run borrow("{}") first, to use the reference solution'
ON_UNWRITTEN = NotImplementedError, AttributeError, NameError


def show_unwritten_as_one_line() -> None:
    """Show one line instead of a traceback if a cell needs an unwritten exercise. Other errors are shown as usual."""
    running = notebook.shell()
    if running is None or getattr(running, "foldem_shows_errors", False):
        return
    show_error = running.showtraceback  # which `interact` of ipywidgets calls, too

    def show(raised: tuple[object, ...] | None = None, *how: object, **more: object) -> object:
        error: Any = (raised or sys.exc_info())[1]
        if message := what_is_needed(error, running.user_ns) if isinstance(error, ON_UNWRITTEN) else "":
            error._render_traceback_ = lambda: [message]  # IPython shows this instead of the traceback
        return show_error(raised, *how, **more)

    running.showtraceback = show
    running.foldem_shows_errors = True


def what_is_needed(error: BaseException, names: Names) -> str:
    """Return a line that says what to write or run first, or "" if the error has another cause."""
    exercises = [name for unit in notebook.units_imported(names)[:1] for name in catalogue.statements(unit).by_name]
    order = {name: index for index, name in enumerate(exercises, 1)}
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    if type(error) is NameError and error.name and error.name not in names:
        return _absent(error.name, names, order)
    last, name = frames[-1], ""
    if last.f_locals.get("self") is TODO:  # a value: the innermost call that mentions one counts
        mentioned = (each for frame in reversed(frames) for each in order if each in frame.f_code.co_names)
        name = next((each for each in mentioned if names.get(each) is TODO), "")
    elif isinstance(error, NotImplementedError) and last.f_code.co_name in order:
        name = last.f_code.co_name if is_unwritten(names, last.f_code.co_name) else ""
    if not name:
        return ""
    first = f"{name} is not written yet (exercise {order[name]}). Write it and run its cell, {THEN}"
    return f"{first}{_or_borrow(name, names)}"


def _or_borrow(name: str, names: Names) -> str:
    return OR_BORROW.format(name) if may_borrow(names) else ""


def _absent(name: str, names: Names, order: dict[str, int]) -> str:
    """Describe a name that is not defined yet: an exercise, or a name that another cell of the notebook defines."""
    if name in order:
        return f"{name} is not defined yet (exercise {order[name]}). Run its cell, {THEN}{_or_borrow(name, names)}"
    space = workspace_of(names)
    stopped = [run for run in space.runs if run.error and name not in run.binds]
    if made := next((run for run in reversed(stopped) if _definition(name, run.source)), None):
        return f"{name} is not defined yet, because {made.label} stopped with an error. Run that cell, {THEN}"
    sources = [source for unit in space.units[:1] for book in space.books_of(unit) for _, source in book.cells]
    line = next(filter(None, (_definition(name, source) for source in sources)), "")
    return f"{name} is not defined yet. Run the cell with `{line}`, {THEN}" if line else ""


def _definition(name: str, source: str) -> str:
    """Return the line of a cell that begins to define a name, or ""."""
    defining = (each for each in statements_of(source) if name in bound_names(each))
    return next((lines_of(source)[each.lineno - 1] for each in defining), "")
