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
from course.show.bits import MORE, Bit, bits_of, bits_text, exception_text, merged, name_of
from course.syntax import COMPREHENSIONS, unparsed
from course.watch.hooked import (
    HOOKED_FUNCTIONS,
    SPOTS,
    N,
    function_of,
    spot_of,
    statement_of,
    with_ancestors,
)
from course.watch.listing import AS_CODE
from course.watch.record import functions_in
from course.watch.run import CallOwner, Kind, RecordedCall, RecordedRun, RunMoment

FOLD_NAMES = ("fold_left", "fold_right")
ITEMS_ON_PAPER, WAITING_ON_PAPER, LINES_ON_PAPER, STEP_ROOM = 24, 12, 14, 700
BITS_AT_ENDS = 16  # bits to show at each end of a long expression
HOLE = re.compile(r"ˍ(\d+)ˍ")


class PaperLine(NamedTuple):
    """A line on paper: an expression, and the number of its calls that wait for the result of another call."""

    bits: tuple[Bit, ...]
    waiting: int

    @property
    def text(self) -> str:
        """Return the line as text."""
        return f"{'▌' * min(self.waiting, WAITING_ON_PAPER)} {bits_text(self.bits)}".strip()


class PaperLines:
    """The lines that show a run as on paper. Each line is computed when it is first needed, and then cached."""

    def __init__(self, run: RecordedRun) -> None:
        self.run, self._known = run, dict[int, PaperLine]()

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """Return the events at which the expression may change, because a call begins or ends."""
        changing = (Kind.CALL, Kind.GIVES, Kind.RAISES)
        return tuple(number for number in self.run.steps if self.run.events[number].kind in changing)

    def line(self, number: int) -> PaperLine:
        """Return the line on paper after an event."""
        if number not in self._known:
            sheet = _Sheet(self.run, number)
            tree = ast.fix_missing_locations(sheet.written(self.run.calls[self.run.top]))
            self._known[number] = PaperLine(sheet.bits(unparsed(tree)), sheet.waiting)
        return self._known[number]

    def lines(self, number: int) -> list[PaperLine]:
        """Return the lines on paper up to an event; of many lines, only the last LINES_ON_PAPER."""
        return self._several(self.steps[: bisect_right(self.steps, number)][-2 * LINES_ON_PAPER :])[-LINES_ON_PAPER:]

    def _several(self, steps: tuple[int, ...]) -> list[PaperLine]:
        """Return the lines at these steps. Of equal lines in a row, only the last one is returned."""
        lines = [self.line(step) for step in steps]
        return [one for one, after in zip_longest(lines, lines[1:]) if after is None or one.bits != after.bits]

    def next(self, number: int, way: int) -> int:
        """Return the next event after which the line on paper differs, or `number` if the line does not change again.

        If `way` is -1, return the previous event after which the line is different.
        """
        position = max(bisect_right(self.steps, number) - 1, 0)
        bits = self.line(self.steps[position]).bits
        ahead = self.steps[position + 1 :] if way > 0 else reversed(self.steps[:position])
        return next((step for step in ahead if self.line(step).bits != bits), number)

    def as_lines(self) -> list[str]:
        """Return all lines as text. If there are many lines, return only the first and the last lines."""
        steps, most = self.steps, LINES_ON_PAPER
        return [line.text for line in self._several(steps if len(steps) <= 4 * most else steps[:most] + steps[-most:])]


class _Sheet:
    """A writer of one line on paper. It builds a syntax tree with names such as `ˍ0ˍ` in place of values."""

    def __init__(self, run: RecordedRun, number: int) -> None:
        self.run, self.number, self.waiting = run, number, 0
        self.holes: list[tuple[Bit, ...]] = []

    # -------------------------------------------------------------------------------------------- placeholders

    def hole(self, bits: tuple[Bit, ...]) -> ast.expr:
        """Return a new name as a placeholder for `Bit` objects. The method `bits` inserts these objects later."""
        self.holes.append(bits)
        return ast.Name(f"ˍ{len(self.holes) - 1}ˍ", ast.Load())

    def value(self, thing: object) -> ast.expr:
        """Return an expression that is a placeholder for a value."""
        return self.hole(bits_of(thing, 60))

    def bits(self, text: str) -> tuple[Bit, ...]:
        """Return a text as `Bit` objects, with values in place of the placeholders.

        The middle of a long text is left out.
        """
        results: list[Bit] = []
        for index, part in enumerate(HOLE.split(text)):
            results += self.holes[int(part)] if index % 2 else [Bit(part)] if part else []
        if sum(len(bit.text) for bit in results) > STEP_ROOM and len(results) > 2 * BITS_AT_ENDS:
            results = [*results[:BITS_AT_ENDS], Bit(MORE), *results[-BITS_AT_ENDS:]]
        return tuple(bit._replace(look=AS_CODE) for bit in merged(results))

    # -------------------------------------------------------------------------------------------- calls

    def written(self, call: RecordedCall) -> ast.expr:
        """Return the expression into which a call has been rewritten up to the current event."""
        if 0 <= call.end <= self.number:
            end = self.run.events[call.end]
            if end.kind is Kind.RAISES:
                return self.hole((Bit(f"raise {exception_text(end.value)}"),))
            is_order = isinstance(end.value, Recur)
            return self._call(call.name, end.value.args) if is_order else self.value(end.value)
        made = (self.run.calls[each] for each in self.run.children[call.number])
        begun = [each for each in made if each.begin <= self.number]
        if not begun:
            return self._as_called(call)
        if call.number == 0:
            return self.written(begun[-1])
        inside = self._fold(call, begun) if call.kind is CallOwner.GIVEN else self._within(call, begun[-1])
        return inside or self._as_called(call)

    def _as_called(self, call: RecordedCall) -> ast.expr:
        if call.number:
            return self._call(call.name, [each for _, each in call.args])
        return self.hole((Bit(self.run.title or MORE),))

    def _call(self, name: str, args: Iterable[object]) -> ast.expr:
        return ast.Call(ast.Name(name, ast.Load()), [self.value(each) for each in args], [])

    def _within(self, call: RecordedCall, inner: RecordedCall) -> ast.expr | None:
        """Return the expression around an inner call, with that call's expression inserted; None if it is not known.

        Calls that are made once per item of a comprehension are not shown one by one.
        """
        node = SPOTS[inner.site].node if inner.site >= 0 else None
        if not isinstance(node, ast.Call) or function_of(node) is not SPOTS[call.spot].node:
            return None
        around = takewhile(lambda each: not isinstance(each, (ast.stmt, ast.Lambda)), with_ancestors(node))
        here = RunMoment(self.run, max(n for n in self.run.events_of[call.number] if n <= self.number))
        if any(isinstance(each, COMPREHENSIONS) for each in around) or not _makes(node, inner, here.names):
            return None
        there = self.written(inner)
        match statement_of(node):
            case ast.Return(value=ast.expr() as expression) | (ast.expr() as expression):
                while isinstance(expression, ast.IfExp) and node not in ast.walk(expression.test):
                    expression = expression.body if node in ast.walk(expression.body) else expression.orelse
                self.waiting += node is not expression
                return self._filled(expression, node, there, here)
        return None

    def _filled(self, expression: ast.expr, node: ast.AST, there: ast.expr, here: RunMoment) -> ast.expr:
        """Return a copy of an expression with `there` in place of a node, and with all known values filled in."""
        known = here.values

        def fill(part: ast.AST) -> Any:
            if part is node:
                return there
            if isinstance(part, ast.IfExp) and node not in ast.walk(part.test):
                return fill(part.body if node in ast.walk(part.body) else part.orelse)
            if isinstance(part, ast.expr) and spot_of(part) in known and node not in ast.walk(part):
                return self.value(known[spot_of(part)])
            if isinstance(part, ast.Name) and part.id in here.names:
                return self.value(here.names[part.id])
            if isinstance(part, (*COMPREHENSIONS, *HOOKED_FUNCTIONS)):
                return part
            return _mapped(part, fill)

        return fill(expression)  # type: ignore[no-any-return]

    # -------------------------------------------------------------------------------------------- folds

    def _fold(self, call: RecordedCall, begun: list[RecordedCall]) -> ast.expr | None:
        """Return a running fold as nested calls of its step; None for other calls, or if the items are unknown."""
        things = dict(call.args)
        items, step = things.get("items"), things.get("step")
        if call.name not in FOLD_NAMES or not isinstance(items, (tuple, list)) or not callable(step):
            return None
        if len(begun) > len(items) or not all(_is_of(each, begun[-1]) for each in [*functions_in(step)][:1]):
            return None
        is_left, done = call.name == "fold_left", len(begun)
        expression, left = self.written(begun[-1]), items[done:] if is_left else items[: len(items) - done][::-1]
        self.waiting += len(left)
        for item in left[:ITEMS_ON_PAPER]:
            args = [expression, self.value(item)]
            function = ast.Name(name_of(step), ast.Load())
            expression = ast.Call(function, args if is_left else args[::-1], [])
        return expression


def _makes(node: ast.Call, call: RecordedCall, names: dict[str, object]) -> bool:
    """Return whether a call in the code runs the function of a recorded call itself, not through another function."""
    called = node.func
    meant = names.get(called.id) if isinstance(called, ast.Name) else None
    if isinstance(meant, Compose):
        return False
    if meant is not None:
        return any(_is_of(each, call) for each in functions_in(meant))
    while isinstance(called, ast.Call):
        called = called.func
    return isinstance(called, ast.Lambda) or call.name == getattr(called, "id", getattr(called, "attr", ""))


def _is_of(function: FunctionType, call: RecordedCall) -> bool:
    """Return whether a call runs a function.

    Functions are compared by file and first line, since code with hooks is a different object.
    """
    own, other = function.__code__, call.code
    return other is not None and own.co_firstlineno == other.co_firstlineno and own.co_filename == other.co_filename


def _mapped(node: N, change: Callable[[ast.AST], ast.AST]) -> N:
    """Return a copy of a node with its children changed."""
    made = copy.copy(node)
    for name, field in ast.iter_fields(node):
        if isinstance(field, list):
            setattr(made, name, [change(each) if isinstance(each, ast.AST) else each for each in field])
        elif isinstance(field, ast.AST):
            setattr(made, name, change(field))
    return made
