"""Sealing an exam: what learners may have of it who have no references, inputs and digests."""

from __future__ import annotations

import json
from collections.abc import Iterator

from autograder.exam.beliefs import about
from autograder.exam.model import Exam, Facet, Paper
from autograder.units.mistakes import Mistake, mistakes_of
from course.diagnoses.beliefs import About
from course.exam.known import Known
from course.exam.sealed import Seal, SealedFacet, SealedPaper, as_data


def sealed_exam(exam: Exam) -> str:
    """Give an exam, sealed, as the text of a file."""
    papers = {name: as_data(sealed_paper(exam, paper)) for name, paper in exam.papers.items()}
    told = {"unit": exam.unit.name, "version": exam.unit.version, "papers": papers}
    return json.dumps(told, separators=(",", ":"))


def sealed_paper(exam: Exam, paper: Paper) -> SealedPaper:
    """Give one exercise's part, sealed; what is judged as a whole, and what is played, is left to a teacher."""
    seal = Seal(exam.unit.module, paper.exercise.name)
    facets = tuple(_sealed(seal, facet) for facet in paper.facets if not facet.whole)
    left = (*(facet.name for facet in paper.facets if facet.whole), *paper.contests)
    known = tuple(_known(exam, paper))
    hangs = tuple(_hung_on(exam, paper))
    return SealedPaper(
        paper.exercise.name, paper.prints, paper.exercise.shows_args, facets, left, paper.mentions, known, hangs
    )


def _hung_on(exam: Exam, paper: Paper) -> Iterator[str]:
    """Give the exercises with several right answers that one hangs on, if an invariant judges it among own ones."""
    name = paper.exercise.name
    if exam.checks[name].invariant is not None:
        yield from (other for other in exam.unit.reached[name] if exam.checks[other].accepts and other != name)


def _sealed(seal: Seal, facet: Facet) -> SealedFacet:
    pairs = zip(facet.calls, facet.expected, strict=True)
    digests = (seal.digest(facet.name, place, call, json.loads(text)) for place, (call, text) in enumerate(pairs))
    whole = seal.whole(facet.name, map(json.loads, facet.expected))
    return SealedFacet(facet.name, facet.calls, tuple(digests), whole, facet.contrasts)


def _known(exam: Exam, paper: Paper) -> Iterator[tuple[Known, About]]:
    """Give the known mistakes, without what they give where nothing is sealed."""
    kept = [place for place, facet in enumerate(paper.facets) if not facet.whole]
    for known in paper.mistakes:
        shown = Known(known.belief, known.truth, tuple(known.digests[place] for place in kept))
        yield shown, about(exam.unit.name, _shown_by(exam, paper, known))


def _shown_by(exam: Exam, paper: Paper, known: Known) -> Mistake:
    found = (each for each in mistakes_of(exam.unit.name) if each.exercise == paper.exercise.name)
    return next(each for each in found if each.belief == known.belief)
