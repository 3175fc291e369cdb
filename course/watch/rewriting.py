"""A run as people do it on paper: the expression of the call is rewritten step by step until it is a value."""

from __future__ import annotations

import ast
import copy
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import takewhile, zip_longest
from types import FunctionType
from typing import Any, NamedTuple

from toolz.functoolz import Compose

from course.functional import Recur
from course.show.bits import ELLIPSIS, DisplayPiece, bits_of, exception_text, joined_text, merged_pieces, simple_code
from course.syntax import COMPREHENSIONS, node_code
from course.watch.hooked import (
    HOOKED_FUNCTION_NODES,
    SPOTS,
    N,
    function_of,
    node_and_ancestors,
    spot_index,
    statement_of,
)
from course.watch.listing import CODE_LOOK
from course.watch.record import functions_in
from course.watch.run import CallOwner, EventKind, RecordedCall, RecordedRun, RunMoment

FOLD_NAMES = ("fold_left", "fold_right")
ITEMS_ON_PAPER, WAITING_ON_PAPER, LINES_ON_PAPER, STEP_ROOM = 24, 12, 14, 700
BITS_SHOWN_PER_END = 16  # bits to show at each end of a long expression
PLACEHOLDER_PATTERN = re.compile(r"ˍ(\d+)ˍ")


class PaperLine(NamedTuple):
    """A line on paper: an expression, and the number of its calls that wait for the result of another call."""

    bits: tuple[DisplayPiece, ...]
    waiting: int

    @property
    def text(self) -> str:
        """Return the line as text."""
        return f"{'▌' * min(self.waiting, WAITING_ON_PAPER)} {joined_text(self.bits)}".strip()


class PaperLines:
    """The lines in which a call is rewritten step by step, as on paper.

    Each line is computed when it is first needed, and then cached.
    """

    def __init__(self, run: RecordedRun) -> None:
        self.run, self._known = run, dict[int, PaperLine]()

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """Return the numbers of the events at which the expression may change, because a call begins or ends."""
        changing = (EventKind.CALL, EventKind.GIVES, EventKind.RAISES)
        return tuple(number for number in self.run.steps if self.run.events[number].kind in changing)

    def line(self, number: int) -> PaperLine:
        """Return the line on paper after an event."""
        if number not in self._known:
            sheet = _LineWriter(self.run, number)
            tree = ast.fix_missing_locations(sheet.expression_of_call(self.run.calls[self.run.top_call]))
            self._known[number] = PaperLine(sheet.filled_bits(node_code(tree)), sheet.waiting)
        return self._known[number]

    def lines(self, number: int) -> list[PaperLine]:
        """Return the lines on paper up to an event; of many lines, only the last LINES_ON_PAPER."""
        steps = self.steps[: bisect_right(self.steps, number)]
        return self._distinct_lines(steps[-2 * LINES_ON_PAPER :])[-LINES_ON_PAPER:]

    def _distinct_lines(self, steps: tuple[int, ...]) -> list[PaperLine]:
        """Return the lines at these steps. Of equal lines in a row, only the last one is returned."""
        lines = [self.line(step) for step in steps]
        return [one for one, after in zip_longest(lines, lines[1:]) if after is None or one.bits != after.bits]

    def next_change(self, number: int, way: int) -> int:
        """Return the next event after which the line on paper differs, or `number` if the line does not change again.

        If `way` is -1, return the previous event after which the line is different.
        """
        position = max(bisect_right(self.steps, number) - 1, 0)
        bits = self.line(self.steps[position]).bits
        ahead = self.steps[position + 1 :] if way > 0 else reversed(self.steps[:position])
        return next((step for step in ahead if self.line(step).bits != bits), number)

    def line_texts(self) -> list[str]:
        """Return all lines as text. If there are many lines, return only the first and the last lines."""
        steps, most = self.steps, LINES_ON_PAPER
        shown = steps if len(steps) <= 4 * most else steps[:most] + steps[-most:]
        return [line.text for line in self._distinct_lines(shown)]


class _LineWriter:
    """A writer of one line on paper. It builds a syntax tree with names such as `ˍ0ˍ` in place of values."""

    def __init__(self, run: RecordedRun, number: int) -> None:
        self.run, self.number, self.waiting = run, number, 0
        self.holes: list[tuple[DisplayPiece, ...]] = []

    # -------------------------------------------------------------------------------------------- placeholders

    def placeholder(self, bits: tuple[DisplayPiece, ...]) -> ast.expr:
        """Return a new name as a placeholder for pieces of text. The method `filled_bits` replaces the name later."""
        self.holes.append(bits)
        return ast.Name(f"ˍ{len(self.holes) - 1}ˍ", ast.Load())

    def value_placeholder(self, thing: object) -> ast.expr:
        """Return an expression that is a placeholder for a value."""
        return self.placeholder(bits_of(thing, 60))

    def filled_bits(self, text: str) -> tuple[DisplayPiece, ...]:
        """Return a text as `DisplayPiece` objects, with values in place of the placeholders.

        The middle of a long text is left out.
        """
        results: list[DisplayPiece] = []
        for index, part in enumerate(PLACEHOLDER_PATTERN.split(text)):
            results += self.holes[int(part)] if index % 2 else [DisplayPiece(part)] if part else []
        if sum(len(bit.text) for bit in results) > STEP_ROOM and len(results) > 2 * BITS_SHOWN_PER_END:
            results = [*results[:BITS_SHOWN_PER_END], DisplayPiece(ELLIPSIS), *results[-BITS_SHOWN_PER_END:]]
        return tuple(bit._replace(look=CODE_LOOK) for bit in merged_pieces(results))

    # -------------------------------------------------------------------------------------------- calls

    def expression_of_call(self, call: RecordedCall) -> ast.expr:
        """Return the expression into which a call has been rewritten up to the current event."""
        if 0 <= call.end <= self.number:
            end = self.run.events[call.end]
            if end.kind is EventKind.RAISES:
                return self.placeholder((DisplayPiece(f"raise {exception_text(end.value)}"),))
            is_order = isinstance(end.value, Recur)
            return self._call_node(call.name, end.value.args) if is_order else self.value_placeholder(end.value)
        made = (self.run.calls[each] for each in self.run.calls_by_caller[call.number])
        begun = [each for each in made if each.begin <= self.number]
        if not begun:
            return self._original_call(call)
        if call.number == 0:
            return self.expression_of_call(begun[-1])
        inside = (
            self._nested_fold_calls(call, begun)
            if call.kind is CallOwner.GIVEN
            else self._expression_around(call, begun[-1])
        )
        return inside or self._original_call(call)

    def _original_call(self, call: RecordedCall) -> ast.expr:
        if call.number:
            return self._call_node(call.name, [each for _, each in call.args])
        return self.placeholder((DisplayPiece(self.run.title or ELLIPSIS),))

    def _call_node(self, name: str, args: Iterable[object]) -> ast.expr:
        return ast.Call(ast.Name(name, ast.Load()), [self.value_placeholder(each) for each in args], [])

    def _expression_around(self, call: RecordedCall, inner: RecordedCall) -> ast.expr | None:
        """Return the expression around an inner call, with that call's expression inserted; None if it is not known.

        Calls that are made once per item of a comprehension are not shown one by one.
        """
        node = SPOTS[inner.site].node if inner.site >= 0 else None
        if not isinstance(node, ast.Call) or function_of(node) is not SPOTS[call.spot].node:
            return None
        around = takewhile(lambda each: not isinstance(each, (ast.stmt, ast.Lambda)), node_and_ancestors(node))
        here = RunMoment(self.run, max(n for n in self.run.events_by_call[call.number] if n <= self.number))
        is_repeated = any(isinstance(each, COMPREHENSIONS) for each in around)
        if is_repeated or not _is_direct_call(node, inner, here.name_values):
            return None
        there = self.expression_of_call(inner)
        match statement_of(node):
            case ast.Return(value=ast.expr() as expression) | (ast.expr() as expression):
                while isinstance(expression, ast.IfExp) and node not in ast.walk(expression.test):
                    expression = expression.body if node in ast.walk(expression.body) else expression.orelse
                self.waiting += node is not expression
                return self._expression_with_values(expression, node, there, here)
        return None

    def _expression_with_values(
        self, expression: ast.expr, node: ast.AST, there: ast.expr, here: RunMoment
    ) -> ast.expr:
        """Return a copy of an expression with `there` in place of a node, and with all known values filled in."""
        known = here.part_values

        def fill(part: ast.AST) -> Any:
            if part is node:
                return there
            if isinstance(part, ast.IfExp) and node not in ast.walk(part.test):
                return fill(part.body if node in ast.walk(part.body) else part.orelse)
            if isinstance(part, ast.expr) and spot_index(part) in known and node not in ast.walk(part):
                return self.value_placeholder(known[spot_index(part)])
            if isinstance(part, ast.Name) and part.id in here.name_values:
                return self.value_placeholder(here.name_values[part.id])
            if isinstance(part, (*COMPREHENSIONS, *HOOKED_FUNCTION_NODES)):
                return part
            return _copy_with_changed_children(part, fill)

        return fill(expression)  # type: ignore[no-any-return]

    # -------------------------------------------------------------------------------------------- folds

    def _nested_fold_calls(self, call: RecordedCall, begun: list[RecordedCall]) -> ast.expr | None:
        """Return a running fold as nested calls of its step; None for other calls, or if the items are unknown."""
        things = dict(call.args)
        items, step = things.get("items"), things.get("step")
        if call.name not in FOLD_NAMES or not isinstance(items, (tuple, list)) or not callable(step):
            return None
        if len(begun) > len(items) or not all(_runs_function(each, begun[-1]) for each in [*functions_in(step)][:1]):
            return None
        is_left, done = call.name == "fold_left", len(begun)
        expression = self.expression_of_call(begun[-1])
        left = items[done:] if is_left else items[: len(items) - done][::-1]
        self.waiting += len(left)
        for item in left[:ITEMS_ON_PAPER]:
            args = [expression, self.value_placeholder(item)]
            function = ast.Name(simple_code(step), ast.Load())
            expression = ast.Call(function, args if is_left else args[::-1], [])
        return expression


def _is_direct_call(node: ast.Call, call: RecordedCall, names: dict[str, object]) -> bool:
    """Return whether a call in the code runs the function of a recorded call itself, not through another function."""
    called = node.func
    meant = names.get(called.id) if isinstance(called, ast.Name) else None
    if isinstance(meant, Compose):
        return False
    if meant is not None:
        return any(_runs_function(each, call) for each in functions_in(meant))
    while isinstance(called, ast.Call):
        called = called.func
    return isinstance(called, ast.Lambda) or call.name == getattr(called, "id", getattr(called, "attr", ""))


def _runs_function(function: FunctionType, call: RecordedCall) -> bool:
    """Return whether a call runs a function.

    Functions are compared by file and first line, since code with hooks is a different object.
    """
    own, other = function.__code__, call.code
    return other is not None and own.co_firstlineno == other.co_firstlineno and own.co_filename == other.co_filename


def _copy_with_changed_children(node: N, change: Callable[[ast.AST], ast.AST]) -> N:
    """Return a copy of a node with its children changed."""
    made = copy.copy(node)
    for name, field in ast.iter_fields(node):
        if isinstance(field, list):
            setattr(made, name, [change(each) if isinstance(each, ast.AST) else each for each in field])
        elif isinstance(field, ast.AST):
            setattr(made, name, change(field))
    return made
