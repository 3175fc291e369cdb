"""Two readers of questions about code: one runs the code without hooks, the other one has not seen the code."""

from __future__ import annotations

import ast
import io
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from types import FrameType
from typing import Any, NamedTuple

from course import effects
from course.exam.readable import value_code
from course.viva import CallTrace, CodeQuestion, Program, QuestionKind, branch_nodes, program_in, traces_of

OWN = "<the answer without hooks>"


class Step(NamedTuple):
    """An event that Python's own tracing reports: a call or a line, in a function, with the parameters of a call."""

    event: str
    function: str
    line: int
    names: dict[str, str]


def steps_of(question: CodeQuestion, names: dict[str, object], call: str) -> list[Step]:
    """Return what Python reports when a call of the answer runs."""
    scope, steps = dict(names), list[Step]()
    exec(compile(question.code, OWN, "exec", dont_inherit=True), scope)

    def follow(frame: FrameType, event: str, _: object) -> Any:
        if frame.f_code.co_filename != OWN:
            return None
        values = {name: value_code(value) for name, value in frame.f_locals.items()} if event == "call" else {}
        steps.append(Step(event, frame.f_code.co_name, frame.f_lineno, values))
        return follow

    before = sys.gettrace()
    with effects.scripted((), 1, io.StringIO()):
        sys.settrace(follow)
        with suppress(Exception):
            eval(call, scope)
        sys.settrace(before)
    return steps


def right_choices(question: CodeQuestion, names: dict[str, object]) -> set[int] | None:
    """Return the indexes of the right choices as Python itself runs the code; None if lines do not show them."""
    runs = [steps_of(question, names, call) for call in question.calls]
    lines = [[step.line for step in run if step.event == "line"] for run in runs]
    if question.kind is QuestionKind.LINE:
        runs_in_call = "never" not in question.text
        return {n for n, each in enumerate(question.choices) if (int(each[5:]) in lines[0]) is runs_in_call}
    if function := re.search(r"(?:times is|in call \d+ of) `(\w+)`", question.text):
        calls = [step.names for step in runs[0] if step.event == "call" and step.function == function[1]]
        return _among(question, _counted_or_held(question, calls))
    if question.kind in (QuestionKind.INPUT, QuestionKind.BRANCH, QuestionKind.COUNT) and "loop" not in question.text:
        return _chosen_by_branches(question, [branches_of(question, names, call) for call in question.calls])
    return None


def branches_of(question: CodeQuestion, names: dict[str, object], call: str) -> list[str]:
    """Return the labels of the branches that a call takes, in order: each branch first notes its label."""
    program = program_in(question.code, question.exercise)
    assert program is not None
    tree, labels, taken = deepcopy(program.tree), program.branch_labels, list[str]()
    for number, (owner, part) in enumerate([*branch_nodes(tree)]):
        note = ast.parse(f"__note__({labels.get(number, '')!r})", mode="eval").body
        inner = getattr(owner, part)
        pair = ast.Subscript(ast.Tuple([note, inner], ast.Load()), ast.Constant(1), ast.Load())
        setattr(owner, part, [ast.Expr(note), *inner] if isinstance(inner, list) else pair)
    scope = {**names, "__note__": taken.append}
    exec(compile(ast.fix_missing_locations(tree), OWN, "exec", dont_inherit=True), scope)
    with effects.scripted((), 1, io.StringIO()), suppress(Exception):
        eval(call, scope)
    return taken


def _chosen_by_branches(question: CodeQuestion, taken: list[list[str]]) -> set[int]:
    """Return the right choices of a question about branches, by the branches that each of its calls takes."""
    label = re.sub(r".* takes? (.*)\?$", r"\1", question.text)
    if question.kind is QuestionKind.INPUT:
        takes = "never" not in question.text
        return {n for n, each in enumerate(taken) if (label in each) is takes}
    first = "; ".join(each[0] for each in taken if each)
    return _among(question, first if question.kind is QuestionKind.BRANCH else str(taken[0].count(label)))


def _counted_or_held(question: CodeQuestion, calls: list[dict[str, str]]) -> str:
    if held := re.search(r"value of `(\w+)` in call (\d+)", question.text):
        return calls[int(held[2]) - 1][held[1]]
    return str(len(calls))


def _among(question: CodeQuestion, result: str) -> set[int]:
    return {n for n, choice in enumerate(question.choices) if choice == result}


# ------------------------------------------------------------------------------------------------ without the code


def share_of_luck(question: CodeQuestion, other: str, names: dict[str, object]) -> float:
    """Return how probably someone chooses right who knows another right answer, but not the one in question.

    They take every choice for possible that the other answer's run points out, and draw one of these.
    """
    program = program_in(other, question.exercise)
    traces = tuple(filter(None, traces_of(program, question.calls, names))) if program else ()
    if program is None or len(traces) < len(question.calls):
        return 1 / len(question.choices)
    possible = {*_pointed_out(question, program, traces)} or {*range(len(question.choices))}
    return (question.right in possible) / len(possible)


def _pointed_out(question: CodeQuestion, program: Program, traces: tuple[CallTrace, ...]) -> Iterator[int]:
    match question.kind:
        case QuestionKind.INPUT:
            marks = [[number in trace.arms for trace in traces] for number in program.branch_labels]
            outcomes = {trace.outcome for trace in traces}
            yield from _odd_ones([*marks, *([trace.outcome == each for trace in traces] for each in outcomes)])
        case QuestionKind.BRANCH:
            alike = len({trace.arms[:1] for trace in traces}) == 1
            yield from (n for n, each in enumerate(question.choices) if (len({*each.split("; ")}) == 1) is alike)
        case QuestionKind.LINE:
            wanted = "never" not in question.text
            yield from (n for n, each in enumerate(question.choices) if (int(each[5:]) in traces[0].lines) is wanted)
        case QuestionKind.COUNT | QuestionKind.VALUE:
            values = {*_numbers(program, traces[0]), *_held(question, traces[0])}
            yield from (n for n, each in enumerate(question.choices) if each in values)


def _odd_ones(groups: list[list[bool]]) -> Iterator[int]:
    """Yield the indexes of the only True, or the only False, in each group."""
    for group in groups:
        yield from (group.index(mark) for mark in (True, False) if group.count(mark) == 1)


def _numbers(program: Program, trace: CallTrace) -> Iterator[str]:
    yield from (str(sum(number == each.number for number, _ in trace.entered)) for each in program.repeated_code)
    yield from (str(trace.arms.count(number)) for number in program.branch_labels)


def _held(question: CodeQuestion, trace: CallTrace) -> Iterator[str]:
    moment = re.search(r"(?:call|round) (\d+) ", question.text)
    for number in {each for each, _ in trace.entered} if moment else ():
        entered = [values for each, values in trace.entered if each == number]
        yield from entered[int(moment[1]) - 1].values() if moment and int(moment[1]) <= len(entered) else ()
