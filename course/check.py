"""What notebook cells call: `check("flip")`.

Where the autograder is installed (it says so by an entry point, nothing of it is imported by name) the whole
exam is run; else the visible examples. Under nbgrader's `autograde` the value is the mark and nothing is raised.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from course import notebook
from course.results import BAD, GOOD, OPEN, Part, Result
from course.values import strictly_equal

__all__ = ["NotRight", "check"]

Names = notebook.Names
EXAMPLES = "the examples of the statement"


class NotRight(Exception):
    """An exercise is not right yet. Shown as one line: what is wrong stands above it."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


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
    stage = os.environ.get("NBGRADER_EXECUTION", "")
    if stage == "autograde":
        return _graded(name)
    names = notebook.namespace(1)
    unit = notebook.unit_here(names, name)
    if unit is None:
        raise NotRight(f"there is no exercise {name!r} in any unit")
    result = _from_file(name) if stage else _at_work(unit, name, names)
    return _shown(result or _by_examples(unit, name, names))


def _shown(result: Result) -> Result | None:
    """Show a result: right ones are the cell's value; others are displayed, and the error is one short line."""
    if result.state == GOOD:
        return result
    _display(result)
    raise NotRight(f"{result.name}: {result.headline}") from None


def _display(result: Result) -> None:
    if notebook.shell():
        from IPython.display import display

        display(result)
    else:
        print(result.text())


@cache
def examiner() -> Any:
    """Give the installed autograder's examiner, None where only the course is installed."""
    for entry in entry_points(group="foldem.examiner"):
        return entry.load()()
    return None


def _graded(name: str) -> Mark:
    if examiner() is None:
        raise RuntimeError(
            "the autograder is not installed in this kernel, so nothing can be graded: pip install foldem"
        )
    points, result = examiner().grade_file(os.getcwd(), name)
    _display(result)
    return Mark(points)


def _from_file(name: str) -> Result | None:
    return examiner() and examiner().grade_file(os.getcwd(), name)[1]


def _at_work(unit: str, name: str, names: Names) -> Result | None:
    """Give the result of the cells run so far: what is not ready to be run is told apart before anything is run."""
    cells = notebook.cells_run(names)
    if cells is None:
        return _unready(name, names)
    for _, problem in notebook.defining_cells(cells, name):
        if problem:
            return Result(name, BAD, f"its cell does not parse: {problem}")
        break
    if notebook.is_edited(cells, name):
        return Result(name, OPEN, "its cell was edited but not run: run it (Shift-Enter), then check again")
    if unready := _unready(name, names):
        return unready
    return examiner() and examiner().examine(unit, name, cells)


def _unready(name: str, names: Names) -> Result | None:
    if name not in names:
        return Result(name, OPEN, "not written yet: its cell was not run")
    return Result(name, OPEN, "not written yet") if notebook.is_unwritten(names, name) else None


def _by_examples(unit: str, name: str, names: Names) -> Result:
    """Give the result of the visible examples alone, run here and now."""
    if unready := _unready(name, names):
        return unready
    exercise = notebook.exercise_of(unit, name) or {}
    verdicts = list(_example_verdicts(exercise, names))
    right = sum(not verdict for verdict in verdicts)
    parts = tuple(Part(BAD, EXAMPLES, verdict) for verdict in verdicts if verdict)[:1]
    note = "only the visible examples were checked: the whole exam comes with the autograder (pip install foldem)"
    headline = f"{right} of {len(verdicts)} examples right"
    return Result(name, GOOD if right == len(verdicts) else BAD, headline, parts, (note,))


def _example_verdicts(exercise: dict[str, Any], names: Names) -> Iterator[str]:
    for example in exercise["examples"]:
        scratch = dict(names)
        try:
            for line in example["setup"]:
                exec(line, scratch)
            seen = eval(example["call"], scratch)
        except Exception as error:
            yield _raised_verdict(example, error)
            continue
        want = example["want"]
        if example["raises"]:
            yield f"{example['call']} gave {seen!r}, expected {example['raises']} to be raised"
        else:
            expected = eval(want, dict(names))
            yield "" if strictly_equal(seen, expected) else f"{example['call']} gave {seen!r}, expected {expected!r}"


def _raised_verdict(example: dict[str, Any], error: Exception) -> str:
    story = f"{type(error).__name__}: {error}".removesuffix(": ")
    wanted = example["raises"]
    if wanted and (story == wanted or (":" not in wanted and type(error).__name__ == wanted)):
        return ""
    return f"{example['call']} raised {story}, expected {wanted or example['want']}"
