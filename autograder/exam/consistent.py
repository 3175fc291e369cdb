"""Ensure that the rules by which an author judges answers work for the reference, too. Called when an exam is built."""

from __future__ import annotations

import json
from collections.abc import Iterator

from autograder.exam.cases import Joint
from autograder.exam.checks import checks_error
from autograder.exam.model import Exam, Facet, Paper
from autograder.units.unit import UnitError
from autograder.units.written import location_with
from course.exam.calls import Call
from course.exam.closeness import floats_in
from course.exam.observation import Observation
from course.exam.readable import one_line
from course.exam.sealed import alike_of
from course.exam.snippets import call_code


def ensure_consistent(exam: Exam, paper: Paper) -> None:
    """Raise UnitError, with file and line, if a check of an exercise refuses its reference or cannot judge it."""
    name = paper.exercise.name
    for word, reason in (*_relation_wrong(exam, paper), *_joint_wrong(exam, paper), *_tolerance_wrong(exam, paper)):
        raise checks_error(exam.unit, word, reason)
    for reason in _alike_wrong(exam, paper):
        file = exam.unit.pack.role_file("alike", exam.unit.name)
        location = location_with(file, f'"{name}"')
        raise UnitError(f"{location}: {reason}")


def _observed(exam: Exam, facets: list[Facet]) -> Iterator[tuple[Call, Observation]]:
    """Yield the calls of facets that have arguments, each with the reference's observation."""
    for facet in facets:
        for call, text in zip(facet.calls, facet.expected, strict=True):
            if call.kind == "args":
                yield call, exam.observation(json.loads(text))


def _relation_wrong(exam: Exam, paper: Paper) -> Iterator[tuple[str, str]]:
    """Yield the exceptions that a relation raises on results of the reference.

    The relation may refuse these results, because in grading it judges only other results.
    """
    name, relation = paper.exercise.name, exam.checks[paper.exercise.name].accepts
    if relation is None:
        return
    for call, observed in _observed(exam, [facet for facet in paper.facets if not facet.joint]):
        try:
            relation(exam.case(call), observed, observed)
        except Exception as error:
            shown = one_line(call_code(exam.wire, name, call, prints=False), 200)
            yield name, f"accepts= of {name} raises {type(error).__name__}: {one_line(error, 200)}, in {shown}"


def _joint_wrong(exam: Exam, paper: Paper) -> Iterator[tuple[str, str]]:
    for facet in paper.facets:
        special = exam.checks[paper.exercise.name].facets.get(facet.name)
        if isinstance(special, Joint):
            try:
                reason = special.judge(tuple(observed for _, observed in _observed(exam, [facet])))
            except Exception as error:
                yield facet.name, f"the judge of {facet.name!r} raises {type(error).__name__}: {one_line(error, 200)}"
            else:
                if reason:
                    yield facet.name, f"the judge of {facet.name!r} refuses the reference: {one_line(reason, 200)}"


def _tolerance_wrong(exam: Exam, paper: Paper) -> Iterator[tuple[str, str]]:
    name = paper.exercise.name
    texts = (text for facet in paper.facets for text in facet.expected)
    if exam.checks[name].tolerance and not any(True for text in texts for _ in floats_in(json.loads(text))):
        yield name, f"{name} has a tolerance, but its reference returns no floats. Remove the tolerance"


def _alike_wrong(exam: Exam, paper: Paper) -> Iterator[str]:
    name = paper.exercise.name
    alike = alike_of(exam.unit.module.__name__).get(name)
    for call, observed in _observed(exam, [*paper.facets]) if alike else ():
        shown = one_line(call_code(exam.wire, name, call, prints=False), 200)
        try:
            form = alike(exam.case(call).args, observed) if alike else observed
        except Exception as error:
            yield f"ALIKE of {name} raises {type(error).__name__}: {one_line(error, 200)}, in {shown}"
        else:
            if not isinstance(form, Observation):
                yield f"ALIKE of {name} returns no Observation, in {shown}. Return `replace(observed, value=…)`"
