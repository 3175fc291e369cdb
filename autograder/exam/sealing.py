"""Seal an exam: replace its results by digests, for learners who must not have the reference solutions.

Called by `foldem student-kit` and `foldem site`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from autograder.config import PUBLISHED_SEED
from autograder.exam.cases import Joint
from autograder.exam.impostors import impostors_of
from autograder.exam.model import Exam, Facet, Paper, is_left_to_teachers
from autograder.exam.store import exam_for
from autograder.units.mistakes import about_mistake, mistakes_of
from autograder.units.unit import Unit
from course.data import as_data
from course.exam.alike import grid_of, in_any_order, normalizers_of
from course.exam.sealed import Seal, SealedExam, SealedFacet, SealedMistake, SealedPaper, joint_judge_of
from course.limits import MOST_JOINT_CALLS
from course.roles import role_module
from course.viva import codes_of_calls


def sealed_practice(unit: Unit, seed: str) -> str:
    """Return a course's practice exam, sealed, as text. With a secret seed, the reserved calls are left out."""
    from autograder.exam.build import build_practice  # imported here, because only kits need it

    exam = exam_for(unit) if seed == PUBLISHED_SEED else build_practice(exam_for(unit), seed)
    judged = {name: paper for name, paper in exam.by_name.items() if not is_left_to_teachers(unit, exam.checks, name)}
    sealed = {name: sealed_paper(exam, paper) for name, paper in judged.items()}
    content = SealedExam(unit.name, unit.version, sealed, impostors_of(unit, seed))
    return json.dumps(as_data(content), separators=(",", ":"))


def sealed_paper(exam: Exam, paper: Paper) -> SealedPaper:
    """Return the sealed exam of one exercise.

    Secret calls, contests, and facets that only a reference can judge are left out.
    """
    paper, name, module = paper.published, paper.exercise.name, exam.unit.module
    check, seal = exam.checks[name], Seal(module, name)
    shown, facets, left = list[int](), list[SealedFacet](), list[str]()
    for index, facet in enumerate(paper.facets):
        text, special = check.texts.get(facet.name, facet.name), check.facets.get(facet.name)
        judge = special.judge.__name__ if isinstance(special, Joint) else ""
        is_judged = isinstance(special, Joint) and joint_judge_of(module.__name__, judge) is special.judge
        if is_judged or not facet.joint:
            shown.append(index)
            facets.append(_sealed_facet(seal, replace(facet, name=text), judge if is_judged else "", check.tolerance))
        if facet.joint and not is_judged:
            left.append(text)
        elif facet.joint and len(facet.calls) > MOST_JOINT_CALLS:
            left.append(f"{text}, in {len(facet.calls):,} calls")
    mistakes = {each.belief: each for each in reversed(mistakes_of(exam.unit)) if each.exercise == name}
    known = []
    for each in paper.mistakes:  # without results in unsealed facets
        about, results = about_mistake(mistakes[each.belief]), tuple(each.digests[index] for index in shown)
        known.append(SealedMistake(each.belief, each.truth, results, about.quoted, about.slips))
    return SealedPaper(
        paper.prints,
        paper.exercise.shows_args,
        tuple(facets),
        left=(*left, *(check.texts.get(contest, contest) for contest in paper.contests)),
        mentions=paper.mentions,
        mistakes=tuple(known),
        hung_on=tuple(_dependencies_with_several_results(exam, paper)),
        order=_sorted_positions(exam, paper),
        iterates=paper.iterates,
        name=name,
    )


def _dependencies_with_several_results(exam: Exam, paper: Paper) -> Iterator[str]:
    """Yield the exercises on which this exercise depends, and which have several right results."""
    name = paper.exercise.name
    hangs = name in getattr(role_module(exam.unit.module.__name__, "alike"), "HANGING", ())
    for other in exam.unit.reached_exercises[name]:
        check, is_loose = exam.checks[other], exam.checks[other].tolerance > exam.checks[name].tolerance
        is_met = bool(check.accepts) and hangs and exam.unit[other].is_called
        if other != name and (is_met or is_loose or is_left_to_teachers(exam.unit, exam.checks, other)):
            yield other


def _sorted_positions(exam: Exam, paper: Paper) -> tuple[int, ...]:
    """Return the position of each item of a value among its sorted items; () if the order matters."""
    alike = normalizers_of(exam.unit.module.__name__).get(paper.exercise.name)
    if paper.exercise.is_called or alike is not in_any_order:
        return ()
    (value,) = (facet.expected[0] for facet in paper.facets if facet.calls[0].kind == "value")
    items = exam.observation(json.loads(value)).value
    positions = sorted(range(len(items)), key=lambda position: repr(items[position]))
    return tuple(sorted(range(len(items)), key=positions.__getitem__))


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


def practice_calls(unit: Unit, name: str) -> tuple[str, ...]:
    """Return the published calls of an exercise, as code."""
    paper = exam_for(unit).by_name[name]
    return codes_of_calls(unit.module.__name__, name, paper.published.calls, paper.prints)
