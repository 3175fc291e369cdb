"""Which common mistake an answer makes, by what it gives and what is written in it."""

from __future__ import annotations

from collections.abc import Iterable

from autograder.exam.beliefs import fits
from autograder.exam.model import Paper
from autograder.report.model import FacetReport
from autograder.units.unit import read_unit
from course.exam.known import Known, explaining, is_placeholder


def recognised(
    paper: Paper, facets: Iterable[FacetReport], seen: Iterable[tuple[bytes, bytes]], source: str
) -> Known | None:
    """Return the common mistake that gives the same wherever the answer is wrong: the one that is most like it."""
    if not paper.mistakes or is_placeholder(source):
        return None
    failed = [place for place, facet in enumerate(facets) if facet.counts and not facet.passed]
    unit, mistakes = read_unit(paper.exercise.unit), paper.mistakes
    alike = (mistakes[place] for place in explaining(mistakes, seen, failed))
    return next((known for known in alike if fits(unit, paper.exercise.name, known.belief, source)), None)
