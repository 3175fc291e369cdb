"""What a cell says that needs what is not written, or not there, yet: in a line, what to do first, and no traceback."""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType, FrameType
from typing import Any

from course.kernel import catalogue, notebook
from course.kernel.history import runs, statements_of
from course.kernel.notebook import Names
from course.syntax import bound_names
from course.values import TODO

THEN = "then run this cell again"


def say_what_is_unwritten() -> None:
    """Have the running shell say so in every cell; where somebody has an own way to show errors, that stays."""
    running = notebook.shell()
    if running is not None and not running.custom_exceptions:
        running.set_custom_exc((NotImplementedError, AttributeError, NameError), _show)


def _show(running: Any, kind: type[BaseException], error: Any, trace: Any, tb_offset: int | None = None) -> None:
    if said := what_is_needed(error, running.user_ns):
        error._render_traceback_ = lambda: [said]  # which IPython shows in the traceback's place
    running.showtraceback((kind, error, trace), tb_offset=tb_offset)


def what_is_needed(error: BaseException, names: Names) -> str:
    """Return what has to be written or run first, where an error came of that; else ""."""
    order = {exercise["name"]: place for place, exercise in enumerate(_exercises(names), 1)}
    frames = list(_frames(error))
    if type(error) is NameError and error.name and error.name not in names:
        return _absent(error.name, names, order)
    name = _stub(frames[-1].f_code, names, order) if isinstance(error, NotImplementedError) else None
    name = name or _value(frames, names, order)
    return f"{name} is not written yet (exercise {order[name]}). Write it and run its cell, {THEN}" if name else ""


def _exercises(names: Names) -> list[dict[str, Any]]:
    return [
        exercise for unit in notebook.units_imported(names)[:1] for exercise in catalogue.statements(unit)["exercises"]
    ]


def _frames(error: BaseException) -> Iterator[FrameType]:
    """Yield where an error has been, the outermost call first."""
    trace = error.__traceback__
    while trace:
        yield trace.tb_frame
        trace = trace.tb_next


def _stub(code: CodeType, names: Names, order: dict[str, int]) -> str | None:
    """Return the name of the exercise whose stub has raised."""
    return code.co_name if code.co_name in order and notebook.is_unwritten(names, code.co_name) else None


def _value(frames: list[FrameType], names: Names, order: dict[str, int]) -> str | None:
    """Return the name of the value that TODO stood for: the innermost call that mentions one, and there the first."""
    if frames[-1].f_locals.get("self") is not TODO:
        return None
    mentioned = (name for frame in reversed(frames) for name in order if name in frame.f_code.co_names)
    return next((name for name in mentioned if names.get(name) is TODO), None)


def _absent(name: str, names: Names, order: dict[str, int]) -> str:
    """Describe a name that is not defined yet: an exercise, or a name whose cell stopped before defining it."""
    if name in order:
        return f"{name} is not defined yet (exercise {order[name]}). Run its cell, {THEN}"
    stopped = [run for run in runs(names) if run.error and name not in run.binds]
    made = next(
        (run for run in reversed(stopped) if any(name in bound_names(s) for s in statements_of(run.source))), None
    )
    return (
        f"{name} is not defined yet, because {made.label} stopped with an error. Run that cell, {THEN}" if made else ""
    )
