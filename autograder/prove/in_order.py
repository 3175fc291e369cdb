"""A law: no exercise needs a later one. Each can be checked once the exercises before it are solved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import takewhile

from autograder.prove.answers import names_with, reference_answers, submission_with
from autograder.prove.judging import graded
from autograder.prove.kit import AMPLE, practised_with, sealed_of
from autograder.report.model import PASSED
from autograder.report.words import trouble_text
from autograder.units.unit import Unit
from course.learner.answer import answer_among
from course.learner.examples import run_examples


def waits(unit: Unit, name: str) -> list[str]:
    """Report if a right answer to an exercise fails while the cells of later exercises have not been run."""
    earlier = takewhile(lambda each: each != name, unit.by_name)
    solved = {each: reference_answers(unit)[each] for each in (*earlier, name)}
    return [
        f"{name} waits for a later exercise {line}"
        for line in (*_in_the_kit(unit, name, solved), *_with_everything(unit, name, solved))
    ]


def _in_the_kit(unit: Unit, name: str, solved: Mapping[str, str]) -> Iterator[str]:
    examples = run_examples(answer_among(names_with(unit, solved), name, unit.name))
    yield from (f"in the kit: {failure}" for failure in examples.failures)
    if sealed_of(unit, name):
        facets = practised_with(unit, name, solved, seconds=AMPLE).facets
        yield from (f"in the kit: {facet.name}: {facet.failure}" for facet in facets if not facet.passed)


def _with_everything(unit: Unit, name: str, solved: dict[str, str]) -> Iterator[str]:
    report = graded(submission_with(unit, solved), name)[name]
    if report.state != PASSED:
        yield f"with everything installed: {trouble_text(report)}"
