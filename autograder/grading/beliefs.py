"""Recognize known mistakes by an answer's results and its text."""

from __future__ import annotations

from collections.abc import Iterable

from autograder.exam.beliefs import contains_belief
from autograder.exam.model import Paper
from autograder.report.model import FacetReport
from autograder.units.unit import Unit
from course.exam.known import Known, explaining, is_placeholder


def recognised(
    unit: Unit, paper: Paper, facets: Iterable[FacetReport], frames: Iterable[tuple[bytes, bytes]], source: str
) -> Known | None:
    """Return the most similar known mistake with the same wrong results, or None."""
    if not paper.mistakes or is_placeholder(source):
        return None
    failed = [index for index, facet in enumerate(facets) if facet.counts and not facet.passed]
    mistakes = paper.mistakes
    alike = (mistakes[index] for index in explaining(mistakes, frames, failed))
    return next((known for known in alike if contains_belief(unit, paper.exercise.name, known.belief, source)), None)
