"""Sealing an exam: what learners may have of it who have no references, inputs and digests."""

from __future__ import annotations

import json
from collections.abc import Iterator

from autograder.exam.beliefs import about
from autograder.exam.cases import Whole
from autograder.exam.impostors import impostors_of
from autograder.exam.model import Exam, Facet, Paper
from autograder.units.mistakes import Mistake, mistakes_of
from course.diagnoses.beliefs import About
from course.exam.alike import in_any_order
from course.exam.known import Known
from course.exam.sealed import Seal, SealedFacet, SealedPaper, alike_of, as_data, is_hanging, judge_of

MOST_TOGETHER = 500  # calls of a facet that is judged as a whole: a learner waits for them


def sealed_exam(exam: Exam) -> str:
    """Give an exam, sealed, as the text of a file."""
    papers = {name: as_data(sealed_paper(exam, paper)) for name, paper in exam.papers.items()}
    told = {
        "unit": exam.unit.name,
        "version": exam.unit.version,
        "papers": papers,
        "impostors": impostors_of(exam.unit.name),
    }
    return json.dumps(told, separators=(",", ":"))


def sealed_paper(exam: Exam, paper: Paper) -> SealedPaper:
    """Give one exercise's part, sealed; what references are needed for to judge, and what is played, is left out."""
    seal = Seal(exam.unit.module, paper.exercise.name)
    facets = tuple(_sealed(seal, facet, _judge_name(exam, paper, facet)) for facet in _kept(exam, paper))
    left = (*_untried(exam, paper), *paper.contests)
    known = tuple(_known(exam, paper))
    hangs = tuple(_hung_on(exam, paper))
    name, prints, order = paper.exercise.name, paper.prints, _order(exam, paper)
    return SealedPaper(name, prints, paper.exercise.shows_args, facets, left, paper.mentions, known, hangs, order)


def _hung_on(exam: Exam, paper: Paper) -> Iterator[str]:
    """Give the exercises with several right answers that one hangs on; values are brought into one order."""
    unit, name = exam.unit, paper.exercise.name
    others = (other for other in unit.reached[name] if exam.checks[other].accepts and other != name)
    if is_hanging(unit.module.__name__, name):
        yield from (other for other in others if unit[other].is_called)


def _order(exam: Exam, paper: Paper) -> tuple[int, ...]:
    """Give, for each item of a value in any order, its place among the sorted items."""
    alike = alike_of(exam.unit.module.__name__).get(paper.exercise.name)
    if paper.exercise.is_called or alike is not in_any_order:
        return ()
    (value,) = (facet.expected[0] for facet in paper.facets if facet.calls[0].kind == "value")
    items = exam.observation(json.loads(value)).value
    places = sorted(range(len(items)), key=lambda place: repr(items[place]))
    return tuple(sorted(range(len(items)), key=places.__getitem__))


def _kept(exam: Exam, paper: Paper) -> tuple[Facet, ...]:
    """Give the facets that can be judged without references."""
    return tuple(facet for facet in paper.facets if not facet.whole or _judge_name(exam, paper, facet))


def _untried(exam: Exam, paper: Paper) -> Iterator[str]:
    """Give the facets of which a kit does not try all."""
    for facet in paper.facets:
        if facet.whole and not _judge_name(exam, paper, facet):
            yield facet.name
        elif facet.whole and len(facet.calls) > MOST_TOGETHER:
            yield f"{facet.name}, in {len(facet.calls):,} calls"


def _judge_name(exam: Exam, paper: Paper, facet: Facet) -> str:
    """Give the name of the function that judges the calls of a facet together, "" if none does that kits have."""
    special = exam.checks[paper.exercise.name].facets.get(facet.name)
    judge = special.judge if isinstance(special, Whole) else None
    return judge.__name__ if judge and judge_of(exam.unit.module.__name__, judge.__name__) is judge else ""


def _sealed(seal: Seal, facet: Facet, judge: str) -> SealedFacet:
    if judge:
        whole = seal.whole(facet.name, map(json.loads, facet.expected[:MOST_TOGETHER]))
        return SealedFacet(facet.name, facet.calls[:MOST_TOGETHER], (), whole, judge=judge)
    pairs = zip(facet.calls, facet.expected, strict=True)
    digests = (seal.digest(facet.name, place, call, json.loads(text)) for place, (call, text) in enumerate(pairs))
    whole = seal.whole(facet.name, map(json.loads, facet.expected))
    return SealedFacet(facet.name, facet.calls, tuple(digests), whole, facet.contrasts)


def _known(exam: Exam, paper: Paper) -> Iterator[tuple[Known, About]]:
    """Give the known mistakes, without what they give where nothing is sealed."""
    shown = _kept(exam, paper)
    kept = [place for place, facet in enumerate(paper.facets) if facet in shown]
    for known in paper.mistakes:
        told = Known(known.belief, known.truth, tuple(known.digests[place] for place in kept))
        yield told, about(exam.unit.name, _shown_by(exam, paper, known))


def _shown_by(exam: Exam, paper: Paper, known: Known) -> Mistake:
    found = (each for each in mistakes_of(exam.unit.name) if each.exercise == paper.exercise.name)
    return next(each for each in found if each.belief == known.belief)
