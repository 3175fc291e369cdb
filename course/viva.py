"""Questions about an answer's own code: which branch or line runs, and what value a name has.

The answer becomes a program with hooks, which report its lines, branches and values. It runs within limits, on calls
that are known here, to find the right choices.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Sized
from copy import deepcopy
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from importlib import import_module
from itertools import chain, groupby, islice, zip_longest
from math import inf
from random import Random
from types import CodeType, FunctionType
from typing import TypeVar

from course import effects
from course.exam.calls import Call, Names
from course.exam.observing import PrintedByCall, wire_of_module
from course.exam.readable import call_code, value_code
from course.kernel import catalogue
from course.kernel.limits import limited
from course.limits import MOST_LIMITED_CALLS, MOST_ORAL_CHECK_CALLS, MOST_RUN_TICKS, SECONDS_FOR_EXTRAS
from course.syntax import PARSING_ERRORS, bound_names, expression_of, lines_of, node_code, tree_of

HOOK_NAME = "__foldem_viva__"
FunctionNode = ast.FunctionDef | ast.Lambda
LoopNode = ast.For | ast.While
BLOCK_FIELDS = "body", "orelse", "finalbody"


@dataclass(frozen=True)
class RepeatedCode:
    """A recursive function or a loop: its number, its name, and the names whose values questions may ask for."""

    number: int
    name: str
    line: int
    names: tuple[str, ...]
    is_loop: bool


@dataclass(frozen=True)
class Program:
    """The definitions of an answer, as a syntax tree without hooks."""

    tree: ast.Module

    @cached_property
    def branch_labels(self) -> dict[int, str]:
        """Return a dict that maps the numbers of branches to their labels, in source order.

        Unclear labels are left out. A label is unclear if several branches have it, or if the branch is the value of
        another conditional expression.
        """
        nodes = [*branch_nodes(self.tree)]
        labels = [_branch_label(owner, part) for owner, part in nodes]
        is_clear = [not isinstance(getattr(owner, part), ast.IfExp) for owner, part in nodes]
        return {at: label for at, label in enumerate(labels) if is_clear[at] and labels.count(label) == 1}

    @cached_property
    def repeated_code(self) -> tuple[RepeatedCode, ...]:
        """Return the recursive functions, and the loops in functions.

        If several functions have the same name, they are left out.
        """
        results = []
        nodes = function_and_loop_nodes(self.tree)
        times = Counter(node.name for node in nodes if isinstance(node, ast.FunctionDef))
        for number, node in enumerate(nodes):
            match node:
                case ast.FunctionDef(name=name, args=args) if times[name] == 1:
                    calls = {each.id for part in node.body for each in ast.walk(part) if isinstance(each, ast.Name)}
                    names = tuple(each.arg for each in (*args.posonlyargs, *args.args, *args.kwonlyargs))
                    if calls & {name, "recur"}:
                        results.append(RepeatedCode(number, name, node.lineno, names, False))
                case ast.For() | ast.While():
                    in_loop = (each for each in ast.walk(node) if isinstance(each, ast.Name))
                    stored = (each.id for each in in_loop if isinstance(each.ctx, ast.Store))
                    results.append(RepeatedCode(number, "", node.lineno, tuple(dict.fromkeys(stored)), True))
        return tuple(results)

    @property
    def has_branches_or_loops(self) -> bool:
        """Return whether the program has a branch, a recursion or a loop."""
        return bool(self.branch_labels or self.repeated_code)

    @cached_property
    def hooked_code(self) -> CodeType:
        """Return the compiled program, with hooks.

        Raises one of the exceptions in PARSING_ERRORS if Python cannot compile the program.
        """
        tree = deepcopy(self.tree)
        arms, repeating = [*branch_nodes(tree)], function_and_loop_nodes(tree)
        for node in ast.walk(tree):
            for part in BLOCK_FIELDS if not isinstance(node, ast.Module | ast.ClassDef) else ():
                if isinstance(block := getattr(node, part, None), list):
                    setattr(node, part, [each for statement in block for each in _hook_and_statement(statement)])
        for number, (owner, part) in enumerate(arms):
            _insert_hook(owner, part, _hook_call(f"report_branch({number})"))
        for number, node in enumerate(repeating):
            _insert_hook(node, "body", _hook_call(f"report_entry({number}, locals())"))
        return compile(ast.fix_missing_locations(tree), "<viva>", "exec")


def program_in(source: str, name: str) -> Program | None:
    """Return the program that a cell defines, without statements that only compute or show something.

    Return None if the cell does not parse or is nested too deeply. Hooks are put into a copy of the syntax tree, and
    Python cannot copy a tree that is nested too deeply.
    """
    body = []
    try:
        for statement in tree_of(source).body:
            is_value = isinstance(statement, ast.Assign | ast.AnnAssign)
            has_lambda = is_value and any(isinstance(node, ast.Lambda) for node in ast.walk(statement))
            if isinstance(statement, ast.FunctionDef) or has_lambda or (is_value and name in bound_names(statement)):
                body.append(statement)
        tree = deepcopy(ast.Module(body, []))
    except PARSING_ERRORS:
        return None
    return Program(tree)


def _hook_call(code: str) -> ast.expr:
    return ast.parse(f"{HOOK_NAME}.{code}", mode="eval").body


def _hook_and_statement(statement: ast.stmt) -> list[ast.stmt]:
    """Return a statement after a hook that reports its line. A text has none."""
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return [statement] if is_text else [ast.Expr(_hook_call(f"report_line({statement.lineno})")), statement]


def _insert_hook(owner: ast.AST, part: str, hook: ast.expr) -> None:
    """Put a hook in front of a block or an expression. A hook returns True."""
    inner = getattr(owner, part)
    if isinstance(inner, list):
        inner.insert(0, ast.Expr(hook))
    else:
        setattr(owner, part, ast.BoolOp(ast.And(), [hook, inner]))


# ------------------------------------------------------------------------------------------------ parts of the tree


def branch_nodes(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Yield the branches of a syntax tree in source order, each as a node and the name of one of its fields."""
    for node in _nodes_in_order(tree):
        match node:
            case ast.Match(cases=[_, _, *_]):
                yield from ((case, "body") for case in node.cases)
            case ast.If(orelse=[ast.If() as other]) if other.col_offset == node.col_offset:  # an `elif` follows
                yield node, "body"
            case ast.If() | ast.IfExp():
                yield node, "body"
                yield node, "orelse"


def function_and_loop_nodes(tree: ast.AST) -> list[FunctionNode | LoopNode]:
    """Return the functions and loops of a tree, in the order of the source."""
    return [node for node in _nodes_in_order(tree) if isinstance(node, FunctionNode | LoopNode)]


def _nodes_in_order(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        yield node
        yield from _nodes_in_order(node)


def _branch_label(owner: ast.AST, part: str) -> str:
    """Return the name of a branch in questions."""
    match owner:
        case ast.If(lineno=line, orelse=[]) if part == "orelse":
            return f"the path where the condition on line {line} is false"
        case ast.IfExp():
            where = "before `if`" if part == "body" else "after `else`"
            return f"the value {where} on line {getattr(owner, part).lineno}"
    return f"the branch that begins on line {getattr(owner, part)[0].lineno}"


# ------------------------------------------------------------------------------------------------ runs

ITEMS_SHOWN, SHORT_VALUE_ROOM, OUTCOME_ROOM = 12, 100, 5_000
MASKED_ADDRESS = "0x…"


class TooManySteps(BaseException):
    """Raised when the hooks have reported too many steps of a run.

    A learner's `except Exception` does not catch this exception, because it is a BaseException.
    """


class OverLimit(Exception):
    """Raised for a call that takes too many steps, too much time or too much memory."""


# The start of a function's body or of a loop's round: its number, and the values of its names, as code.
BlockEntry = tuple[int, dict[str, str]]


@dataclass(frozen=True)
class CallTrace:
    """The record of a run: the lines, branches, calls and rounds of loops that ran, and the outcome as text."""

    lines: tuple[int, ...]
    arms: tuple[int, ...]
    entered: tuple[BlockEntry, ...]
    outcome: str


class HookRecorder:
    """An object with the methods that the hooks in a program call.

    Each method returns True, so that `hook and value` is the value.
    """

    def __init__(self, program: Program) -> None:
        self.names = {each.number: each.names for each in program.repeated_code}
        self.lines: list[int] = []
        self.arms: list[int] = []
        self.entered: list[BlockEntry] = []

    def report_line(self, number: int) -> bool:
        """Report that the statement on a line runs."""
        self.lines.append(number)
        return self._count_step()

    def report_branch(self, number: int) -> bool:
        """Report that a branch was taken."""
        self.arms.append(number)
        return self._count_step()

    def report_entry(self, number: int, names: Names) -> bool:
        """Report that a function's body begins, or that a round of a loop begins."""
        wanted = self.names.get(number, ())
        self.entered.append((number, {name: _short_value_code(names[name]) for name in wanted if name in names}))
        return self._count_step()

    def _count_step(self) -> bool:
        if len(self.lines) + len(self.arms) + len(self.entered) > MOST_RUN_TICKS:
            raise TooManySteps
        return True


def _short_value_code(value: object) -> str:
    """Return a short value as code; "" for any other value, and for functions."""
    try:
        text = "" if callable(value) or (isinstance(value, Sized) and len(value) > ITEMS_SHOWN) else value_code(value)
    except Exception:  # a learner's own class may have a `__repr__` that fails
        return ""
    return "" if len(text) > SHORT_VALUE_ROOM or MASKED_ADDRESS in text or " at " in text else text


def traces_of(program: Program, calls: Sequence[str], names: Names) -> tuple[CallTrace | None, ...]:
    """Make each call, and return a record of each run, or None if the run is unsuitable for questions.

    After MOST_LIMITED_CALLS calls that exceed a limit, the remaining calls are not made. During the calls, `names` has
    the program's functions with hooks, so that other functions call the functions with hooks.
    """
    try:
        program.hooked_code  # noqa: B018
    except PARSING_ERRORS:
        return (None,) * len(calls)
    before, limits, traces = dict(names), 0, list[CallTrace | None]()
    try:
        with limited(inf) as watched:
            for call in calls:
                trace = None
                try:
                    if limits < MOST_LIMITED_CALLS:
                        trace = _trace_of_run(program, call, names, watched, 1)
                    if trace and trace != _trace_of_run(program, call, names, watched, 2):  # it depends on chance
                        trace = None
                except OverLimit:
                    limits, trace = limits + 1, None
                traces.append(trace)
    finally:
        names.update(before)
        for name in names.keys() - before.keys():
            del names[name]
    return tuple(traces)


def _trace_of_run(program: Program, call: str, names: Names, watched: limited, chance: int) -> CallTrace | None:
    """Return the trace of a run, or None if it is unsuitable for questions. Raises OverLimit if it takes too long."""
    hook = names[HOOK_NAME] = HookRecorder(program)
    try:
        with effects.scripted((), chance, PrintedByCall()), watched.with_limit(SECONDS_FOR_EXTRAS):
            exec(program.hooked_code, names)
            value = eval(call, dict(names))
            outcome = value.__name__ if isinstance(value, FunctionType) else value_code(value)
    except KeyboardInterrupt:
        raise
    except (NameError, NotImplementedError):
        return None
    except (MemoryError, RecursionError):  # they depend on the machine, and on who makes the call
        raise OverLimit from None
    except Exception as error:
        outcome = type(error).__name__
    except BaseException:  # a limit, or an answer that calls `exit`
        raise OverLimit from None
    is_plain = len(outcome) <= OUTCOME_ROOM and MASKED_ADDRESS not in outcome and not outcome.startswith("<")
    return CallTrace(tuple(hook.lines), tuple(hook.arms), tuple(hook.entered), outcome) if is_plain else None


# ------------------------------------------------------------------------------------------------ kinds of questions

CHOICES, CALL_ROOM, CHOICE_ROOM, CALL_WIDTH = 4, 900, 100, 100
LEAST_QUESTIONS, LEAST_QUESTION_KINDS = 4, 2
CALLS_CHOSEN, QUESTIONS_PER_KIND, LINES_SHOWN = 36, 4, 12
T = TypeVar("T")


class QuestionKind(StrEnum):
    """The kinds of questions about the code of an answer."""

    BRANCH = "branch"  # the branch that a call takes first
    LINE = "line"  # the line that runs in a call, or doesn't
    INPUT = "input"  # the call that takes a branch, or doesn't
    VALUE = "value"  # what a name holds at the n-th call or round
    COUNT = "count"  # how many calls or rounds there are


@dataclass(frozen=True)
class CodeQuestion:
    """A question about the code of an answer. Only the choice with the index `right` is right.

    `code` is the cell that defines the answer, and `calls` are the calls that the question is about.
    """

    kind: QuestionKind
    text: str
    calls: tuple[str, ...]
    choices: tuple[str, ...]
    right: int
    why: str
    code: str = ""
    unit: str = ""
    exercise: str = ""

    @property
    def shown_calls(self) -> str:
        """Return the calls as code, with numbers if there are several calls; "" if the choices already show the calls.

        A long call has one argument on each line.
        """
        if self.choices == self.calls:
            return ""
        calls = []
        for call in self.calls:
            match expression_of(call):
                case ast.Call(func=function, args=args, keywords=keywords) if len(call) > CALL_WIDTH:
                    lines = (f"    {node_code(each)}," for each in (*args, *keywords))
                    calls.append("\n".join((f"{node_code(function)}(", *lines, ")")))
                case _:
                    calls.append(call)
        return calls[0] if len(calls) == 1 else "\n".join(f"# call {n}\n{call}" for n, call in enumerate(calls, 1))


def with_line_numbers(code: str) -> str:
    """Return code with line numbers."""
    return "\n".join(f"{number:>3}  {line}".rstrip() for number, line in enumerate(lines_of(code.rstrip()), 1))


def known_calls_of(unit: str, name: str) -> tuple[str, ...]:
    """Return the code of the calls in an exercise's visible examples and in its exam, if there is an exam."""
    stated, full, exam = catalogue.statements(unit), catalogue.examiner(), catalogue.sealed_exam_of(unit)
    shown = tuple(each.call for each in stated.by_name[name].examples if not each.setup)
    if name in exam.papers:
        paper = exam.papers[name]
        calls = (call for facet in paper.facets for call in facet.calls)
        return (*shown, *codes_of_calls(stated.module, name, calls, paper.prints))
    return (*shown, *(full.practice_calls(unit, name) if catalogue.has_full_exams() else ()))


def codes_of_calls(module: str, name: str, calls: Iterable[Call], prints: bool) -> tuple[str, ...]:
    """Return the calls of an exam as code, without visible examples.

    The seeds of random numbers are left out, because nobody can predict results from a seed. The result may
    contain calls that use random numbers: `traces_of` drops them after it has run them.
    """
    wire = wire_of_module(import_module(module))
    unseeded = (call._replace(chance=None) if isinstance(call.chance, int) else call for call in calls)
    given = [call for call in unseeded if call.kind == "args"]
    return tuple(call_code(wire, name, call, prints) for call in given[:: 1 + len(given) // MOST_ORAL_CHECK_CALLS])


# ------------------------------------------------------------------------------------------------ questions


@dataclass(frozen=True)
class TracedProgram:
    """A program, and calls of its functions, each with the record of its run. `rng` chooses questions at random."""

    program: Program
    traces: dict[str, CallTrace]
    rng: Random
    alike: bool = False  # whether wrong calls may take the same branches; only if there are too few others

    def shuffled_items(self, items: Iterable[T]) -> list[T]:
        """Return these items in a random order."""
        drawn = list(items)
        self.rng.shuffle(drawn)
        return drawn

    @property
    def shuffled_calls(self) -> list[tuple[str, CallTrace]]:
        """Return the calls with their traces, in a random order."""
        return self.shuffled_items(self.traces.items())


def questions_about(
    source: str, name: str, names: Names, calls: Iterable[str], seed: str, unit: str = ""
) -> tuple[CodeQuestion, ...]:
    """Return questions about the code of the answer `name`: first one question of each kind, then more questions.

    `source` is the cell that defines the answer, and `names` is the namespace in which this cell runs. `calls` are
    calls of the answer, written as code. The `seed` decides which questions are chosen. If the answer has no branch, no
    recursion and no loop, there are no questions.
    """
    program = program_in(source, name)
    if program is None or not program.has_branches_or_loops:
        return ()
    rng = Random(f"{seed} {name} {source}")
    short = [call for call in dict.fromkeys(calls) if len(call) <= CALL_ROOM]
    attempts = zip(short, traces_of(program, short, names), strict=True)
    able = {call: attempt for call, attempt in attempts if attempt is not None}
    varied = _alternated_by_key(sorted(able, key=len), lambda call: frozenset(able[call].arms))
    runs = TracedProgram(program, {call: able[call] for call in varied[:CALLS_CHOSEN]}, rng)
    made = _questions_in_turn(runs)
    if len(made) < LEAST_QUESTIONS or len({each.kind for each in made}) < LEAST_QUESTION_KINDS:
        made = list(dict.fromkeys((*made, *_questions_in_turn(replace(runs, alike=True)))))
    return tuple(replace(each, code=source, unit=unit, exercise=name) for each in made)


def _questions_in_turn(runs: TracedProgram) -> list[CodeQuestion]:
    """Return questions: first one of each kind, then the second of each, and so on."""
    by_kind = [islice(make(runs), QUESTIONS_PER_KIND) for make in runs.shuffled_items(QUESTION_MAKERS)]
    return [each for each in chain.from_iterable(zip_longest(*by_kind)) if each]


def question_data(
    source: str, name: str, names: Names, calls: Iterable[str], seed: str, most: int
) -> tuple[tuple[object, ...], ...]:
    """Return the first `most` questions about an answer as data that a sandbox can send."""
    made = questions_about(source, name, names, calls, seed)[:most]
    return tuple((str(each.kind), each.text, each.calls, each.choices, each.right, each.why) for each in made)


def has_branches_or_loops(source: str, name: str) -> bool:
    """Return whether an answer has a branch, a recursion or a loop."""
    program = program_in(source, name)
    return program is not None and program.has_branches_or_loops


def _question(
    runs: TracedProgram,
    kind: QuestionKind,
    text: str,
    calls: tuple[str, ...],
    right: str,
    wrong: Iterable[str],
    why: str,
) -> Iterator[CodeQuestion]:
    """Yield the question if there are enough wrong choices, all different from the right one."""
    others = [each for each in dict.fromkeys(wrong) if each != right and len(each) <= CHOICE_ROOM]
    if len(others) >= CHOICES - 1 and len(right) <= CHOICE_ROOM:
        choices = runs.shuffled_items((right, *others[: CHOICES - 1]))
        yield CodeQuestion(kind, text, calls, tuple(choices), choices.index(right), why)


def _which_call_question(
    runs: TracedProgram, text: str, right: Collection[str], why: Mapping[str, str]
) -> Iterator[CodeQuestion]:
    """Yield a question that asks which of four calls is the right choice.

    The wrong calls take different branches. If they were similar, the right call would stand out even without the code.
    """
    calls = runs.shuffled_items(runs.traces)
    chosen = next((call for call in calls if call in right), None)
    others = [call for call in calls if call not in right]
    varied = {frozenset(runs.traces[call].arms): call for call in others}.values()
    wrong = [*(_alternated_by_key(others, lambda call: runs.traces[call].arms) if runs.alike else varied)][
        : CHOICES - 1
    ]
    if chosen is None or len(wrong) < CHOICES - 1:
        return
    drawn = runs.shuffled_items((chosen, *wrong))
    is_short = all(len(call) <= CHOICE_ROOM for call in drawn)
    choices = drawn if is_short else [f"call {number}" for number in range(1, CHOICES + 1)]
    yield CodeQuestion(QuestionKind.INPUT, text, tuple(drawn), tuple(choices), drawn.index(chosen), why[chosen])


def _alternated_by_key(items: Iterable[str], key: Callable[[str], object]) -> list[str]:
    """Return the items in another order: first one of each key, then the second of each, and so on."""
    groups: dict[object, list[str]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return [item for row in zip_longest(*groups.values()) for item in row if item is not None]


def _lines_run_text(trace: CallTrace) -> str:
    """Return in words which lines ran."""
    lines = [str(line) for line, _ in groupby(trace.lines)]
    return (
        f"These lines run, in this order: {', '.join(lines[:LINES_SHOWN])}{', …' if len(lines) > LINES_SHOWN else '.'}"
    )


# ------------------------------------------------------------------------------------------------ branches


def _branch_questions(runs: TracedProgram) -> Iterator[CodeQuestion]:
    """Yield questions on the first branch that each of two calls takes."""
    labels = runs.program.branch_labels
    first = {
        call: labels[trace.arms[0]] for call, trace in runs.shuffled_calls if trace.arms and trace.arms[0] in labels
    }
    pairs = [(one, other) for one in first.values() for other in first.values()]
    for one, other in zip([*first][::2], [*first][1::2], strict=False):
        text = "Which branch does each of these calls take first?"
        why = f"First call: {_lines_run_text(runs.traces[one])} Second call: {_lines_run_text(runs.traces[other])}"
        right = first[one], first[other]
        wrong = sorted(runs.shuffled_items(pairs), key=lambda pair: len({*pair}) != len({*right}))
        yield from _question(
            runs, QuestionKind.BRANCH, text, (one, other), "; ".join(right), map("; ".join, wrong), why
        )


def _line_questions(runs: TracedProgram) -> Iterator[CodeQuestion]:
    """Yield questions on the only one of four lines that runs in a call, or the only one that doesn't."""
    every = {line for trace in runs.traces.values() for line in trace.lines}
    for call, trace in runs.shuffled_calls:
        run, others = sorted({*trace.lines}), sorted(every - {*trace.lines})
        running, missed = "Which of these lines runs in this call?", "Which of these lines never runs in this call?"
        for text, right, wrong in runs.shuffled_items(((running, run, others), (missed, others, run))):
            chosen = [f"line {line}" for line in runs.shuffled_items(right)[:1]]
            choices = [f"line {line}" for line in runs.shuffled_items(wrong)]
            for each in chosen:
                yield from _question(runs, QuestionKind.LINE, text, (call,), each, choices, _lines_run_text(trace))


def _input_questions(runs: TracedProgram) -> Iterator[CodeQuestion]:
    """Yield questions on the only one of four calls that takes a branch, or the only one that doesn't."""
    why = {call: _lines_run_text(trace) for call, trace in runs.traces.items()}
    for number, branch in runs.shuffled_items(runs.program.branch_labels.items()):
        takers = {call for call, trace in runs.traces.items() if number in trace.arms}
        for is_taken, right in runs.shuffled_items(((True, takers), (False, runs.traces.keys() - takers))):
            text = f"Which of these calls {'takes' if is_taken else 'never takes'} {branch}?"
            yield from _which_call_question(runs, text, right, why)


# ------------------------------------------------------------------------------------------------ repetition


def _value_questions(runs: TracedProgram) -> Iterator[CodeQuestion]:
    """Yield questions on the value of a name at a later call of a function, or a later round of a loop."""
    for call, trace in runs.shuffled_calls:
        for each in runs.shuffled_items(runs.program.repeated_code):
            for name in runs.shuffled_items(each.names)[:1]:
                values = _values_of_name(each, name, trace)
                later = [nth for nth, value in enumerate(values) if nth and value]
                if len(set(values)) < 2 or not later:
                    continue
                nth = runs.rng.choice(later)
                elsewhere = [
                    value for other in runs.traces.values() for value in _values_of_name(each, name, other) if value
                ]
                in_loop = f"at the start of round {nth + 1} of the loop on line {each.line}"
                moment = in_loop if each.is_loop else f"in call {nth + 1} of `{each.name}`"
                text = f"What is the value of `{name}` {moment}?"
                why = f"The values of `{name}`, in order: {', '.join(values[:LINES_SHOWN])}"
                wrong = (*runs.shuffled_items(filter(None, values)), *runs.shuffled_items(elsewhere))
                yield from _question(runs, QuestionKind.VALUE, text, (call,), values[nth], wrong, why)


def _values_of_name(each: RepeatedCode, name: str, trace: CallTrace) -> list[str]:
    """Return the values of a name at each call or round, as code; "" for a value that is not short."""
    return [values.get(name, "") for number, values in trace.entered if number == each.number]


def _count_questions(runs: TracedProgram) -> Iterator[CodeQuestion]:
    """Yield questions on how often a call takes a branch, calls a recursive function, or goes through a loop."""
    for call, trace in runs.shuffled_calls:
        for text, count in runs.shuffled_items(_count_texts(runs.program, trace)):
            if count > 1:
                wrong = runs.shuffled_items(map(str, range(max(0, count - 2), count + 3)))
                why = _lines_run_text(trace)
                yield from _question(runs, QuestionKind.COUNT, text, (call,), str(count), wrong, why)
                break


def _count_texts(program: Program, trace: CallTrace) -> Iterator[tuple[str, int]]:
    """Yield questions that ask for a number of rounds, calls or branches in a run, each with the number."""
    for each in program.repeated_code:
        loop = f"How many rounds does the loop on line {each.line} make, in all?"
        text = loop if each.is_loop else f"How many times is `{each.name}` called, in all?"
        yield text, sum(number == each.number for number, _ in trace.entered)
    for number, branch in program.branch_labels.items():
        yield f"How many times does this call take {branch}?", trace.arms.count(number)


QUESTION_MAKERS = _branch_questions, _line_questions, _input_questions, _value_questions, _count_questions
