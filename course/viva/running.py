"""An answer as a program with hooks, which report its lines, branches and values. It runs within limits."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence, Sized
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from math import inf
from types import CodeType, FunctionType

from course import effects
from course.exam.calls import Names
from course.exam.observing import PrintedByCall
from course.exam.readable import value_code
from course.kernel.limits import limited
from course.limits import MOST_LIMITED_CALLS, MOST_TICKS, SECONDS_FOR_EXTRAS
from course.syntax import UNPARSED, bound_names, tree_of

HOOK = "__foldem_viva__"
FunctionNode = ast.FunctionDef | ast.Lambda
LoopNode = ast.For | ast.While
BLOCKS = "body", "orelse", "finalbody"


@dataclass(frozen=True)
class Repeated:
    """A function that calls itself, or a loop: its number, its name, and the names whose values are of interest."""

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
    def arms(self) -> dict[int, str]:
        """Return the labels of branches by number, in the order of the source; unclear labels are left out.

        A label is unclear if branches share it, or if the branch is the value of another conditional expression.
        """
        nodes = [*arm_nodes(self.tree)]
        labels = [_label(owner, part) for owner, part in nodes]
        is_clear = [not isinstance(getattr(owner, part), ast.IfExp) for owner, part in nodes]
        return {at: label for at, label in enumerate(labels) if is_clear[at] and labels.count(label) == 1}

    @cached_property
    def repeated(self) -> tuple[Repeated, ...]:
        """Return the recursive functions, and the loops in functions; functions that share a name are left out."""
        results = []
        nodes = repeating_nodes(self.tree)
        times = Counter(node.name for node in nodes if isinstance(node, ast.FunctionDef))
        for number, node in enumerate(nodes):
            match node:
                case ast.FunctionDef(name=name, args=args) if times[name] == 1:
                    calls = {each.id for part in node.body for each in ast.walk(part) if isinstance(each, ast.Name)}
                    names = tuple(each.arg for each in (*args.posonlyargs, *args.args, *args.kwonlyargs))
                    if calls & {name, "recur"}:
                        results.append(Repeated(number, name, node.lineno, names, False))
                case ast.For() | ast.While():
                    in_loop = (each for each in ast.walk(node) if isinstance(each, ast.Name))
                    stored = (each.id for each in in_loop if isinstance(each.ctx, ast.Store))
                    results.append(Repeated(number, "", node.lineno, tuple(dict.fromkeys(stored)), True))
        return tuple(results)

    @property
    def has_choices(self) -> bool:
        """Return whether the program has a branch, a recursion or a loop."""
        return bool(self.arms or self.repeated)

    @cached_property
    def code(self) -> CodeType:
        """Return the compiled program, with hooks. Raises one of UNPARSED if it cannot be compiled."""
        tree = deepcopy(self.tree)
        arms, repeating = [*arm_nodes(tree)], repeating_nodes(tree)
        for node in ast.walk(tree):
            for part in BLOCKS if not isinstance(node, ast.Module | ast.ClassDef) else ():
                if isinstance(block := getattr(node, part, None), list):
                    setattr(node, part, [each for statement in block for each in _with_hook(statement)])
        for number, (owner, part) in enumerate(arms):
            _insert(owner, part, _reporting(f"arm({number})"))
        for number, node in enumerate(repeating):
            _insert(node, "body", _reporting(f"enter({number}, locals())"))
        return compile(ast.fix_missing_locations(tree), "<viva>", "exec")


def program_in(source: str, name: str) -> Program | None:
    """Return the program that a cell defines, without statements that only compute or show something.

    Return None if the cell cannot be parsed, or is too deep: hooks are put into copies, and Python limits their depth.
    """
    body = []
    try:
        for statement in tree_of(source).body:
            is_value = isinstance(statement, ast.Assign | ast.AnnAssign)
            has_lambda = is_value and any(isinstance(node, ast.Lambda) for node in ast.walk(statement))
            if isinstance(statement, ast.FunctionDef) or has_lambda or (is_value and name in bound_names(statement)):
                body.append(statement)
        tree = deepcopy(ast.Module(body, []))
    except UNPARSED:
        return None
    return Program(tree)


def _reporting(code: str) -> ast.expr:
    return ast.parse(f"{HOOK}.{code}", mode="eval").body


def _with_hook(statement: ast.stmt) -> list[ast.stmt]:
    """Return a statement after a hook that reports its line. A text has none."""
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return [statement] if is_text else [ast.Expr(_reporting(f"line({statement.lineno})")), statement]


def _insert(owner: ast.AST, part: str, hook: ast.expr) -> None:
    """Put a hook in front of a block or an expression. A hook returns True."""
    inner = getattr(owner, part)
    if isinstance(inner, list):
        inner.insert(0, ast.Expr(hook))
    else:
        setattr(owner, part, ast.BoolOp(ast.And(), [hook, inner]))


# ------------------------------------------------------------------------------------------------ parts of the tree


def arm_nodes(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Yield each branch of a tree in the order of the source: the node that it belongs to, and its field there."""
    for node in _in_order(tree):
        match node:
            case ast.Match(cases=[_, _, *_]):
                yield from ((case, "body") for case in node.cases)
            case ast.If(orelse=[ast.If() as other]) if other.col_offset == node.col_offset:  # an `elif` follows
                yield node, "body"
            case ast.If() | ast.IfExp():
                yield node, "body"
                yield node, "orelse"


def repeating_nodes(tree: ast.AST) -> list[FunctionNode | LoopNode]:
    """Return the functions and loops of a tree, in the order of the source."""
    return [node for node in _in_order(tree) if isinstance(node, FunctionNode | LoopNode)]


def _in_order(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        yield node
        yield from _in_order(node)


def _label(owner: ast.AST, part: str) -> str:
    """Return the name of a branch in questions."""
    match owner:
        case ast.If(lineno=line, orelse=[]) if part == "orelse":
            return f"the path where the condition on line {line} is false"
        case ast.IfExp():
            where = "before `if`" if part == "body" else "after `else`"
            return f"the value on line {getattr(owner, part).lineno} {where}"
    return f"the branch that begins on line {getattr(owner, part)[0].lineno}"


# ------------------------------------------------------------------------------------------------ runs

ITEMS_SHOWN, SHORT_VALUE_ROOM, OUTCOME_ROOM = 12, 100, 5_000
MASKED_ADDRESS = "0x…"


class OutOfTicks(BaseException):
    """Raised when a run has reported too much. It is a BaseException, so an `except Exception` does not catch it."""


class OverLimit(Exception):
    """Raised for a call that takes too many steps, too much time or too much memory."""


# The start of a function's body or of a loop's round: its number, and the values of its names, as code.
Entered = tuple[int, dict[str, str]]


@dataclass(frozen=True)
class Trace:
    """The record of a run: its lines, branches, entered functions and rounds, and its outcome as text."""

    lines: tuple[int, ...]
    arms: tuple[int, ...]
    entered: tuple[Entered, ...]
    outcome: str


class Hook:
    """The object whose methods the hooks in a program call. Each returns True, so that the program goes on."""

    def __init__(self, program: Program) -> None:
        self.names = {each.number: each.names for each in program.repeated}
        self.lines: list[int] = []
        self.arms: list[int] = []
        self.entered: list[Entered] = []

    def line(self, number: int) -> bool:
        """Report that the statement on a line runs."""
        self.lines.append(number)
        return self._tick()

    def arm(self, number: int) -> bool:
        """Report that a branch was taken."""
        self.arms.append(number)
        return self._tick()

    def enter(self, number: int, names: Names) -> bool:
        """Report the start of a function's body, or of a loop's round."""
        wanted = self.names.get(number, ())
        self.entered.append((number, {name: _short(names[name]) for name in wanted if name in names}))
        return self._tick()

    def _tick(self) -> bool:
        if len(self.lines) + len(self.arms) + len(self.entered) > MOST_TICKS:
            raise OutOfTicks
        return True


def _short(value: object) -> str:
    """Return a short value as code; "" for any other value, and for functions."""
    try:
        text = "" if callable(value) or (isinstance(value, Sized) and len(value) > ITEMS_SHOWN) else value_code(value)
    except Exception:  # a learner's own class may have a `__repr__` that fails
        return ""
    return "" if len(text) > SHORT_VALUE_ROOM or MASKED_ADDRESS in text or " at " in text else text


def attempts_of(program: Program, calls: Sequence[str], names: Names) -> tuple[Trace | None, ...]:
    """For each call, return what it does, or None if it is unsuitable for questions.

    After MOST_LIMITED_CALLS calls that exceed a limit, the other calls are not made. During the calls, the program's
    definitions replace those in `names`, so that other functions call them.
    """
    try:
        program.code  # noqa: B018
    except UNPARSED:
        return (None,) * len(calls)
    before, limits, traces = dict(names), 0, list[Trace | None]()
    try:
        with limited(inf) as watched:
            for call in calls:
                trace = None
                try:
                    if limits < MOST_LIMITED_CALLS:
                        trace = _one_run(program, call, names, watched, 1)
                    if trace and trace != _one_run(program, call, names, watched, 2):  # it depends on chance
                        trace = None
                except OverLimit:
                    limits, trace = limits + 1, None
                traces.append(trace)
    finally:
        names.update(before)
        for name in names.keys() - before.keys():
            del names[name]
    return tuple(traces)


def _one_run(program: Program, call: str, names: Names, watched: limited, chance: int) -> Trace | None:
    """Return the trace of a run, or None if it is unsuitable for questions. Raises OverLimit if it takes too long."""
    hook = names[HOOK] = Hook(program)
    try:
        with effects.scripted((), chance, PrintedByCall()), watched.renewed(SECONDS_FOR_EXTRAS):
            exec(program.code, names)
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
    return Trace(tuple(hook.lines), tuple(hook.arms), tuple(hook.entered), outcome) if is_plain else None
