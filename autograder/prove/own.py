"""Proof of what a unit adds to advice and form. Learners never see a fault in it, so its author reads of it here."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.prove.answers import right_answers, submission_of_wrong
from autograder.prove.judging import graded
from autograder.units.mistakes import mistakes_of
from autograder.units.unit import Unit, requirements_of
from course.diagnoses import Evidence
from course.diagnoses.advice import Detector, advice_of


def detector_complaints(unit: Unit) -> Iterator[list[str]]:
    """Yield for each detector of a unit the answers on which it fails, and the right answers that it takes for wrong.

    A detector in `last` may match the text of a right answer, because it needs a result to be sure.
    """
    own = advice_of(unit.module.__name__)
    right, wrong = [*_right(unit)], [*_wrong(unit)] if own.first or own.last else []
    for detector in own.first:
        yield [*_complaints(detector, right), *_complaints(detector, wrong, may_match=True)]
    for detector in own.last:
        yield [*_complaints(detector, right + wrong, may_match=True)]


def _right(unit: Unit) -> Iterator[tuple[str, Evidence]]:
    for right in right_answers(unit):
        for name, source in right.answers.items():
            yield f"{right.style}: {name}", Evidence(requirements_of(unit, unit[name]), source)


def _wrong(unit: Unit) -> Iterator[tuple[str, Evidence]]:
    for wrong in mistakes_of(unit):
        report = graded(submission_of_wrong(wrong), wrong.exercise)[wrong.exercise]
        failures = tuple(facet.failure for facet in report.facets if facet.failure)
        requirements = requirements_of(unit, unit[wrong.exercise])
        yield f"{wrong.exercise}__{wrong.name}", Evidence(requirements, wrong.source, failures)


def _complaints(detector: Detector, answers: list[tuple[str, Evidence]], may_match: bool = False) -> Iterator[str]:
    for label, evidence in answers:
        try:
            if detector(evidence) and not may_match:
                yield f"the detector {detector.__name__} takes a right answer for wrong ({label})"
        except Exception as error:
            yield f"the detector {detector.__name__} fails with {type(error).__name__}: {error} ({label})"
