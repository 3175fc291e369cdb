"""The lines of `foldem grade --again`: which marks of a submission change, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator

from autograder.report.model import Graded, Report
from autograder.report.words import remark_text

MarksOf = dict[str, list[float]]
GRADED_AGAIN = "graded again: the file, the exam, the settings or Foldem changed"


def mark_changes(name: str, marks: str | None, report: Report, is_new: bool) -> Iterator[str]:
    """Yield how a submission's saved marks (as JSON) change: the totals, then each exercise with the reason."""
    before: MarksOf = json.loads(marks) if marks else {}
    now = {each.name: [each.points, each.of] for each in report.exercises} if isinstance(report, Graded) else {}
    if before == now:
        return
    yield f"{name}: {_total(before) if marks else 'not graded yet'} → {_total(now)}"
    for exercise in {**before, **now} if marks else ():
        if before.get(exercise) != now.get(exercise):
            why = GRADED_AGAIN if is_new else _last_adjustment(report, exercise)
            yield f"    {exercise}: {_change(before.get(exercise), now.get(exercise))} ({why})"


def _total(marks: MarksOf) -> str:
    points, of = (round(sum(mark[column] for mark in marks.values()), 2) for column in (0, 1))
    return f"{points:g} of {of:g}" if marks else "ungraded"


def _change(old: list[float] | None, new: list[float] | None) -> str:
    """Return how a mark changes; a bonus or a deduction counts points only."""
    if not any(mark and mark[1] for mark in (old, new)):
        return " → ".join(f"{mark[0]:g}" if mark else "0" for mark in (old, new))
    return " → ".join(f"{mark[0]:g} of {mark[1]:g}" if mark else "none" for mark in (old, new))


def _last_adjustment(report: Report, exercise: str) -> str:
    """Return the teacher's last adjustment of an exercise."""
    exercises = report.exercises if isinstance(report, Graded) else ()
    remarks = [remark for each in exercises if each.name == exercise for remark in each.remarks]
    return remark_text(remarks[-1]) if remarks else "the points or an adjustment changed"
