"""Judge the observations of an exercise, facet by facet. Equal observations are judged once."""

from __future__ import annotations

import json
from bisect import bisect_left
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import accumulate

from autograder.exam.cases import Joint, Relation
from autograder.exam.model import Exam, Facet, Paper
from autograder.grading import verdicts
from autograder.report.model import FacetReport
from autograder.report.stops import (
    AllRaised,
    FailedCall,
    NoObservation,
    NoOutcome,
    NotRun,
    Refused,
    Stop,
    Unjudged,
    stopped,
)
from autograder.sandbox.outcomes import Broken, ChildError, child_error
from course.exam import wire
from course.exam.calls import Call
from course.exam.observing import FAULTS, TimeUp
from course.exam.readable import printable, strict_json
from course.limits import MOST_KNOWN_RESULTS

OUT_OF_TIME = Broken(FAULTS[TimeUp])
OUT_OF_TIME_TREE = ["fault", OUT_OF_TIME.limit]


@dataclass(frozen=True)
class AssessedFacet:
    """The outcome of a facet: its report, and the contrast call that failed, if one did.

    If `endless` is true, a call did not end.
    """

    report: FacetReport
    contrast: FailedCall | None = None
    endless: bool = False


def reported(facet: Facet, reason: FailedCall | Stop | None) -> FacetReport:
    """Return the report on a facet that failed for a reason, or passed if the reason is None."""
    if reason is None:
        return FacetReport(facet.name, True, facet.rule_calls)
    failed = reason if isinstance(reason, FailedCall) else stopped(reason)
    return FacetReport(facet.name, False, facet.rule_calls, failed.failure, failed.stop)


@cache
def assessor_for(exam: Exam, name: str, with_secrets: bool = True) -> Assessor:
    """Return the assessor that judges all answers to an exercise, by its exam or only by the published part."""
    return Assessor(exam, exam.by_name[name] if with_secrets else exam.by_name[name].published)


class Assessor:
    """A judge of the observations of an exercise's calls. A judge caches the outcomes.

    If there is an `invariant`, it judges runs in which the learner's own functions work together.
    """

    def __init__(self, exam: Exam, paper: Paper, invariant: Relation | None = None) -> None:
        self.exam, self.paper, self.invariant = exam, paper, invariant
        self._right = [AssessedFacet(reported(facet, None)) for facet in paper.facets]
        self._known: dict[tuple[int, bytes], AssessedFacet] = {}

    def judged(self, index: int, frame: bytes, notes: bytes) -> AssessedFacet:
        """Return the outcome of the facet with this index. It is cached under the bytes observed."""
        facet = self.paper.facets[index]
        if frame == facet.frame and not facet.joint:
            return self._right[index]
        key = index, sha256(len(frame).to_bytes(8) + frame + notes).digest()
        if key not in self._known:
            if len(self._known) >= MOST_KNOWN_RESULTS:
                self._known.clear()
            self._known[key] = self.judge(facet, frame, notes)
        return self._known[key]

    def judge(self, facet: Facet, frame: bytes, notes: bytes) -> AssessedFacet:
        """Judge a facet."""
        if frame == facet.frame and not facet.joint:
            return AssessedFacet(reported(facet, None))
        trees, data = strict_json(frame), strict_json(notes)
        if not isinstance(trees, list) or not isinstance(data, dict):
            return AssessedFacet(reported(facet, NoObservation()))
        endless = trees[-1:] == [OUT_OF_TIME_TREE]
        if facet.joint:
            stop = self._together(facet, trees if wire.is_near(frame, facet.frame) else [])
            return AssessedFacet(reported(facet, stop), endless=endless)
        for index in range(_as_expected(facet, frame), len(facet.calls)):
            if index >= len(trees):
                failed: FailedCall | None = stopped(NotRun())
            else:
                note = data.get(str(index))
                error = child_error(note.get("story")) if isinstance(note, dict) else None
                failed = self._refusal(facet.calls[index], facet.expected[index], trees[index], error)
            if failed and facet.rule_calls <= index < facet.rule_calls + facet.contrasts:
                return AssessedFacet(FacetReport(facet.name, False, facet.rule_calls), failed, endless)
            if failed:
                return AssessedFacet(reported(facet, failed), None, endless)
        return AssessedFacet(reported(facet, None), None, endless)

    def _refusal(self, call: Call, expected: str, tree: wire.Tree, call_error: ChildError | None) -> FailedCall | None:
        """Return why an observation is wrong, or None if it is right.

        An invariant, if there is one, judges the observations that are neither too large nor out of time.
        """
        is_plain = wire.is_within_limits(tree) and tree != OUT_OF_TIME_TREE and self.invariant is not None
        text = wire.text_of(tree) if is_plain else expected
        if self.invariant is None or text == expected or not wire.is_near(text, expected):
            return verdicts.refusal(self.exam, self.paper, call, expected, tree, call_error)
        try:
            observations = self.exam.observation(json.loads(expected)), self.exam.observation(tree)
            reason = self.invariant(self.exam.case(call), *observations)
        except Exception as error:
            return stopped(NoOutcome(type(error).__name__))
        return stopped(Refused(printable(reason))) if reason else None

    def _together(self, facet: Facet, trees: list[wire.Tree]) -> Stop | None:
        name = self.paper.exercise.name
        special = self.exam.checks[name].facets[facet.name]
        assert isinstance(special, Joint)
        try:
            observations = tuple(self.exam.observation(tree) for tree in trees if wire.is_within_limits(tree))
            if faults := [each for each in observations if each.fault or each.raised]:
                return AllRaised(name, printable(faults[0].raised or ""), faults[0].fault or "")
            if len(observations) < len(facet.calls):
                return NotRun(name)
            reason = special.judge(observations)
        except Exception as error:
            return Unjudged(name, type(error).__name__)
        return Refused(printable(reason), name) if reason else None


def _as_expected(facet: Facet, frame: bytes) -> int:
    """Return how many calls at the start of a facet have exactly the expected bytes."""
    ends = [*accumulate((len(text.encode()) + 1 for text in facet.expected), initial=1)][1:]
    return bisect_left(ends, True, key=lambda end: frame[:end] != facet.frame[:end])
