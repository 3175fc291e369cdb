"""Seal an exam: inputs and digests of results, for learners who have no references.

Called by `foldem student-kit` and `foldem site`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace

from autograder.exam.beliefs import about_mistake
from autograder.exam.cases import Joint
from autograder.exam.checks import left_to_teachers
from autograder.exam.impostors import impostors_of, practice_impostors
from autograder.exam.model import Exam, Facet, Paper
from autograder.exam.store import exam_for, practice_exam
from autograder.units.mistakes import Mistake, mistakes_of
from autograder.units.unit import Unit
from course.data import as_data
from course.exam.alike import alike_of, in_any_order, is_hanging
from course.exam.closeness import grid_of
from course.exam.known import Known
from course.exam.sealed import Seal, SealedExam, SealedFacet, SealedMistake, SealedPaper, WorldData, judge_of
from course.limits import MOST_JOINT_CALLS
from course.viva.calls import calls_as_code


def sealed_practice(unit: Unit, seed: str) -> str:
    """Return a course's practice exam, sealed. With a secret seed, the reserved calls are left out."""
    return _sealed(practice_exam(unit, seed), practice_impostors(unit, seed))


def sealed_exam(exam: Exam) -> str:
    """Return a sealed exam as the text of a file."""
    return _sealed(exam, impostors_of(exam.unit))


def _sealed(exam: Exam, impostors: dict[str, WorldData]) -> str:
    judged = {name: paper for name, paper in exam.by_name.items() if not left_to_teachers(exam.unit, exam.checks, name)}
    sealed = {name: sealed_paper(exam, paper) for name, paper in judged.items()}
    content = SealedExam(exam.unit.name, exam.unit.version, sealed, impostors)
    return json.dumps(as_data(content), separators=(",", ":"))


def sealed_paper(exam: Exam, paper: Paper) -> SealedPaper:
    """Return one exercise's part, sealed, without secrets, contests, and facets that only references can judge."""
    paper = paper.published
    seal = Seal(exam.unit.module, paper.exercise.name)
    check = exam.checks[paper.exercise.name]
    loose, texts = check.tolerance, check.texts
    facets = tuple(
        _sealed_facet(seal, replace(facet, name=texts.get(facet.name, facet.name)), judge, loose)
        for facet, judge in _judged_without_references(exam, paper)
    )
    left = (*_untried(exam, paper, texts), *(texts.get(name, name) for name in paper.contests))
    known = tuple(_known(exam, paper))
    hangs = tuple(_hung_on(exam, paper))
    judging = paper.prints, paper.exercise.shows_args, facets, left, paper.mentions, known, hangs, _order(exam, paper)
    return SealedPaper(*judging, paper.iterates, paper.exercise.name)


def _hung_on(exam: Exam, paper: Paper) -> Iterator[str]:
    """Yield the exercises with several right answers that the results of this exercise depend on."""
    name, hangs = paper.exercise.name, is_hanging(exam.unit.module.__name__, paper.exercise.name)
    for other in exam.unit.reached[name]:
        check, is_loose = exam.checks[other], exam.checks[other].tolerance > exam.checks[name].tolerance
        is_met = bool(check.accepts) and hangs and exam.unit[other].is_called
        if other != name and (is_met or is_loose or left_to_teachers(exam.unit, exam.checks, other)):
            yield other


def _order(exam: Exam, paper: Paper) -> tuple[int, ...]:
    """Return the position of each item of a value among its sorted items; () if the order matters."""
    alike = alike_of(exam.unit.module.__name__).get(paper.exercise.name)
    if paper.exercise.is_called or alike is not in_any_order:
        return ()
    (value,) = (facet.expected[0] for facet in paper.facets if facet.calls[0].kind == "value")
    items = exam.observation(json.loads(value)).value
    positions = sorted(range(len(items)), key=lambda position: repr(items[position]))
    return tuple(sorted(range(len(items)), key=positions.__getitem__))


def _judged_without_references(exam: Exam, paper: Paper) -> Iterator[tuple[Facet, str]]:
    """Yield the facets that can be judged without references, and the name of the judge, or ""."""
    for facet in paper.facets:
        judge = _judge_name(exam, paper, facet)
        if judge or not facet.joint:
            yield facet, judge


def _untried(exam: Exam, paper: Paper, texts: Mapping[str, str]) -> Iterator[str]:
    """Yield the facets that a kit does not test completely."""
    for facet in paper.facets:
        text = texts.get(facet.name, facet.name)
        if facet.joint and not _judge_name(exam, paper, facet):
            yield text
        elif facet.joint and len(facet.calls) > MOST_JOINT_CALLS:
            yield f"{text}, in {len(facet.calls):,} calls"


def _judge_name(exam: Exam, paper: Paper, facet: Facet) -> str:
    """Return the name of the function with which kits judge a facet's calls together, or ""."""
    special = exam.checks[paper.exercise.name].facets.get(facet.name)
    judge = special.judge if isinstance(special, Joint) else None
    return judge.__name__ if judge and judge_of(exam.unit.module.__name__, judge.__name__) is judge else ""


def _sealed_facet(seal: Seal, facet: Facet, judge: str, tolerance: float) -> SealedFacet:
    if judge:
        digest_of_all = seal.joint(facet.name, map(json.loads, facet.expected[:MOST_JOINT_CALLS]))
        return SealedFacet(facet.name, 0, facet.calls[:MOST_JOINT_CALLS], digest_of_all, judge, facet.changes)
    trees = [json.loads(text) for text in facet.expected]
    grids = tuple(grid_of(tree, tolerance) for tree in trees) if tolerance and not seal.alike else ()
    calls = zip(facet.calls, trees, grids or [()] * len(trees), strict=True)
    digests = [
        seal.joint(facet.name, trees),
        *(seal.digest(facet.name, index, *call) for index, call in enumerate(calls)),
    ]
    return SealedFacet(facet.name, facet.contrasts, facet.calls, b"".join(digests), "", facet.changes, grids)


def _known(exam: Exam, paper: Paper) -> Iterator[SealedMistake]:
    """Yield the known mistakes, without results in unsealed facets."""
    shown = tuple(facet for facet, _ in _judged_without_references(exam, paper))
    shown_indexes = [index for index, facet in enumerate(paper.facets) if facet in shown]
    for known in paper.mistakes:
        results, about = (
            tuple(known.digests[index] for index in shown_indexes),
            about_mistake(_shown_by(exam, paper, known)),
        )
        yield SealedMistake(known.belief, known.truth, results, about.quoted, about.slips)


def _shown_by(exam: Exam, paper: Paper, known: Known) -> Mistake:
    mistakes = (each for each in mistakes_of(exam.unit) if each.exercise == paper.exercise.name)
    return next(each for each in mistakes if each.belief == known.belief)


def practice_calls(unit: Unit, name: str) -> tuple[str, ...]:
    """Return the calls of an exercise in the published exam, as code."""
    paper = exam_for(unit).by_name[name]
    return calls_as_code(unit.module.__name__, name, paper.published.calls, paper.prints)
