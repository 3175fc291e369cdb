"""What notebook cells call: `check("flip")`, and `hint`, `borrow`, `solution`, `progress`.

Where the autograder is installed (it says so by an entry point, nothing of it is imported by name) the whole
exam is run; else the visible examples. Under nbgrader's `autograde` the value is the mark and nothing is raised.
"""

from __future__ import annotations

import linecache
import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from course import notebook
from course.hints import borrow, hint, is_borrowed, solution
from course.notebook import Names, NotRight, Place, examiner
from course.progress import entry_of, keep, progress, redraw, update, with_count
from course.results import BAD, BORROWED, GOOD, OPEN, Part, Result
from course.values import strictly_equal

__all__ = ["NotRight", "borrow", "check", "hint", "progress", "solution"]

EXAMPLES = "the examples of the statement"
UNWRITTEN = "not written yet"
RUN_IT = "run it (Shift-Enter), then check again"


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
    try:
        result = _from_file(place) if notebook.stage() else _at_work(place)
    except KeyboardInterrupt:
        raise NotRight(f"{name}: the check was interrupted") from None
    return _shown(result or _by_examples(place))


def _shown(result: Result) -> Result | None:
    """Show a result: right ones are the cell's value; others are displayed, and the error is one short line."""
    if result.state == GOOD:
        return result
    notebook.show(result)
    raise NotRight(f"{result.name}: {result.headline}") from None


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
    result = _unready(place)
    if result is None:
        result = _examined(place) or _by_examples(place)
        keep(place, result, notebook.typed_source(place.names, place.name) or "")
    elif result.state == BAD or result.headline.startswith(UNWRITTEN):
        update(place, state=result.state)
    redraw(place)
    return with_count(place, _with_offers(place, result))


def _examined(place: Place) -> Result | None:
    cells = notebook.cells_run(place.names)
    return (cells and examiner() and examiner().examine(place.unit, place.name, cells, place.folder)) or None


def _unready(place: Place) -> Result | None:
    """Tell apart what cannot be examined: not written, not run, borrowed, does not parse, edited but not run."""
    name, names = place.name, place.names
    if is_borrowed(place):
        return Result(name, BORROWED, "borrowed, which is worth no points: run your own cell to have it checked")
    _, problem = next(notebook.defining_cells(notebook.cells_run(names) or [], name), (0, ""))
    if problem:
        return Result(name, BAD, f"the cell does not parse: {problem} · {_no_points(place)}")
    if notebook.is_edited(place):
        return Result(name, OPEN, f"its cell was edited but not run: {RUN_IT}")
    if name not in names:
        return Result(name, OPEN, f"its cell was not run: {RUN_IT}")
    unwritten = Result(name, OPEN, f"{UNWRITTEN} · {_no_points(place)}")
    return unwritten if notebook.is_unwritten(names, name) else None


def _no_points(place: Place) -> str:
    most = place.stated["points"]
    return f"0 of {most:g} point{'' if most == 1 else 's'}"


def _with_offers(place: Place, result: Result) -> Result:
    """Give a result that is not right with what may be asked for then."""
    if result.state != BAD or result.total:
        return result
    fails = entry_of(place).fails
    can_borrow = notebook.is_allowed("borrowing", place.folder) and examiner() is not None
    offers = [f'hint("{place.name}")'] * notebook.is_allowed("hints", place.folder)
    offers += [f'borrow("{place.name}")'] * (can_borrow and fails > 1)
    note = f"Stuck? {' or '.join(offers)}"
    return replace(result, notes=(*result.notes, note)) if offers else result


def _by_examples(place: Place) -> Result:
    """Give the result of the visible examples alone, run here and now."""
    if unready := _unready(place):
        return unready
    verdicts = list(_example_verdicts(place.stated, place.names))
    right = sum(not verdict for verdict in verdicts)
    parts = tuple(Part(BAD, EXAMPLES, verdict) for verdict in verdicts if verdict)[:1]
    state = GOOD if right == len(verdicts) else BAD
    return Result(place.name, state, f"{right} of {len(verdicts)} examples right", parts, (_only_examples(place),))


def _only_examples(place: Place) -> str:
    if notebook.course_settings(place.folder):
        return "only the visible examples were checked here: your teacher has the whole exam"
    return "only the visible examples were checked: the whole exam comes with the autograder (pip install foldem)"


def _example_verdicts(exercise: dict[str, Any], names: Names) -> Iterator[str]:
    for example in exercise["examples"]:
        scratch = dict(names)
        try:
            for line in example["setup"]:
                exec(line, scratch)
            seen = eval(example["call"], scratch)
        except Exception as error:
            yield _raised_verdict(example, error, names)
            continue
        yield _value_verdict(example, seen, names)


def _value_verdict(example: dict[str, Any], seen: object, names: Names) -> str:
    if example["raises"]:
        return f"{example['call']} gave {seen!r}, expected {example['raises']} to be raised"
    expected = eval(example["want"], dict(names))
    return "" if strictly_equal(seen, expected) else f"{example['call']} gave {seen!r}, expected {expected!r}"


def _raised_verdict(example: dict[str, Any], error: Exception, names: Names) -> str:
    story = f"{type(error).__name__}: {error}".removesuffix(": ")
    wanted = example["raises"]
    if wanted and (story == wanted or (":" not in wanted and type(error).__name__ == wanted)):
        return ""
    told = f"{example['call']} raised {story}, expected {wanted or example['want']}"
    return "\n".join([told, *_own_lines(error, names)])


def _own_lines(error: Exception, names: Names) -> list[str]:
    """Give the innermost line of the learner's own that an error came from; our frames are none of their business."""
    trace, lines = error.__traceback__, []
    while trace:
        code = trace.tb_frame.f_code
        if trace.tb_frame.f_globals is names:
            text = linecache.getline(code.co_filename, trace.tb_lineno).strip()
            lines.append(f"in {code.co_name}, line {trace.tb_lineno}: {text}".removesuffix(": "))
        trace = trace.tb_next
    return lines[-1:]


if notebook.shell():
    notebook.runs()
