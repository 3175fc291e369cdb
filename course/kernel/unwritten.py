"""If a cell needs an unwritten exercise, show one line that says what to do first, instead of a traceback."""

from __future__ import annotations

import sys
from traceback import walk_tb
from typing import Any

from course.exam.calls import Names
from course.kernel import catalogue, notebook
from course.kernel.borrowed import may_borrow
from course.kernel.history import statements_of
from course.kernel.workspace import workspace_of
from course.syntax import bound_names, lines_of
from course.values import TODO

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
        name = last.f_code.co_name if notebook.is_unwritten(names, last.f_code.co_name) else ""
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
