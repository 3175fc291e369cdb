"""Compare the observations of an exercise's calls with the expected ones, facet by facet. Outcomes are cached."""

from __future__ import annotations

import json
from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from itertools import accumulate
from typing import Any

from autograder.exam.cases import Joint, Observation, Relation
from autograder.exam.model import Exam, Facet, Paper
from autograder.report.model import FacetReport
from autograder.report.stops import (
    AllRaised,
    FailedCall,
    NoObservation,
    NotReturned,
    NotRun,
    NoValue,
    Oversized,
    Refused,
    Stop,
    Unjudged,
    failed_call_for,
    failure_kind_for,
)
from autograder.sandbox.cage import ChildError, ChildExit, LimitReached, RaisedException, child_error
from course.diagnoses.failure import (
    CALLED,
    CANNOT_BE_JUDGED_REMARK,
    CHANGED,
    GAVE,
    PRINTED,
    RAISED,
    ExpectedException,
    Failure,
    first_differing_line,
    kind_remark,
    smallest_wrong_part,
)
from course.exam import wire
from course.exam.alike import observation_with_close_floats, with_equal_parts
from course.exam.calls import Call
from course.exam.observing import LIMITS_BY_EXCEPTION, TimeUp
from course.exam.readable import (
    arguments_code,
    call_code,
    decode_strict_json,
    imports_for,
    line_without_folders,
    outcome_code,
    printable_text,
    value_code,
)
from course.exam.standard import ENDED, UNENDED, IteratedItems
from course.limits import LONGEST_VALUE, MOST_KNOWN_RESULTS
from course.values import strictly_equal


def call_failure(exam: Exam, paper: Paper, call: Call) -> Failure:
    """Return a `Failure` with the code of a call, such as `flip(Domino(1, 2))`, but without results."""
    name = paper.exercise.name
    if call.kind == "example":
        example = paper.exercise.examples[call.what]
        return Failure(example.call, setup=example.setup)
    if call.kind == "value":
        return Failure(name)
    code = call_code(exam.wire, name, call, paper.prints)
    return Failure(code, setup=imports_for(exam.wire, code))


def failure_without_value(failure: Failure, effect: ChildExit | LimitReached | Oversized | NoValue) -> FailedCall:
    """Return the failure of a call that returned no value.

    `effect` is the reason why there is no value, such as the end of the process.
    """
    stop = NotReturned(effect)
    return FailedCall(replace(failure, did=failure_kind_for(stop)), stop)


def refusal(
    exam: Exam, paper: Paper, call: Call, expected: str, got: object, error: ChildError | None
) -> FailedCall | None:
    """Return why the observation `got` is wrong, or None if it is right. `got` is a tree of JSON values."""
    if not wire.is_within_limits(got):
        return failure_without_value(call_failure(exam, paper, call), Oversized())
    text, check = wire.text_of(got), exam.checks[paper.exercise.name]
    is_near = wire.has_comparable_length(text, expected)
    if is_near and text != expected and check.tolerance:
        got = observation_with_close_floats(wire.json.loads(expected), got, check.tolerance)
        text = wire.text_of(got)
    if text == expected:
        return None
    try:
        want, actual = exam.observation(wire.json.loads(expected)), exam.observation(got)
    except wire.WireError:
        return failure_without_value(call_failure(exam, paper, call), NoValue())
    if check.equality and strictly_equal(want, actual := with_equal_parts(want, actual)):
        return None
    try:
        reason = _refusal_by_relation(exam, paper, call, want, actual) if is_near else None
        if reason == "":
            return None
        failure, prints = call_failure(exam, paper, call), paper.prints and call.kind != "example"
        wanted = ExpectedException(_exception_text(want)) if want.raised else outcome_code(want, prints)
        if actual.fault:
            return failure_without_value(replace(failure, wanted=wanted), LimitReached(actual.fault))
        return FailedCall(_with_outcomes(failure, want, actual, error, reason, prints, wanted))
    except Exception:
        try:  # a unit's own `__repr__` may fail for parts of unexpected types
            repr(actual)
        except Exception:
            return failure_without_value(call_failure(exam, paper, call), NoValue())
        raise


def _refusal_by_relation(exam: Exam, paper: Paper, call: Call, want: Observation, observed: Observation) -> str | None:
    """Return "" if an acceptance relation accepts, its reason if it refuses, or None if no relation applies.

    No relation applies to an answer that changed its arguments although the reference did not.
    """
    relation = exam.checks[paper.exercise.name].accepts
    before = tuple(exam.wire.decode(tree) for tree in call.given if exam.wire.is_mutable(tree))
    has_changed = strictly_equal(want.after, before) and not strictly_equal(observed.after, before)
    if has_changed or observed.fault or not relation:
        return None
    try:
        return relation(exam.case(call), want, observed) or ""
    except Exception as error:
        return CANNOT_BE_JUDGED_REMARK.format(type(error).__name__)


def _with_outcomes(
    failure: Failure,
    want: Observation,
    observed: Observation,
    raised: ChildError | None,
    reason: str | None,
    prints: bool,
    wanted: ExpectedException | str,
) -> Failure:
    """Return the failure with the actual and the expected outcome."""
    if error := _unexpected_error(want, observed):
        return replace(failure, did=RAISED, wanted=wanted, **exception_fields(raised, error))
    if observed.raised:
        return _with_different_effect(replace(failure, error=observed.raised), want, observed)
    if reason:
        return replace(failure, did=GAVE, seen=value_code(observed.value), remark=printable_text(reason))
    if not want.raised and strictly_equal(want.value, observed.value):
        return _with_different_effect(failure, want, observed)
    if not want.raised and not prints:
        call, wants, gives = smallest_wrong_part(failure.call, want.value, observed.value)
        remark = kind_remark(wants, gives)
        return replace(failure, did=GAVE, call=call, seen=value_code(gives), wanted=value_code(wants), remark=remark)
    remark = "" if want.raised else kind_remark(want.value, observed.value)
    return replace(failure, did=GAVE, seen=outcome_code(observed, prints), wanted=wanted, remark=remark)


def _unexpected_error(want: Observation, observed: Observation) -> str:
    """Return the exception that a call or an iterator raised, if it is not the expected one; else ""."""
    if observed.raised:
        is_same = observed.raised == want.raised and strictly_equal(observed.raised_args, want.raised_args)
        return "" if is_same else observed.raised
    ends = [each.value.end if isinstance(each.value, IteratedItems) else ENDED for each in (want, observed)]
    return "" if ends[1] in (UNENDED, ends[0]) else ends[1]


def exception_fields(raised: ChildError | None, error: str) -> dict[str, Any]:
    """Return the fields of a `Failure` about an exception: its class, its message, and the learner's line."""
    match raised:
        case RaisedException(name, text, line, inside):
            where = {"label": line_without_folders(line.label, 60), "line": line.line} if line else {}
            return {"error": line_without_folders(name), "seen": line_without_folders(text), "inside": inside} | where
    return {"error": printable_text(error)}


def _with_different_effect(failure: Failure, want: Observation, observed: Observation) -> Failure:
    """Return the failure with the difference in printed text, arguments or probes. Value and exception are right."""
    if not strictly_equal(want.after, observed.after):
        wanted = arguments_code(want.after) if want.after else None
        return replace(failure, did=CHANGED, seen=arguments_code(observed.after), wanted=wanted)
    if row := first_differing_line(want.printed, observed.printed):
        number, wanted, got = row
        if got is not None:  # tabs remain; other characters could disturb a terminal
            got = "\t".join(printable_text(part, LONGEST_VALUE) for part in got[: LONGEST_VALUE + 1].split("\t"))
        return replace(failure, did=PRINTED, row=number, seen=got, wanted=wanted)
    return replace(failure, did=CALLED, seen=_probes_text(observed), wanted=_probes_text(want))


def _exception_text(observed: Observation) -> str:
    args = "" if observed.raised_args is None else f"({', '.join(map(repr, observed.raised_args))})"
    return printable_text(f"{observed.raised}{args}", LONGEST_VALUE)


def _probes_text(observed: Observation) -> str:
    calls = [f"{name}({', '.join(map(value_code, args))})" for name, *args in observed.probes]
    return printable_text(" then ".join(calls), LONGEST_VALUE) or "no function that it was given"


OUT_OF_TIME_FAULT = LimitReached(LIMITS_BY_EXCEPTION[TimeUp])
OUT_OF_TIME_TREE = ["fault", OUT_OF_TIME_FAULT.limit]


@dataclass(frozen=True)
class AssessedFacet:
    """The outcome of a facet: its report, and the contrast call that failed, if any.

    If `endless` is true, a call did not end within the time limit.
    """

    report: FacetReport
    contrast: FailedCall | None = None
    endless: bool = False


def facet_report(facet: Facet, reason: FailedCall | Stop | None) -> FacetReport:
    """Return a report that a facet has failed for this reason, or that it has passed if the reason is None."""
    if reason is None:
        return FacetReport(facet.name, True, facet.rule_calls)
    failed = reason if isinstance(reason, FailedCall) else failed_call_for(reason)
    return FacetReport(facet.name, False, facet.rule_calls, failed.failure, failed.stop)


@cache
def assessor_for(exam: Exam, name: str, with_secrets: bool = True) -> Assessor:
    """Return the assessor for all answers to an exercise.

    Without secrets, the assessor judges only the published calls.
    """
    return Assessor(exam, exam.by_name[name] if with_secrets else exam.by_name[name].published)


class Assessor:
    """A judge of the observations of an exercise's calls. The assessor caches the outcomes.

    The relation `invariant` judges runs in which the learner's own functions call each other.
    """

    def __init__(self, exam: Exam, paper: Paper, invariant: Relation | None = None) -> None:
        self.exam, self.paper, self.invariant = exam, paper, invariant
        self._right = [AssessedFacet(facet_report(facet, None)) for facet in paper.facets]
        self._known: dict[tuple[int, bytes], AssessedFacet] = {}

    def judge_cached(self, index: int, frame: bytes, notes: bytes) -> AssessedFacet:
        """Return the outcome of the facet with this index, from the cache if the same bytes were judged before."""
        facet = self.paper.facets[index]
        if frame == facet.expected_bytes and not facet.joint:
            return self._right[index]
        key = index, sha256(len(frame).to_bytes(8) + frame + notes).digest()
        if key not in self._known:
            if len(self._known) >= MOST_KNOWN_RESULTS:
                self._known.clear()
            self._known[key] = self.judge(facet, frame, notes)
        return self._known[key]

    def judge(self, facet: Facet, frame: bytes, notes: bytes) -> AssessedFacet:
        """Return the outcome of a facet.

        `frame` contains the observations, and `notes` the details on exceptions; both are JSON in bytes.
        """
        if frame == facet.expected_bytes and not facet.joint:
            return AssessedFacet(facet_report(facet, None))
        trees, data = decode_strict_json(frame), decode_strict_json(notes)
        if not isinstance(trees, list) or not isinstance(data, dict):
            return AssessedFacet(facet_report(facet, NoObservation()))
        endless = trees[-1:] == [OUT_OF_TIME_TREE]
        if facet.joint:
            stop = self._joint_failure(facet, trees if wire.has_comparable_length(frame, facet.expected_bytes) else [])
            return AssessedFacet(facet_report(facet, stop), endless=endless)
        ends = [*accumulate((len(text.encode()) + 1 for text in facet.expected), initial=1)][1:]
        first = bisect_left(
            ends, True, key=lambda end: frame[:end] != facet.expected_bytes[:end]
        )  # the others are as expected
        for index in range(first, len(facet.calls)):
            if index >= len(trees):
                failed: FailedCall | None = failed_call_for(NotRun())
            else:
                note = data.get(str(index))
                error = child_error(note.get("story")) if isinstance(note, dict) else None
                failed = self._refusal(facet.calls[index], facet.expected[index], trees[index], error)
            if failed and facet.rule_calls <= index < facet.rule_calls + facet.contrasts:
                return AssessedFacet(FacetReport(facet.name, False, facet.rule_calls), failed, endless)
            if failed:
                return AssessedFacet(facet_report(facet, failed), None, endless)
        return AssessedFacet(facet_report(facet, None), None, endless)

    def _refusal(self, call: Call, expected: str, tree: wire.Tree, call_error: ChildError | None) -> FailedCall | None:
        """Return why an observation is wrong, or None if it is right.

        An invariant, if there is one, judges the observations that are neither too large nor out of time.
        """
        is_plain = wire.is_within_limits(tree) and tree != OUT_OF_TIME_TREE and self.invariant is not None
        text = wire.text_of(tree) if is_plain else expected
        if self.invariant is None or text == expected or not wire.has_comparable_length(text, expected):
            return refusal(self.exam, self.paper, call, expected, tree, call_error)
        try:
            observations = self.exam.observation(json.loads(expected)), self.exam.observation(tree)
            reason = self.invariant(self.exam.case(call), *observations)
        except Exception as error:
            return failed_call_for(Unjudged(type(error).__name__))
        return failed_call_for(Refused(printable_text(reason))) if reason else None

    def _joint_failure(self, facet: Facet, trees: list[wire.Tree]) -> Stop | None:
        name = self.paper.exercise.name
        special = self.exam.checks[name].facets[facet.name]
        assert isinstance(special, Joint)
        try:
            observations = tuple(self.exam.observation(tree) for tree in trees if wire.is_within_limits(tree))
            if faults := [each for each in observations if each.fault or each.raised]:
                return AllRaised(name, printable_text(faults[0].raised or ""), faults[0].fault or "")
            if len(observations) < len(facet.calls):
                return NotRun(name)
            reason = special.judge(observations)
        except Exception as error:
            return Unjudged(type(error).__name__, name)
        return Refused(printable_text(reason), name) if reason else None
