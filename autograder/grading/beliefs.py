"""Which common mistake an answer makes, by what it gives and what is written in it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import starmap
from operator import eq

from autograder.exam.beliefs import fits
from autograder.exam.model import Paper
from autograder.report.model import FacetReport
from autograder.units.unit import read_unit
from course.exam.known import Known, digest, is_placeholder


def recognised(
    paper: Paper, facets: Iterable[FacetReport], seen: Iterable[tuple[bytes, bytes]], source: str
) -> Known | None:
    """Give the common mistake that gives the same wherever the answer is wrong: the one that is most like it."""
    if not paper.mistakes or is_placeholder(source):
        return None
    digests = tuple(starmap(digest, seen))
    failed = [place for place, facet in enumerate(facets) if facet.counts and not facet.passed]
    alike = [known for known in paper.mistakes if known.explains(digests, failed)]
    unit = read_unit(paper.exercise.unit)
    found = [known for known in alike if fits(unit, paper.exercise.name, known.belief, source)]
    return max(found, key=lambda known: sum(map(eq, known.digests, digests)), default=None)
