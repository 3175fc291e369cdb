"""What notebook cells call: `check("flip")`, `hint`, `borrow`, `solution`, `progress`, `predict`, `catch`, `example`.

Where the autograder is installed (it says so by an entry point, nothing of it is imported by name) the whole
exam is run; else the visible examples. Under nbgrader's `autograde` the value is the mark and nothing is raised.
"""

from __future__ import annotations

import os
from dataclasses import replace

from course import history, limits, notebook
from course.certificate import certificate
from course.hints import borrow, hint, solution
from course.impostors import catch, example
from course.learning import by_examples, unready
from course.notebook import NotRight, Place, examiner
from course.predicting import predict
from course.progress import Here, call_map, entry_of, keep, progress, redraw, unit_progress, update
from course.results import BAD, GOOD, Result
from course.unwritten import say_what_is_unwritten

__all__ = [
    "NotRight",
    "borrow",
    "call_map",
    "catch",
    "certificate",
    "check",
    "example",
    "hint",
    "predict",
    "progress",
    "solution",
]

NESTED = "check was called by what is being checked: call it in a cell of its own"


class Mark:
    """A mark: its text is the number, which is what nbgrader reads."""

    def __init__(self, points: float) -> None:
        self.points = points

    def __repr__(self) -> str:
        return f"{self.points:g}"


def check(name: str) -> Result | Mark | None:
    """Check the exercise `name` as it stands in the notebook, show the result, and raise NotRight unless it is right.

    Under nbgrader's `autograde`: show the result and give the mark, whatever happens.
    """
    if notebook.stage() == "autograde":
        return _graded(name)
    place = notebook.place_of(name, 1)
    if notebook.is_asking():
        raise NotRight(NESTED)
    try:
        with notebook.asking_once():
            result = _from_file(place) if notebook.stage() else _at_work(place)
            result = result or unready(place) or by_examples(place)
    except KeyboardInterrupt:
        raise NotRight(f"{name}: the check was interrupted") from None
    return _shown(result)


def _shown(result: Result) -> Result | None:
    """Show a result: right ones are the cell's value; others are displayed, and the error is one short line."""
    if result.state == GOOD:
        return result
    notebook.show(result)
    if result.state == BAD and not notebook.stage():
        from course.watch.offering import offer  # what draws runs is read only where there is one to be seen

        offer(result, notebook.namespace(2))
    raise NotRight(f"{result.name} {'is not right yet' if result.state == BAD else 'was not checked'}") from None


def _graded(name: str) -> Mark:
    if examiner() is None:
        raise RuntimeError(
            "the autograder is not installed in this kernel, so nothing can be graded: pip install foldem"
        )
    points, result = examiner().grade_file(os.getcwd(), name)
    notebook.show(result)
    return Mark(points)


def _from_file(place: Place) -> Result | None:
    return examiner() and examiner().grade_file(os.getcwd(), place.name)[1]


def _at_work(place: Place) -> Result:
    """Give the result of the cells run so far, keep it, and say how far the notebook is with it."""
    result = unready(place)
    if result is None:
        result = _examined(place) or by_examples(place)
        keep(place, result, notebook.typed_source(place.names, place.name) or "")
    elif result.stale:
        update(place, state=result.state)
    part = unit_progress(Here(place.folder, place.names), place.unit)
    redraw(part)
    return replace(_with_offers(place, result), done=part.done, total=len(part.states))


def _examined(place: Place) -> Result | None:
    cells = notebook.cells_run(place.names)
    return (cells and examiner() and examiner().examine(place.unit, place.name, cells, place.folder)) or None


def _with_offers(place: Place, result: Result) -> Result:
    """Give a result that is not right with what may be asked for then."""
    if result.state != BAD:
        return result
    can_borrow = notebook.is_allowed("borrowing", place.folder) and notebook.references() is not None
    offers = [f'`hint("{place.name}")`'] * notebook.is_allowed("hints", place.folder)
    offers += [f'`borrow("{place.name}")`'] * (can_borrow and entry_of(place).fails > 1)
    return replace(result, offer=f"Stuck? {' or '.join(offers)}") if offers else result


def watch_cell(line: str, cell: str) -> object:
    """Show the run of what stands below `%%watch`; what shows it is read only then."""
    from course.watch.asked import watch_cell

    return watch_cell(line, cell)


if notebook.shell():
    notebook.runs()
    history.log()
    notebook.shell().register_magic_function(watch_cell, "cell", "watch")
    say_what_is_unwritten()
    if notebook.IN_A_BROWSER:  # elsewhere there is a button that interrupts
        limits.watch_cells(notebook.shell())
