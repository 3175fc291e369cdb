"""A run as a nested list: as text, and as HTML that folds without a script."""

from __future__ import annotations

from html import escape

from course.functional import Recur
from course.show.bits import MORE, bits_text, code_of, exception_text
from course.show.blocks import WRAPPED
from course.show.results import Shown
from course.watch.run import Kind, RecordedRun, State
from course.watch.sentences import next_round

MOST_CALL_LINES = 200
ENDINGS = {
    State.STOPPED: "It was stopped, because it did not end.",
    State.INTERRUPTED: "It was interrupted before it ended.",
}


def as_list(run: RecordedRun) -> Shown:
    """Return a run as a nested list. Only the beginning of a long run is shown."""
    left = [*_cut(run), *left_out(run)]
    text, html = "\n".join([*_lines(run, run.top, 0), *left]), "".join(f"<div>{escape(line)}</div>" for line in left)
    return Shown(text, f'<div style="{WRAPPED}">{_html(run, run.top)}{html}</div>')


def _cut(run: RecordedRun) -> list[str]:
    more = max(len(run.calls) - 1 - MOST_CALL_LINES, 0)
    return [f"{MORE} {more:,} more calls are not shown"] * (more > 0)


def left_out(run: RecordedRun) -> list[str]:
    """Return notes: how many steps were not recorded, and whether the run was stopped."""
    notes = [f"{MORE} and {run.left_out:,} more steps were not recorded"] * (run.left_out > 0)
    return [*notes, *([ENDINGS[run.state]] if run.state in ENDINGS else [])]


def call_line(run: RecordedRun, number: int) -> str:
    """Return a call in one line: its name, its arguments, and its result."""
    call, end = run.calls[number], run.result(number)
    if number == 0:
        return exception_text(run.error) if run.error else code_of(run.value)
    call_text = f"{call.name}({', '.join(code_of(each) for _, each in call.args)})"
    if end is None:
        return f"{call_text} did not return"
    if isinstance(end.value, Recur):
        return f"{call_text} continues with {bits_text(next_round(call, end.value))}"
    return (
        f"{call_text} raises {exception_text(end.value)}"
        if end.kind is Kind.RAISES
        else f"{call_text} returns {code_of(end.value)}"
    )


def _lines(run: RecordedRun, number: int, depth: int) -> list[str]:
    made = [each for each in run.children[number] if each <= MOST_CALL_LINES]
    inner = [line for each in made for line in _lines(run, each, depth + 1)]
    return [f"{'  ' * depth}{call_line(run, number)}", *inner]


def _html(run: RecordedRun, number: int) -> str:
    made, line = [each for each in run.children[number] if each <= MOST_CALL_LINES], escape(call_line(run, number))
    if not made:
        return line
    items = "".join(f"<li>{_html(run, each)}</li>" for each in made)
    return f"<details open><summary>{line}</summary><ul>{items}</ul></details>"
