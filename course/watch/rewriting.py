"""A run as on paper: the expression of the call is rewritten step by step until it is a value."""

from __future__ import annotations

import ast
import copy
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property
from html import escape
from types import FunctionType
from typing import Any, NamedTuple

from toolz.functoolz import Compose

from course.functional import Recur
from course.show.bits import MORE, Bit, bits_of, bits_text, exception_text, merged, name_of
from course.show.blocks import WRAPPED
from course.show.results import Shown
from course.syntax import unparsed
from course.watch.hooked import COMPREHENSIONS, HOOKED_FUNCTIONS, SPOTS, N, function_of, spot_of, statement_of
from course.watch.moment import RunMoment
from course.watch.reach import functions_in
from course.watch.run import CallOwner, Kind, RecordedCall, RecordedRun
from course.watch.sentences import AS_CODE

FOLD_NAMES = ("fold_left", "fold_right")
ITEMS_ON_PAPER, WAITING_ON_PAPER, LINES_ON_PAPER, STEP_ROOM = 24, 12, 14, 700
LEVELS_SHOWN = (12, 8, 5, 3)  # levels to show at each end of a deep expression; the first number that fits is used
HOLE = re.compile(r"ˍ(\d+)ˍ")


class PaperLine(NamedTuple):
    """A line on paper: the expression, and how many of its calls wait for the result of another call."""

    bits: tuple[Bit, ...]
    waiting: int

    @property
    def text(self) -> str:
        """Return the line as text."""
        return f"{'▌' * min(self.waiting, WAITING_ON_PAPER)} {bits_text(self.bits)}".strip()


class PaperLines:
    """The lines on paper of a run. Each line is written when it is first needed, and then cached."""

    def __init__(self, run: RecordedRun) -> None:
        self.run, self._known = run, dict[int, PaperLine]()

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """Return the events at which the expression may change: a call begins or ends."""
        changing = (Kind.CALL, Kind.GIVES, Kind.RAISES)
        return tuple(number for number in self.run.steps if self.run.events[number].kind in changing)

    def line(self, number: int) -> PaperLine:
        """Return the line after an event."""
        if number not in self._known:
            self._known[number] = written_out(self.run, number)
        return self._known[number]

    def lines(self, number: int) -> list[tuple[int, PaperLine]]:
        """Return the lines up to an event, at most the last LINES_ON_PAPER."""
        return self._several(self.steps[: bisect_right(self.steps, number)][-2 * LINES_ON_PAPER :])[-LINES_ON_PAPER:]

    def _several(self, steps: tuple[int, ...]) -> list[tuple[int, PaperLine]]:
        """Return the lines at these steps. A line that equals the previous one is left out."""
        results: list[tuple[int, PaperLine]] = []
        for step in steps:
            line = self.line(step)
            if results and results[-1][1].bits == line.bits:
                results.pop()
            results.append((step, line))
        return results

    def next(self, number: int, way: int) -> int | None:
        """Return the next event whose line is different, or None. If `way` is -1, return the previous one."""
        position = bisect_right(self.steps, number) - 1
        line = self.line(self.steps[max(position, 0)])
        ahead = self.steps[position + 1 :] if way > 0 else tuple(reversed(self.steps[: max(position, 0)]))
        return next((step for step in ahead if self.line(step).bits != line.bits), None)

    def as_lines(self) -> Shown:
        """Return all lines as text and HTML. If there are many, return the first and last lines."""
        steps = (
            self.steps
            if len(self.steps) <= 4 * LINES_ON_PAPER
            else (*self.steps[:LINES_ON_PAPER], *self.steps[-LINES_ON_PAPER:])
        )
        lines = [line.text for _, line in self._several(steps)]
        html = "".join(f"<li>{escape(line)}</li>" for line in lines)
        return Shown("\n".join(lines), f'<ol style="{WRAPPED};list-style:none">{html}</ol>')


def written_out(run: RecordedRun, number: int) -> PaperLine:
    """Return the line on paper after an event."""
    sheet = _Sheet(run, number)
    tree = ast.fix_missing_locations(sheet.written(run.calls[run.top]))
    bits = sheet.bits(unparsed(tree))
    for levels in LEVELS_SHOWN:
        if sum(len(bit.text) for bit in bits) > STEP_ROOM and _skip_levels(tree, levels):
            bits = sheet.bits(unparsed(tree))
    return PaperLine(_cut(bits), sheet.waiting)


def _skip_levels(tree: ast.AST, shown: int) -> bool:
    """Remove the middle levels of a deep expression, and keep `shown` levels at each end.

    Return whether any levels were removed.
    """
    levels = _deepest(tree)
    if len(levels) <= 2 * shown:
        return False
    outer, inner = levels[shown - 1], levels[-shown]
    skipped = ast.Call(ast.Name(MORE, ast.Load()), [inner], [])
    changed = _mapped(outer, lambda part: skipped if part is levels[shown] else part)
    vars(outer).update(vars(changed))
    return True


def _deepest(tree: ast.AST) -> list[ast.expr]:
    """Return the expressions on the longest path down a tree, outermost first."""
    deepest, parents = list[ast.AST](), {tree: tree}
    level = [tree]
    while level:
        deepest, below = level, [(part, node) for node in level for part in ast.iter_child_nodes(node)]
        parents |= {part: node for part, node in below if isinstance(part, ast.expr)}
        level = [part for part, _ in below if isinstance(part, ast.expr)]
    way = [deepest[0]]
    while way[-1] is not tree:
        way.append(parents[way[-1]])
    return [each for each in reversed(way) if isinstance(each, ast.expr)]


def _cut(bits: tuple[Bit, ...]) -> tuple[Bit, ...]:
    """Return bits without their middle if they are too long."""
    room, head = STEP_ROOM, list[Bit]()
    if sum(len(bit.text) for bit in bits) <= room:
        return bits
    for bit in bits:
        head.append(bit._replace(text=bit.text[: room // 2]) if not bit.picture else bit)
        room -= len(bit.text)
        if room <= STEP_ROOM // 2:
            break
    tail = bits[-1]._replace(text=bits[-1].text[-STEP_ROOM // 4 :])
    return (*head, Bit(f" {MORE} ", look=AS_CODE), tail)


class _Sheet:
    """A writer of the line at one event. Calls become trees, in which placeholders represent values."""

    def __init__(self, run: RecordedRun, number: int) -> None:
        self.run, self.number, self.waiting = run, number, 0
        self.holes: list[tuple[Bit, ...]] = []

    # -------------------------------------------------------------------------------------------- placeholders

    def hole(self, bits: tuple[Bit, ...]) -> ast.expr:
        """Return a name that represents some bits. The method `bits` replaces it later."""
        self.holes.append(bits)
        return ast.Name(f"ˍ{len(self.holes) - 1}ˍ", ast.Load())

    def value(self, thing: object) -> ast.expr:
        """Return a value as an expression."""
        return self.hole(bits_of(thing, 60))

    def bits(self, text: str) -> tuple[Bit, ...]:
        """Return a text in which values replace the placeholders."""
        results: list[Bit] = []
        for index, part in enumerate(HOLE.split(text)):
            results += self.holes[int(part)] if index % 2 else [Bit(part)] if part else []
        return tuple(bit._replace(look=AS_CODE) for bit in merged(results))

    # -------------------------------------------------------------------------------------------- calls

    def written(self, call: RecordedCall) -> ast.expr:
        """Return the current form of a call's expression."""
        if 0 <= call.end <= self.number:
            return self._ended(call)
        begun = [self.run.calls[each] for each in self.run.children[call.number]]
        begun = [each for each in begun if each.begin <= self.number]
        if not begun:
            return self._as_called(call)
        if call.kind is CallOwner.GIVEN:
            return self._fold(call, begun) or self._as_called(call)
        return self._within(call, begun)

    def _ended(self, call: RecordedCall) -> ast.expr:
        end = self.run.events[call.end]
        if end.kind is Kind.GIVES:
            is_order = isinstance(end.value, Recur)
            return self._call(call.name, tuple(end.value.args)) if is_order else self.value(end.value)
        error_text = exception_text(end.value) if isinstance(end.value, BaseException) else ""
        return self.hole((Bit(f"raise {error_text}"),))

    def _as_called(self, call: RecordedCall) -> ast.expr:
        if call.number:
            return self._call(call.name, tuple(each for _, each in call.args))
        return self.hole((Bit(self.run.title or MORE),))

    def _call(self, name: str, args: tuple[object, ...]) -> ast.expr:
        return ast.Call(ast.Name(name, ast.Load()), [self.value(each) for each in args], [])

    def _within(self, call: RecordedCall, begun: list[RecordedCall]) -> ast.expr:
        """Return the expression of a call, with the expression of an inner call inserted."""
        inner = begun[-1]
        if call.number == 0:
            return self.written(inner)
        node = SPOTS[inner.site].node if inner.site >= 0 else None
        if node is None or function_of(node) is not SPOTS[call.spot].node or _is_in_brackets(node):
            return self._as_called(call)
        latest = max(number for number in self.run.events_of[call.number] if number <= self.number)
        here = RunMoment(self.run, latest)
        there = self._put(inner, node, here.names)
        return self._around(call, node, there, here) if there is not None else self._as_called(call)

    def _around(self, call: RecordedCall, node: ast.AST, there: ast.expr, here: RunMoment) -> ast.expr:
        """Return the expression around a call, with `there` inserted for the call."""
        statement = statement_of(node)
        match statement:
            case ast.Return(value=expression) if expression is not None:
                pass
            case ast.expr():
                expression = statement
            case ast.Assign(value=expression, targets=[ast.Name(id=name)]):
                self.waiting += 1
                inside = self._filled(expression, node, there, here)
                text = self.bits(unparsed(ast.fix_missing_locations(inside)))
                return ast.Subscript(self._as_called(call), self.hole((Bit(f"{name} = "), *text)), ast.Load())
            case _:
                return self._as_called(call)
        while isinstance(expression, ast.IfExp) and not _is_above(expression.test, node):
            expression = expression.body if _is_above(expression.body, node) else expression.orelse
        self.waiting += node is not expression
        return self._filled(expression, node, there, here)

    # -------------------------------------------------------------------------------------------- expressions

    def _put(self, inner: RecordedCall, node: object, names: dict[str, object]) -> ast.expr | None:
        """Return the expression to insert for a running call; None if the code there makes another call."""
        if not isinstance(node, ast.Call):
            return None
        called = node.func
        meant = names.get(called.id) if isinstance(called, ast.Name) else None
        if isinstance(meant, Compose):
            return None
        if meant is not None:
            return self.written(inner) if any(_is_of(each, inner) for each in functions_in(meant)) else None
        while isinstance(called, ast.Call):
            called = called.func
        name = getattr(called, "id", getattr(called, "attr", ""))
        return self.written(inner) if name == inner.name or isinstance(called, ast.Lambda) else None

    def _filled(self, expression: ast.expr, node: ast.AST, there: ast.expr, here: RunMoment) -> ast.expr:
        """Return an expression with `there` inserted for a node, and with known values filled in."""
        known = here.values

        def fill(part: ast.AST) -> Any:
            if part is node:
                return there
            if isinstance(part, ast.IfExp) and not _is_above(part.test, node):
                return fill(part.body if _is_above(part.body, node) else part.orelse)
            if isinstance(part, ast.expr) and spot_of(part) in known and not _is_above(part, node):
                return self.value(known[spot_of(part)])
            if isinstance(part, ast.Name) and part.id in here.names:
                return self.value(here.names[part.id])
            if isinstance(part, (*COMPREHENSIONS, *HOOKED_FUNCTIONS)):
                return part
            return _mapped(part, fill)

        return fill(expression)  # type: ignore[no-any-return]

    # -------------------------------------------------------------------------------------------- folds

    def _fold(self, call: RecordedCall, begun: list[RecordedCall]) -> ast.expr | None:
        """Return a fold as the nested calls that it makes; None for other calls, or if the items are unknown."""
        things = dict(call.args)
        items, step = things.get("items"), things.get("step")
        if call.name not in FOLD_NAMES or not isinstance(items, (tuple, list)) or not callable(step):
            return None
        if len(begun) > len(items) or not all(_is_of(each, begun[-1]) for each in [*functions_in(step)][:1]):
            return None
        expression, left = self.written(begun[-1]), self._remaining_items(call.name, items, len(begun))
        self.waiting += len(left)
        for item in left[:ITEMS_ON_PAPER]:
            other = self.value(item)
            args = [expression, other] if call.name == "fold_left" else [other, expression]
            expression = ast.Call(ast.Name(name_of(step), ast.Load()), args, [])
        return expression

    @staticmethod
    def _remaining_items(name: str, items: Sequence[object], done: int) -> Sequence[object]:
        return items[done:] if name == "fold_left" else tuple(reversed(items[: len(items) - done]))


def _is_of(function: FunctionType, call: RecordedCall) -> bool:
    """Return whether a call runs a function.

    Functions are compared by file and first line, since code with hooks is a different object.
    """
    code = call.code
    return code is not None and (function.__code__.co_firstlineno, function.__code__.co_filename) == (
        code.co_firstlineno,
        code.co_filename,
    )


def _is_in_brackets(node: object) -> bool:
    """Return whether a call is made once per item of a comprehension. Such calls are not shown one by one."""
    while node is not None and not isinstance(node, (ast.stmt, ast.Lambda)):
        node = getattr(node, "parent", None)
        if isinstance(node, COMPREHENSIONS):
            return True
    return False


def _is_above(part: ast.AST, node: ast.AST) -> bool:
    return any(each is node for each in ast.walk(part))


def _mapped(node: N, change: Callable[[ast.AST], ast.AST]) -> N:
    """Return a copy of a node with its children changed."""
    made = copy.copy(node)
    for name, field in ast.iter_fields(node):
        if isinstance(field, list):
            setattr(made, name, [change(each) if isinstance(each, ast.AST) else each for each in field])
        elif isinstance(field, ast.AST):
            setattr(made, name, change(field))
    return made
