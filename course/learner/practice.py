"""Run an answer's examples and exam with the learner's own functions, and observe and judge the calls as in grading."""

from __future__ import annotations

import ast
import json
import linecache
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from math import inf
from traceback import walk_tb
from types import TracebackType
from typing import Any

from course.diagnoses.beliefs import names_with_fixed_meaning
from course.diagnoses.failure import (
    CHANGED,
    CONTRAST_FACET,
    EXAMPLES_FACET,
    GAVE,
    RAISED,
    SLOW,
    ExpectedException,
    Failure,
    InnerCall,
    UnnamedCell,
    kind_remark,
    smallest_wrong_part,
)
from course.exam.alike import as_equal, normalizers_of, plain_numbers, with_close_floats
from course.exam.calls import Call, FacetRequest, Names
from course.exam.observation import decoded_observation
from course.exam.observing import (
    EXAMPLE_FILE_NAME,
    LIMITS_BY_EXCEPTION,
    Observer,
    TimeUp,
    allow_nested_calls,
    call_in_frame,
    exceeded_limit,
    wire_of_module,
)
from course.exam.readable import (
    LIMIT_DESCRIPTIONS,
    arguments_code,
    call_code,
    imports_for,
    one_line,
    outcome_code,
    printable_text,
)
from course.exam.sealed import (
    Seal,
    SealedFacet,
    SealedPaper,
    explaining_mistakes,
    is_placeholder,
    joint_judge_of,
    seal_of_exercise,
)
from course.exam.wire import BUILTIN_ERRORS, Tree, Wire, WireError, text_of, unobserved_parts
from course.kernel.catalogue import StatedExample
from course.kernel.history import cell_label
from course.kernel.limits import limited
from course.learner.answer import Answer
from course.limits import LONGEST_VALUE, SECONDS_PER_CALL, SECONDS_PER_EXAMPLE
from course.syntax import expression_of
from course.values import STUDENT_FUNCTION, strictly_equal

NOT_RIGHT = "that is not right"
# A wrong game may read more lines than the exam has typed.
NEVER_INTENDED_ERRORS = BUILTIN_ERRORS.keys() - {EOFError.__name__}
RESULT_CANNOT_BE_JUDGED = "returned something that cannot be judged"
CALL_NOT_TRIED = "not tried, because earlier calls took too long"
ErrorNote = Mapping[str, Any]  # what is known of an exception, as JSON
PaperByName = Mapping[str, SealedPaper]


@dataclass(frozen=True)
class FacetOutcome:
    """The outcome of one facet: whether all its calls are right, and the first failed call if there is one."""

    name: str
    passed: bool
    calls: int
    failure: Failure | None = None


@dataclass(frozen=True)
class PracticeOutcome:
    """The outcome of an exam: one outcome for each rule, and the rules that only a teacher's autograder can judge.

    `examples` are the visible examples that failed. The examples in `unsure` have other results than the statement, but
    may be right. `is_exact` is true only if all observations are equal to the reference's. An observation that is right
    but different makes `is_exact` false.
    """

    paper: SealedPaper
    facets: tuple[FacetOutcome, ...]
    observations: tuple[tuple[bytes, bytes], ...]
    examples: tuple[Failure, ...]
    unsure: tuple[Failure, ...]
    left: tuple[str, ...] = ()
    is_exact: bool = True

    @property
    def passed(self) -> bool:
        return not self.examples and all(facet.passed for facet in self.facets)


def own_line_in_trace(trace: TracebackType | None, answer: Answer) -> dict[str, Any]:
    """Return the innermost line of an answer, or of its helpers, in the traceback of an exception.

    Lines of other exercises are skipped, because these exercises are already known to be right. If another function
    raised the exception, the key `inside` of the result has the call of that function.
    """
    names, past, exercises = answer.names, answer.space.runs, answer.unit_stated.by_name
    steps = [(frame, frame.f_code.co_filename, line) for frame, line in walk_tb(trace)]
    label = cache(lambda file: cell_label(past, exercises, "".join(linecache.getlines(file))))
    own = [index for index, (frame, _, _) in enumerate(steps) if frame.f_globals is names]
    labels = ((index, label(steps[index][1])) for index in reversed(own))
    inner = (index for index, each in labels if each == answer.name or isinstance(each, UnnamedCell))
    index = next(inner, None)
    if index is None:  # a value made from other functions: none of its lines is running
        return {"inside": InnerCall(*call_in_frame(steps[own[0]][0]))} if own else {}
    _, file, line = steps[index]
    line_data = {"label": label(file), "line": line, "code": linecache.getline(file, line).strip()}
    inner_call = next((frame for frame, _, _ in steps[index + 1 :] if callable(names.get(frame.f_code.co_name))), None)
    return line_data | ({"inside": InnerCall(*call_in_frame(inner_call))} if inner_call else {})


class _Observer(Observer):
    """An observer of the learner's own functions in their kernel.

    It keeps what the visible examples return, and the lines that raised errors, to which its notes refer by number.
    """

    answer: Answer
    values: list[object]
    own_lines: list[ErrorNote]
    is_interrupted = False

    def _run_call(self, call: Call) -> object:
        if call.kind != "example":
            return super()._run_call(call)
        self.values.append(None)
        self.values[-1] = super()._run_call(call)
        return self.values[-1]

    def _exception_note(self, error: BaseException) -> dict[str, object]:
        self.is_interrupted = self.is_interrupted or isinstance(error, KeyboardInterrupt)
        self.own_lines.append(own_line_in_trace(error.__traceback__, self.answer))
        return super()._exception_note(error) | {"own": len(self.own_lines) - 1}


def run_practice_exam(answer: Answer, sealed: PaperByName, seconds: float = SECONDS_PER_CALL) -> PracticeOutcome:
    """Run the exam of an answer, and return the outcome.

    If `sealed` has no exam for the exercise, run only the visible examples. Another exercise can be a tuple whose items
    may be in any order. During the run, its items are in the exam's order.
    """
    paper, names = sealed.get(answer.name), answer.names
    if paper is None:  # the visible examples are judged by their statement, since nothing is sealed
        codes, seconds = [example.call for example in answer.stated.examples], SECONDS_PER_EXAMPLE
        facet = SealedFacet(EXAMPLES_FACET, 0, tuple(Call("example", number) for number in range(len(codes))), b"")
        paper = SealedPaper(any("transcript" in code for code in codes), False, (facet,), name=answer.name)
    order = [*answer.unit_stated.by_name]
    at = order.index(answer.name) + 1  # a function with two names has that of the last exercise before this one
    own = [name for name in (*order[at:], *order[:at]) if name in names]
    orders = {name: each.order for name, each in sealed.items() if each.order and name != paper.name}
    values = {name: names[name] for name in orders if type(names.get(name)) is tuple}
    before = {name: items for name, items in values.items() if len(items) == len(orders[name])}
    try:
        for name, items in before.items():
            ordered = sorted(items, key=repr)
            names[name] = tuple(ordered[position] for position in orders[name])
        practice = _judge_exam(answer, paper, _observe_exam(answer, paper, own, seconds))
    finally:
        names |= before
    is_sure = practice.passed or all(_is_exact_or_wrong(answer, name, sealed) for name in paper.hung_on)
    return practice if is_sure else _outcome_among_others(practice)


def _is_exact_or_wrong(answer: Answer, name: str, sealed: PaperByName) -> bool:
    """Return whether another answer returns exactly what the reference returns, or is certainly wrong."""
    other = replace(answer.other_answer(name), names=answer.names)
    if name in answer.names and other.judging_rules.several:
        return False
    practice = run_practice_exam(other, sealed) if name in answer.names and name in sealed else None
    return practice is None or practice.is_exact or not practice.passed


# Two frames for each rule, the values of the examples, and the lines that raised errors.
ObservedExam = tuple[list[tuple[bytes, bytes]], list[object], list[ErrorNote]]


def _observe_exam(answer: Answer, paper: SealedPaper, exercises: Sequence[str], seconds: float) -> ObservedExam:
    """Make the calls of a paper, and return what was observed. Given names have the unit's own values.

    Random numbers are the same as in grading, and the kernel's state is restored afterwards.
    """
    module, names = import_module(answer.requirements.module), answer.names
    codes = [
        [
            *(compile(line, EXAMPLE_FILE_NAME, "exec") for line in each.setup),
            compile(each.call, EXAMPLE_FILE_NAME, "eval"),
        ]
        for each in answer.stated.examples
    ]
    before, depth, frames = random.getstate(), sys.getrecursionlimit(), list[tuple[bytes, bytes]]()
    try:
        random.seed(0)
        with limited(inf) as watched:
            observer = _Observer(module, lambda each: watched.with_limit(each or inf), seconds)
            observer.answer, observer.values, observer.own_lines = answer, [], []
            missing = [name for name in paper.mentions if name not in names]
            later = {
                name: _undefined_placeholder(name) for name in missing if not answer.unit_stated.by_name[name].is_value
            }
            observer.references = {**later, **names, **{name: getattr(module, name) for name in module.__all__}}
            observer.names |= {id(observer.references[name]): name for name in (*later, *exercises)}
            allow_nested_calls()
            for facet in paper.facets:
                if observer.faults:  # the remaining calls are skipped, because the learner is waiting
                    frames.append((b"[]", b"{}"))
                    continue
                calls: Sequence[Call] = facet.calls
                if facet.name == EXAMPLES_FACET:
                    calls = [call._replace(what=codes[call.what]) if call.kind == "example" else call for call in calls]
                what = paper.prints, paper.shows_args, calls, paper.iterates, facet.changes
                frame, notes = observer.observe_facet(FacetRequest(paper.name, *what))
                frames.append((frame, notes))
                if observer.is_interrupted:
                    raise KeyboardInterrupt
    finally:
        random.setstate(before)
        sys.setrecursionlimit(depth)
    return frames, observer.values, observer.own_lines


def _undefined_placeholder(name: str) -> Callable[..., object]:
    """Return a placeholder for a later exercise: it can be passed on, but not called."""

    def raise_name_error(*args: object, **named: object) -> object:
        raise NameError(f"name {name!r} is not defined")

    return raise_name_error


# ------------------------------------------------------------------------------------------------ outcomes


def _judge_exam(answer: Answer, paper: SealedPaper, observed: ObservedExam) -> PracticeOutcome:
    """Return the outcome of a paper. Visible examples are also compared with the statement, to show each failure."""
    frames, values, own_lines = observed
    judge = _Judge(paper, seal_of_exercise(import_module(answer.requirements.module), paper.name), own_lines)
    facets, contrasted, examples, is_exact = list[FacetOutcome](), list[Failure](), list[Failure](), True
    for facet, (frame, notes) in zip(paper.facets, frames, strict=True):
        trees, data = json.loads(frame), json.loads(notes)
        wrong = judge.first_wrong_call(facet, trees, data) if facet.sealed else None
        if facet.name == EXAMPLES_FACET and (wrong or not facet.sealed):
            tried = answer.stated.examples[: len(trees)]  # those after one that exceeded a limit were not tried
            for number, example in enumerate(tried):
                note = data.get(str(number), {})
                failure = example_failure(
                    answer, example, trees[number], values[number], note, judge.own_line_of_error(note)
                )
                examples += [failure] if failure else []
        is_exact = is_exact and judge.seal.joint(facet.name, trees) == facet.joint
        own = wrong[1] if wrong and wrong[0] < facet.rule_calls else None
        contrasted += [wrong[1]] if wrong and not own else []
        facets.append(FacetOutcome(facet.name, wrong is None, facet.rule_calls, own))
    if calls := sum(facet.contrasts for facet in paper.facets):
        failure = min(contrasted, key=lambda failure: len(failure.call), default=None)
        facets.append(FacetOutcome(CONTRAST_FACET, failure is None, calls, failure))
    unsure = tuple(each for each in examples if each.did == GAVE and answer.judging_rules.several)
    failed = tuple(each for each in examples if each not in unsure)
    return PracticeOutcome(paper, tuple(facets), tuple(frames), failed, unsure, paper.left, is_exact)


def _outcome_among_others(practice: PracticeOutcome) -> PracticeOutcome:
    """Return the outcome of an exam that depends on other answers which are right, but differ from the references.

    Among such answers, a result that differs from the reference's may be right, unless the call exceeded its time or
    raised an unexpected error.
    """
    left = list[str]()
    for facet in practice.facets:
        error = facet.failure.error if facet.failure and facet.failure.did == RAISED else ""
        is_wrong_anyway = facet.failure and (not facet.failure.has_ended or error in NEVER_INTENDED_ERRORS)
        if not facet.passed and not is_wrong_anyway:
            left.append(facet.name)
    remaining = tuple(each for each in practice.facets if each.name not in left)
    return replace(practice, facets=remaining, left=(*practice.left, *left))


def known_mistake(answer: Answer, practice: PracticeOutcome) -> tuple[str, str]:
    """Find a known mistake with the same results as the answer.

    Return the mistake's belief, and the text that corrects the belief. A known mistake fits only if the answer contains
    the code that its belief is about. If several mistakes fit, the one whose results are most similar to the answer's
    results is chosen. If no mistake fits, both texts are empty.
    """
    paper, wanted = practice.paper, answer.requirements
    if practice.passed or is_placeholder(answer.source):
        return "", ""
    failed = [index for index, facet in enumerate(practice.facets[: len(paper.facets)]) if not facet.passed]
    given = names_with_fixed_meaning(import_module(wanted.module), wanted.exercises)
    for index in explaining_mistakes([each.mistake_results for each in paper.mistakes], practice.observations, failed):
        mistake = paper.mistakes[index]
        if mistake.belief_subject.is_in(wanted, given, answer.source):
            return mistake.belief, mistake.truth
    return "", ""


@dataclass(frozen=True)
class _Judge:
    """A judge that decides by digests which calls of an exercise are right."""

    paper: SealedPaper
    seal: Seal
    own_lines: Sequence[ErrorNote]

    def first_wrong_call(self, facet: SealedFacet, trees: list[Tree], data: ErrorNote) -> tuple[int, Failure] | None:
        """Return the index of a facet's first wrong call, and the failure of this call."""
        if facet.judge:
            return self._wrong_values_together(facet, trees, data)
        grids = facet.grids or [()] * len(facet.calls)
        for index, (call, wanted, grid) in enumerate(zip(facet.calls, facet.digests, grids, strict=True)):
            if index >= len(trees):
                return index, Failure(self._call_code(call), words=CALL_NOT_TRIED)
            if self.seal.digest(facet.name, index, call, trees[index], grid) != wanted:
                return index, self._failure(call, trees[index], data.get(str(index), {}))
        return None

    def _wrong_values_together(
        self, facet: SealedFacet, trees: list[Tree], note: ErrorNote
    ) -> tuple[int, Failure] | None:
        """Return the first call of a facet that has no value, or what is wrong with all values together."""
        ended = next((index for index, tree in enumerate(trees) if tree[0] != "ok"), None)
        if ended is not None:
            return ended, self._failure(facet.calls[ended], trees[ended], note.get(str(ended), {}))
        if len(trees) < len(facet.calls):
            return len(trees), Failure(self._call_code(facet.calls[len(trees)]), words=CALL_NOT_TRIED)
        try:
            result = joint_judge_of(self.seal.module.__name__, facet.judge)
            values = tuple(decoded_observation(self.seal.wire, tree) for tree in trees)
            reason = result(values) if result else RESULT_CANNOT_BE_JUDGED
        except Exception:  # a value of an unexpected type may raise anything
            reason = RESULT_CANNOT_BE_JUDGED
        return (0, Failure(words=reason)) if reason else None

    def _call_code(self, call: Call) -> str:
        return "" if call.kind == "example" else call_code(self.seal.wire, self.paper.name, call, self.paper.prints)

    def _failure(self, call: Call, tree: Tree, note: ErrorNote) -> Failure:
        code = self._call_code(call)
        failure = Failure(code, setup=imports_for(self.seal.wire, code), remark=NOT_RIGHT)
        try:
            observed = decoded_observation(self.seal.wire, tree)
        except WireError:
            return replace(failure, words="returned a value of a type that the unit does not use")
        if observed.fault:
            return stopped_failure(replace(failure, remark=""), observed.fault)
        if observed.raised or "story" in note:  # an iterator among the values may have raised, too
            error_text = note.get("story", {})
            data = {"error": error_text.get("raised", observed.raised), "seen": one_line(error_text.get("text", ""))}
            return replace(failure, did=RAISED, **data, **self.own_line_of_error(note))
        result = outcome_code(observed, self.paper.prints)
        failure = replace(failure, did=GAVE, seen=result)
        if not observed.after:
            return failure
        wire, after = self.seal.wire, arguments_code(observed.after)  # of a call that changes its arguments
        if self.paper.changes_arguments:
            remark = NOT_RIGHT if result == "None" else f"the argument and the result {result} are not right together"
            return replace(failure, did=CHANGED, seen=after, remark=remark)
        before = arguments_code([wire.decode(tree) for tree in call.given if wire.is_mutable(tree)])
        return failure if after == before else replace(failure, did=CHANGED, seen=after, wanted=before, remark="")

    def own_line_of_error(self, note: ErrorNote) -> ErrorNote:
        """Return the line of the learner's code that caused an error."""
        return self.own_lines[note["own"]] if "own" in note else {}


# ------------------------------------------------------------------------------------------------ visible examples


def example_failure(
    answer: Answer, example: StatedExample, tree: Tree, value: object, note: ErrorNote, location: ErrorNote
) -> Failure | None:
    """Return the failure of a visible example, or None if its result is right.

    `tree` is the observation, and `value` the returned value. If the call raised an exception, `note` has the class and
    the message, and `location` the line of the learner's cell that raised the exception.
    """
    given = {name: thing for name, thing in vars(import_module(answer.requirements.module)).items() if name[:1] != "_"}
    expected = ExpectedException(example.raises) if example.raises else repr(eval(example.want, dict(given)))
    failure = Failure(example.call, setup=example.setup, wanted=expected)
    if tree[0] == "fault":
        return stopped_failure(failure, tree[1])
    if tree[0] == "raised":
        error = note.get("story", {})
        kind, text = error.get("raised", tree[1]), error.get("text", "")
        is_right = example.raises in (f"{kind}: {text}".removesuffix(": "), kind)
        return None if is_right else replace(failure, did=RAISED, error=kind, seen=one_line(text), **location)
    try:
        with limited():
            observed = _value_with_repr(value, wire_of_module(import_module(answer.requirements.module)))
    except tuple(LIMITS_BY_EXCEPTION) as fault:
        return stopped_failure(failure, exceeded_limit(fault))
    if example.raises:
        return replace(failure, did=GAVE, seen=code_or_description(observed, given))
    wanted = eval(example.want, dict(given))
    observed = _expected_if_close(answer, wanted, observed)
    if strictly_equal(observed, wanted):
        return None
    if wanted is True and (sides := _sides_of_comparison(example, {**answer.names, **given})):
        return replace(failure, did=GAVE, call=sides[0], seen=code_or_description(sides[2], given), wanted=sides[1])
    call, want, got = smallest_wrong_part(failure.call, wanted, observed)
    result = code_or_description(got, given)
    expected = code_or_description(want, given)
    return replace(failure, did=GAVE, call=call, seen=result, wanted=expected, remark=kind_remark(want, got))


def stopped_failure(failure: Failure, limit: str) -> Failure:
    """Return the failure of a call that exceeded a limit. `limit` is the name of the limit."""
    return replace(failure, did=SLOW) if limit == "time" else replace(failure, words=LIMIT_DESCRIPTIONS[limit])


def _value_with_repr(value: object, wire: Wire) -> object:
    """Return a value, or a substitute if its `repr` raises. Raises TooLargeValue if the value is too large to show."""
    tree = wire.encode(value)
    try:
        repr(value)
    except Exception:
        return wire.decode(tree)
    return value


def _expected_if_close(answer: Answer, wanted: object, observed: object) -> object:
    """Return the expected value if the actual one is equal or close enough; else the actual value.

    Floats of the actual value that are close enough are replaced by the expected floats.
    """
    module, tolerance = answer.requirements.module, answer.judging_rules.tolerance
    is_equality = normalizers_of(module).get(answer.name) is as_equal
    if is_equality and strictly_equal(plain_numbers(wanted), plain_numbers(observed)):
        return wanted
    wire = wire_of_module(import_module(module))
    trees = wire.encode(wanted), wire.encode(observed)
    if any(True for tree in trees for _ in unobserved_parts(tree)):
        return observed
    tree = with_close_floats(*trees, tolerance) if tolerance else trees[1]
    if text_of(tree) == text_of(trees[0]):
        return wanted
    return wire.decode(tree) if tolerance else observed


def _sides_of_comparison(example: StatedExample, scratch: Names) -> tuple[str, str, object] | None:
    """Return the code of both sides of a comparison such as `winner(()) is None`, and the value of its left side.

    For other code, return None.
    """
    match expression_of(example.call):
        case ast.Compare(left=left, ops=[ast.Is() | ast.Eq()], comparators=[right]) if not any(
            isinstance(each, ast.Call) for each in ast.walk(right)
        ):
            try:
                with limited():
                    for line in example.setup:
                        exec(line, scratch)
                    return ast.unparse(left), ast.unparse(right), eval(ast.unparse(left), scratch)
            except (Exception, TimeUp):
                return None
    return None


def code_or_description(value: object, given: Names) -> str:
    """Return a value as code, or a description of the value if it cannot be written as code."""
    if callable(value) and (name := next((name for name, thing in given.items() if thing is value), "")):
        return name
    text = repr(value)
    if type(value).__name__ in ("generator", "coroutine", "map", "filter", "zip", "reversed", "Recur"):
        return f"<{type(value).__name__} object>"
    return STUDENT_FUNCTION if " at 0x" in text and callable(value) else printable_text(text, LONGEST_VALUE)
