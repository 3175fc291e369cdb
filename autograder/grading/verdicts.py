"""Compare an observation with the expected one, and describe the difference as a `Failure`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from autograder.exam.cases import Case, Observation
from autograder.exam.checks import agrees
from autograder.exam.model import Exam, Paper
from autograder.report.stops import FailedCall, NotReturned, NoValue, Oversized, did_of
from autograder.sandbox.outcomes import Broken, ChildError, ChildExit, Raised
from course.diagnoses.failure import (
    CALLED,
    CANNOT_BE_JUDGED,
    CHANGED,
    GAVE,
    PRINTED,
    RAISED,
    ExpectedException,
    Failure,
    first_row,
    kind_remark,
    smallest_part,
)
from course.exam import wire
from course.exam.alike import with_equal_parts
from course.exam.calls import Call
from course.exam.closeness import with_close_floats_replaced
from course.exam.readable import from_inside, printable, value_code
from course.exam.snippets import arguments_code, call_code, imports_for, outcome
from course.exam.standard import ENDED, UNENDED, Iterated
from course.limits import LONGEST_VALUE
from course.values import strictly_equal


def call_failure(exam: Exam, paper: Paper, call: Call) -> Failure:
    """Return a failure with the code of a call: `flip(Domino(1, 2))`, or a `transcript`."""
    name = paper.exercise.name
    if call.kind == "example":
        example = paper.exercise.examples[call.what]
        return Failure(example.call, setup=example.setup)
    if call.kind == "value":
        return Failure(name)
    code = call_code(exam.wire, name, call, paper.prints)
    return Failure(code, setup=imports_for(exam.wire, code))


def without_value(failure: Failure, effect: ChildExit | Broken | Oversized | NoValue) -> FailedCall:
    """Return the failure of a call that returned no value, with what happened instead."""
    stop = NotReturned(effect)
    return FailedCall(replace(failure, did=did_of(stop)), stop)


def refusal(
    exam: Exam, paper: Paper, call: Call, expected: str, got: object, error: ChildError | None
) -> FailedCall | None:
    """Return why the observation `got` (a decoded JSON tree) is wrong, or None if it is right."""
    if not wire.is_within_limits(got):
        return without_value(call_failure(exam, paper, call), Oversized())
    is_near = wire.is_near(text := wire.text_of(got), expected)
    if text == expected:
        return None
    if is_near and (tolerance := exam.checks[paper.exercise.name].tolerance):
        got = with_close_floats_replaced(wire.json.loads(expected), got, tolerance)  # floats that are close enough
        if wire.text_of(got) == expected:
            return None
    try:
        want, actual = exam.observation(wire.json.loads(expected)), exam.observation(got)
    except wire.WireError:
        return without_value(call_failure(exam, paper, call), NoValue())
    if exam.checks[paper.exercise.name].equality and strictly_equal(want, actual := with_equal_parts(want, actual)):
        return None
    try:
        return _compared(exam, paper, call, want, actual, error, is_near)
    except Exception:
        if _can_be_shown(actual):
            raise
        return without_value(call_failure(exam, paper, call), NoValue())


def _compared(
    exam: Exam,
    paper: Paper,
    call: Call,
    want: Observation,
    actual: Observation,
    error: ChildError | None,
    is_near: bool,
) -> FailedCall | None:
    """Return why an observation is not the expected one, or None if a relation accepts it."""
    reason = None
    if is_near:
        before = tuple(exam.wire.decode(tree) for tree in call.given if exam.wire.is_mutable(tree))
        # No relation applies to an answer that changed its arguments although the reference did not.
        if not strictly_equal(want.after, before) or strictly_equal(actual.after, before):
            reason = _related(exam, paper, exam.case(call), want, actual)
    prints = paper.prints and call.kind != "example"
    if reason == "":
        return None
    failure = call_failure(exam, paper, call)
    wanted = ExpectedException(_exception(want)) if want.raised else outcome(want, prints)
    if actual.fault:
        return without_value(replace(failure, wanted=wanted), Broken(actual.fault))
    return FailedCall(_failed(failure, want, actual, error, reason, prints, wanted))


def _can_be_shown(observed: Observation) -> bool:
    """Return whether all values have a `repr`. A unit's own `__repr__` may fail for parts of unexpected types."""
    try:
        return bool(repr(observed))
    except Exception:
        return False


def _related(exam: Exam, paper: Paper, case: Case, want: Observation, observed: Observation) -> str | None:
    """Return "" if an acceptance relation accepts, its reason if it refuses, or None if there is no relation."""
    relation, own = exam.checks[paper.exercise.name].accepts, exam.relations.get(paper.exercise.name)
    if own and not observed.fault and agrees(own, case, want, observed):
        return ""
    if relation is None or observed.fault:
        return None
    try:
        return relation(case, want, observed) or ""
    except Exception as error:
        return CANNOT_BE_JUDGED.format(type(error).__name__)


def _failed(
    failure: Failure,
    want: Observation,
    observed: Observation,
    raised: ChildError | None,
    reason: str | None,
    prints: bool,
    wanted: ExpectedException | str,
) -> Failure:
    """Return the failure with the actual and the expected outcome."""
    if error := _other_error(want, observed):
        return replace(failure, did=RAISED, wanted=wanted, **raised_data(raised, error))
    if observed.raised:
        return _effects(replace(failure, error=observed.raised), want, observed)
    if reason:
        return replace(failure, did=GAVE, seen=value_code(observed.value), remark=printable(reason))
    if not want.raised and strictly_equal(want.value, observed.value):
        return _effects(failure, want, observed)
    if not want.raised and not prints:
        call, wants, gives = smallest_part(failure.call, want.value, observed.value)
        remark = kind_remark(wants, gives)
        return replace(failure, did=GAVE, call=call, seen=value_code(gives), wanted=value_code(wants), remark=remark)
    remark = "" if want.raised else kind_remark(want.value, observed.value)
    return replace(failure, did=GAVE, seen=outcome(observed, prints), wanted=wanted, remark=remark)


def _other_error(want: Observation, observed: Observation) -> str:
    """Return the exception that a call or an iterator raised, if it is not the expected one; else ""."""
    if observed.raised:
        is_same = observed.raised == want.raised and strictly_equal(observed.raised_args, want.raised_args)
        return "" if is_same else observed.raised
    ends = [each.value.end if isinstance(each.value, Iterated) else ENDED for each in (want, observed)]
    return "" if ends[1] in (UNENDED, ends[0]) else ends[1]


def load_failure(trouble: ChildError | ChildExit) -> Failure | None:
    """Return the failure of loading an answer's cell, or None if the cell raised no exception."""
    return Failure(did=RAISED, **raised_data(trouble, "")) if isinstance(trouble, Raised) else None


def raised_data(raised: ChildError | None, error: str) -> dict[str, Any]:
    """Return the description of an exception: its class, its message, and the learner's line that raised it."""
    match raised:
        case Raised(name, text, line, inside):
            where = {"label": from_inside(line.label, 60), "line": line.line} if line else {}
            return {"error": from_inside(name), "seen": from_inside(text), "inside": inside} | where
    return {"error": printable(error)}


def _effects(failure: Failure, want: Observation, observed: Observation) -> Failure:
    """Return the difference in printed text, arguments and probes, for a call whose value or exception is right."""
    if not strictly_equal(want.after, observed.after):
        wanted = arguments_code(want.after) if want.after else None
        return replace(failure, did=CHANGED, seen=arguments_code(observed.after), wanted=wanted)
    if row := first_row(want.printed, observed.printed):
        number, wanted, got = row
        return replace(failure, did=PRINTED, row=number, seen=_printable(got), wanted=wanted)
    return replace(failure, did=CALLED, seen=_probes(observed), wanted=_probes(want))


def _printable(line: str | None) -> str | None:
    """Return a printed line without characters that would disturb a terminal; tabs remain, and a long line is cut."""
    parts = [] if line is None else line[: LONGEST_VALUE + 1].split("\t")
    return None if line is None else "\t".join(printable(part, LONGEST_VALUE) for part in parts)


def _exception(observed: Observation) -> str:
    args = "" if observed.raised_args is None else f"({', '.join(map(repr, observed.raised_args))})"
    return printable(f"{observed.raised}{args}", LONGEST_VALUE)


def _probes(observed: Observation) -> str:
    calls = [f"{name}({', '.join(map(value_code, args))})" for name, *args in observed.probes]
    return printable(" then ".join(calls), LONGEST_VALUE) or "no function that it was given"
