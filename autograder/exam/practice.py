"""The calls of the published exam, as code, for questions about an answer."""

from __future__ import annotations

from autograder.exam.store import exam_for
from autograder.units.unit import Unit
from course.viva.calls import calls_as_code


def practice_calls(unit: Unit, name: str) -> tuple[str, ...]:
    """Return the calls of an exercise in the published exam, as code."""
    paper = exam_for(unit).by_name[name]
    return calls_as_code(unit.module.__name__, name, paper.published.calls, paper.prints)
