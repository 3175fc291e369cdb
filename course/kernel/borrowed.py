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
from course.syntax import bound_names, global_names_in, lines_of
from course.values import TODO

REFERENCE_FILE_PREFIX = "our "  # how the file names of references begin
_borrowed_references: dict[tuple[str, str], object] = {}
_reference_namespaces: dict[str, ReferenceNamespace] = {}


class ReferenceNamespace(dict[str, Any]):
    """The global names of a unit's references. A function that the learner has written replaces its reference.

    The dict itself contains only built-in names and the names that the unit exports. Python looks up any other name
    with `__missing__` at each use, so a function that the learner writes later is used at once. If `names`, the
    learner's namespace, is empty, only references are used.
    """

    def __init__(self, unit: str, names: Names) -> None:
        self.unit, self.names, self.stated = unit, names, catalogue.statements(unit)
        self.functions: dict[str, object] = {}
        module = import_module(self.stated.module)
        given = {name: getattr(module, name) for name in module.__all__}
        super().__init__(vars(builtins) | given | {"__name__": f"{REFERENCE_FILE_PREFIX}{unit}"})

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
        source = catalogue.reference_provider().reference(self.unit, name)
        code = compile(source, f"<{REFERENCE_FILE_PREFIX}{name}>", "exec", dont_inherit=True)
        if not self.stated.by_name[name].is_value:
            exec(code, self)
            self.functions[name] = self.pop(name)
            return self.functions[name]
        needs = global_names_in(source) & self.stated.by_name.keys() - {name}
        scope = {**self, **{each: self._late_bound(each) for each in needs}}
        exec(code, scope)
        return scope[name]

    def _late_bound(self, name: str) -> object:
        """Return the value of a name, or, if it is a function, a function that looks up the name again at each call."""
        now = self[name]
        return wraps(now)(lambda *args, **named: self[name](*args, **named)) if callable(now) else now


def may_borrow(names: Names) -> bool:
    """Return whether references are installed, and the course of the namespace's notebook allows borrowing them."""
    return workspace_of(names).is_allowed("borrowing") and catalogue.reference_provider() is not None


def references_for(unit: str, names: Names) -> ReferenceNamespace:
    """Return the references of a unit. They call the learner's own functions, which `names` contains."""
    if unit not in _reference_namespaces or _reference_namespaces[unit].names is not names:
        _reference_namespaces[unit] = ReferenceNamespace(unit, names)
    return _reference_namespaces[unit]


@cache
def independent_references(unit: str) -> ReferenceNamespace:
    """Return the references of a unit. They call only each other, and no function of the learner."""
    return ReferenceNamespace(unit, {})


def borrow_into(names: Names, unit: str, name: str) -> None:
    """Assign an exercise's reference to the exercise's name, and record that the exercise is borrowed."""
    names[name] = _borrowed_references[unit, name] = references_for(unit, names).reference(name)


def is_borrowed(names: Names, unit: str, name: str) -> bool:
    """Return whether the value of a name is the reference that was borrowed for this name."""
    return (unit, name) in _borrowed_references and names.get(name) is _borrowed_references[unit, name]


# ------------------------------------------------------------------------------------------------ unwritten exercises

RUN_CELL_AGAIN = "then run this cell again"
BORROWING_OFFER = '. Or run borrow("{}") first, to use the reference solution'
UNWRITTEN_ERRORS = NotImplementedError, AttributeError, NameError


def show_unwritten_as_one_line() -> None:
    """Show one line instead of a traceback if a cell needs an unwritten exercise. Other errors are shown as usual."""
    running = notebook.shell()
    if running is None or getattr(running, "foldem_shows_errors", False):
        return
    show_error = running.showtraceback  # which `interact` of ipywidgets calls, too

    def show(raised: tuple[object, ...] | None = None, *how: object, **more: object) -> object:
        error: Any = (raised or sys.exc_info())[1]
        if message := missing_definition_message(error, running.user_ns) if isinstance(error, UNWRITTEN_ERRORS) else "":
            error._render_traceback_ = lambda: [message]  # IPython shows this instead of the traceback
        return show_error(raised, *how, **more)

    running.showtraceback = show
    running.foldem_shows_errors = True


def missing_definition_message(error: BaseException, names: Names) -> str:
    """Return a line that says what to write or run first, or "" if the error has another cause."""
    exercises = [name for unit in notebook.imported_units(names)[:1] for name in catalogue.statements(unit).by_name]
    order = {name: index for index, name in enumerate(exercises, 1)}
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    if type(error) is NameError and error.name and error.name not in names:
        return _undefined_name_message(error.name, names, order)
    last, name = frames[-1], ""
    if last.f_locals.get("self") is TODO:  # a value: the innermost call that mentions one counts
        mentioned = (each for frame in reversed(frames) for each in order if each in frame.f_code.co_names)
        name = next((each for each in mentioned if names.get(each) is TODO), "")
    elif isinstance(error, NotImplementedError) and last.f_code.co_name in order:
        name = last.f_code.co_name if is_unwritten(names, last.f_code.co_name) else ""
    if not name:
        return ""
    first = f"{name} is not written yet (exercise {order[name]}). Write it and run its cell, {RUN_CELL_AGAIN}"
    return f"{first}{_borrowing_offer(name, names)}"


def _borrowing_offer(name: str, names: Names) -> str:
    return BORROWING_OFFER.format(name) if may_borrow(names) else ""


def _undefined_name_message(name: str, names: Names, order: dict[str, int]) -> str:
    """Return a line about a name that is not defined yet, or "".

    The name is that of an exercise, or another cell of the notebook defines it.
    """
    if name in order:
        offer = _borrowing_offer(name, names)
        return f"{name} is not defined yet (exercise {order[name]}). Run its cell, {RUN_CELL_AGAIN}{offer}"
    space = workspace_of(names)
    stopped = [run for run in space.runs if run.error and name not in run.binds]
    if made := next((run for run in reversed(stopped) if _definition_line(name, run.source)), None):
        return f"{name} is not defined yet, because {made.label} stopped with an error. Run that cell, {RUN_CELL_AGAIN}"
    sources = [source for unit in space.units[:1] for book in space.books_of(unit) for _, source in book.cells]
    line = next(filter(None, (_definition_line(name, source) for source in sources)), "")
    return f"{name} is not defined yet. Run the cell with `{line}`, {RUN_CELL_AGAIN}" if line else ""


def _definition_line(name: str, source: str) -> str:
    """Return the line of a cell that begins to define a name, or ""."""
    defining = (each for each in statements_of(source) if name in bound_names(each))
    return next((lines_of(source)[each.lineno - 1] for each in defining), "")
