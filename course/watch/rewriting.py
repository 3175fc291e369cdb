"""A run as on paper: the expression that was asked for, rewritten step by step until it is a value."""

from __future__ import annotations

import ast
import copy
import re
from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property
from html import escape
from types import FunctionType
from typing import Any, NamedTuple

from toolz.functoolz import Compose

from course.functional import Recur
from course.show.bits import MORE, Bit, bits_of, merged, name_of, story, text_of
from course.show.blocks import WRAPPED
from course.show.results import Shown
from course.syntax import unparsed
from course.watch.hooked import COMPREHENSIONS, HOOKED_FUNCTIONS, SPOTS, function_of, statement_of
from course.watch.moment import RunMoment
from course.watch.reach import functions_in
from course.watch.run import Kind, RecordedCall, RecordedRun, Whose
from course.watch.said import AS_CODE

FOLD_NAMES = ("fold_left", "fold_right")
MOST_ITEMS, MOST_WAITING, MOST_SEEN, LONGEST_STEP = 24, 12, 14, 700
LEVELS_KEPT = (12, 8, 5, 3)  # at the outside of a deep expression, and at its inside, until it can be read
HOLE = re.compile(r"ˍ(\d+)ˍ")


class OnPaper(NamedTuple):
    """A line on paper: the expression in bits, and how many calls wait in it for another's answer."""

    bits: tuple[Bit, ...]
    waiting: int

    @property
    def text(self) -> str:
        """Return the line as text."""
        return f"{'▌' * min(self.waiting, MOST_WAITING)} {text_of(self.bits)}".strip()


def rewriting_steps(run: RecordedRun) -> tuple[int, ...]:
    """Return the events at which something may be rewritten: a call of the learner's begins, or any call ends."""
    ends = (Kind.GIVES, Kind.RAISES)
    return tuple(n for n in run.steps if run.events[n].kind is Kind.CALL or run.events[n].kind in ends)


class Sheets:
    """The lines on paper of a run, each written when it is asked for and then kept."""

    def __init__(self, run: RecordedRun) -> None:
        self.run, self._known = run, dict[int, OnPaper]()

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """Return the events at which something may be rewritten."""
        return rewriting_steps(self.run)

    def line(self, number: int) -> OnPaper:
        """Return the line after an event."""
        if number not in self._known:
            self._known[number] = written_out(self.run, number)
        return self._known[number]

    def lines(self, number: int) -> list[tuple[int, OnPaper]]:
        """Return the lines up to an event, the last of them: what follows is not yet written."""
        return self._several(self.steps[: bisect_right(self.steps, number)][-2 * MOST_SEEN :])[-MOST_SEEN:]

    def _several(self, steps: tuple[int, ...]) -> list[tuple[int, OnPaper]]:
        """Return lines, without those that are as the one before."""
        found: list[tuple[int, OnPaper]] = []
        for step in steps:
            line = self.line(step)
            if found and found[-1][1].bits == line.bits:
                found.pop()
            found.append((step, line))
        return found

    def next(self, number: int, way: int) -> int | None:
        """Return the event at which something else is written than at this one, after or before it; None if nowhere."""
        place = bisect_right(self.steps, number) - 1
        line = self.line(self.steps[max(place, 0)])
        ahead = self.steps[place + 1 :] if way > 0 else tuple(reversed(self.steps[: max(place, 0)]))
        return next((step for step in ahead if self.line(step).bits != line.bits), None)

    def told(self) -> Shown:
        """Return all lines, of many the first and the last, as text and as HTML."""
        steps = self.steps if len(self.steps) <= 4 * MOST_SEEN else (*self.steps[:MOST_SEEN], *self.steps[-MOST_SEEN:])
        lines = [line.text for _, line in self._several(steps)]
        html = "".join(f"<li>{escape(line)}</li>" for line in lines)
        return Shown("\n".join(lines), f'<ol style="{WRAPPED};list-style:none">{html}</ol>')


def written_out(run: RecordedRun, number: int) -> OnPaper:
    """Return the line on paper after an event."""
    sheet = _Sheet(run, number)
    tree = ast.fix_missing_locations(sheet.written(run.calls[run.top]))
    bits = sheet.bits(unparsed(tree))
    for kept in LEVELS_KEPT:
        if sum(len(bit.text) for bit in bits) > LONGEST_STEP and _skip_levels(tree, kept):
            bits = sheet.bits(unparsed(tree))
    return OnPaper(_cut(bits), sheet.waiting)


def _skip_levels(tree: ast.AST, kept: int) -> bool:
    """Leave out the middle levels of a deep expression: so many are kept at its outside, and as many at its inside."""
    levels = _deepest(tree)
    if len(levels) <= 2 * kept:
        return False
    outer, inner = levels[kept - 1], levels[-kept]
    skipped = ast.Call(ast.Name(MORE, ast.Load()), [inner], [])
    changed = _mapped(outer, lambda part: skipped if part is levels[kept] else part)
    vars(outer).update(vars(changed))
    return True


def _deepest(tree: ast.AST) -> list[ast.expr]:
    """Return the expressions from the outermost to the innermost; each one contains the next."""
    found, parents = list[ast.AST](), {tree: tree}
    level = [tree]
    while level:
        found, below = level, [(part, node) for node in level for part in ast.iter_child_nodes(node)]
        parents |= {part: node for part, node in below if isinstance(part, ast.expr)}
        level = [part for part, _ in below if isinstance(part, ast.expr)]
    way = [found[0]]
    while way[-1] is not tree:
        way.append(parents[way[-1]])
    return [each for each in reversed(way) if isinstance(each, ast.expr)]


def _cut(bits: tuple[Bit, ...]) -> tuple[Bit, ...]:
    """Return bits without their middle where they are too many to be read."""
    room, head = LONGEST_STEP, list[Bit]()
    if sum(len(bit.text) for bit in bits) <= room:
        return bits
    for bit in bits:
        head.append(bit._replace(text=bit.text[: room // 2]) if not bit.picture else bit)
        room -= len(bit.text)
        if room <= LONGEST_STEP // 2:
            break
    tail = bits[-1]._replace(text=bits[-1].text[-LONGEST_STEP // 4 :])
    return (*head, Bit(f" {MORE} ", look=AS_CODE), tail)


class _Sheet:
    """The paper at one event: writes calls as trees in which holes stand for values."""

    def __init__(self, run: RecordedRun, number: int) -> None:
        self.run, self.number, self.waiting, self.nested = run, number, 0, 0
        self.holes: list[tuple[Bit, ...]] = []

    # -------------------------------------------------------------------------------------------- holes

    def hole(self, bits: tuple[Bit, ...]) -> ast.expr:
        """Return a name that stands for some bits until all is text."""
        self.holes.append(bits)
        return ast.Name(f"ˍ{len(self.holes) - 1}ˍ", ast.Load())

    def value(self, thing: Any) -> ast.expr:
        """Return a value as an expression."""
        return self.hole(bits_of(thing, 60))

    def bits(self, text: str) -> tuple[Bit, ...]:
        """Return a text with its holes filled."""
        found: list[Bit] = []
        for place, part in enumerate(HOLE.split(text)):
            found += self.holes[int(part)] if place % 2 else [Bit(part)] if part else []
        return tuple(bit._replace(look=AS_CODE) for bit in merged(found))

    # -------------------------------------------------------------------------------------------- calls

    def written(self, call: RecordedCall) -> ast.expr:
        """Return what a call has become by now."""
        if 0 <= call.end <= self.number:
            return self._ended(call)
        begun = [self.run.calls[each] for each in self.run.children[call.number]]
        begun = [each for each in begun if each.begin <= self.number]
        if not begun:
            return self._as_called(call)
        if call.kind is Whose.GIVEN:
            return self._fold(call, begun) or self._as_called(call)
        return self._within(call, begun)

    def _ended(self, call: RecordedCall) -> ast.expr:
        end = self.run.events[call.end]
        if end.kind is Kind.GIVES:
            is_order = isinstance(end.value, Recur)
            return self._call(call.name, tuple(end.value.args)) if is_order else self.value(end.value)
        said = story(end.value) if isinstance(end.value, BaseException) else ""
        return self.hole((Bit(f"raise {said}"),))

    def _as_called(self, call: RecordedCall) -> ast.expr:
        if call.number:
            return self._call(call.name, tuple(each for _, each in call.args))
        return self.hole((Bit(self.run.title or MORE),))

    def _call(self, name: str, args: tuple[Any, ...]) -> ast.expr:
        return ast.Call(ast.Name(name, ast.Load()), [self.value(each) for each in args], [])

    def _within(self, call: RecordedCall, begun: list[RecordedCall]) -> ast.expr:
        """Return a call that another is made in: its expression, with the other call in its place."""
        inner = begun[-1]
        if call.number == 0:
            return self.written(inner)
        node = SPOTS[inner.site].node if inner.site >= 0 else None
        if node is None or function_of(node) is not SPOTS[call.spot].node or _is_in_brackets(node):
            return self._as_called(call)
        here = RunMoment(self.run, self._last_of(call))
        there = self._put(inner, begun, node, here.names)
        return self._around(call, node, there, here) if there is not None else self._as_called(call)

    def _around(self, call: RecordedCall, node: Any, there: ast.expr, here: RunMoment) -> ast.expr:
        """Return the expression that a call stands in, with something else in its place."""
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

    def _last_of(self, call: RecordedCall) -> int:
        """Return the latest event in a call itself."""
        return max(number for number in self.run.events_of[call.number] if number <= self.number)

    # -------------------------------------------------------------------------------------------- expressions

    def _put(self, inner: RecordedCall, begun: list[RecordedCall], node: Any, names: dict[str, Any]) -> ast.expr | None:
        """Return what stands in the place of a call's expression while it is made; None if that is another's work."""
        if not isinstance(node, ast.Call):
            return None
        called = node.func
        meant = names.get(called.id) if isinstance(called, ast.Name) else None
        if isinstance(meant, Compose):
            return self._composed(meant, inner, [each for each in begun if each.site == inner.site])
        if meant is not None:
            return self.written(inner) if any(_is_of(each, inner) for each in functions_in(meant)) else None
        while isinstance(called, ast.Call):
            called = called.func
        name = getattr(called, "id", getattr(called, "attr", ""))
        return self.written(inner) if name == inner.name or isinstance(called, ast.Lambda) else None

    def _composed(self, meant: Compose, inner: RecordedCall, made: list[RecordedCall]) -> ast.expr | None:
        functions = (meant.first, *meant.funcs)
        place = (len(made) - 1) % len(functions)
        if not any(_is_of(each, inner) for each in functions_in(functions[place])):
            return None
        found = self.written(inner)
        for function in functions[place + 1 :]:
            self.waiting += 1
            found = ast.Call(ast.Name(name_of(function), ast.Load()), [found], [])
        return found

    def _filled(self, expression: ast.expr, node: Any, there: ast.expr, here: RunMoment) -> ast.expr:
        """Return an expression with something put in the place of a node, and values where they are known."""
        known = here.values

        def fill(part: Any) -> Any:
            if part is node:
                return there
            if isinstance(part, ast.IfExp) and not _is_above(part.test, node):
                return fill(part.body if _is_above(part.body, node) else part.orelse)
            if isinstance(part, ast.expr) and part.spot in known and not _is_above(part, node):  # type: ignore[attr-defined]
                return self.value(known[part.spot])  # type: ignore[attr-defined]
            if isinstance(part, ast.Name) and part.id in here.names:
                return self.value(here.names[part.id])
            if isinstance(part, (*COMPREHENSIONS, *HOOKED_FUNCTIONS)):
                return part
            return _mapped(part, fill)

        return fill(expression)  # type: ignore[no-any-return]

    # -------------------------------------------------------------------------------------------- folds

    def _fold(self, call: RecordedCall, begun: list[RecordedCall]) -> ast.expr | None:
        """Return a fold as the calls that it comes to; None if this is none, or its items are not known any more."""
        things = dict(call.args)
        items, step = things.get("items"), things.get("step")
        if call.name not in FOLD_NAMES or not isinstance(items, (tuple, list)) or not callable(step):
            return None
        if len(begun) > len(items) or not all(_is_of(each, begun[-1]) for each in [*functions_in(step)][:1]):
            return None
        found, left = self.written(begun[-1]), self._left(call.name, items, len(begun))
        self.waiting += len(left)
        for item in left[:MOST_ITEMS]:
            other = self.value(item)
            args = [found, other] if call.name == "fold_left" else [other, found]
            found = ast.Call(ast.Name(name_of(step), ast.Load()), args, [])
        return found

    @staticmethod
    def _left(name: str, items: Any, done: int) -> Any:
        return items[done:] if name == "fold_left" else tuple(reversed(items[: len(items) - done]))


def _is_of(function: FunctionType, call: RecordedCall) -> bool:
    """Return whether a call is one of a function: by where its code begins, since a hooked code is another's twin."""
    code = call.code
    return code is not None and (function.__code__.co_firstlineno, function.__code__.co_filename) == (
        code.co_firstlineno,
        code.co_filename,
    )


def _is_in_brackets(node: Any) -> bool:
    """Return whether a call is made for each item of a comprehension: these have no place of their own on paper."""
    while node is not None and not isinstance(node, (ast.stmt, ast.Lambda)):
        node = getattr(node, "parent", None)
        if isinstance(node, COMPREHENSIONS):
            return True
    return False


def _is_above(part: Any, node: Any) -> bool:
    return any(each is node for each in ast.walk(part))


def _mapped(node: Any, change: Callable[[Any], Any]) -> Any:
    """Return a node with its parts changed."""
    made = copy.copy(node)
    for name, field in ast.iter_fields(node):
        if isinstance(field, list):
            setattr(made, name, [change(each) if isinstance(each, ast.AST) else each for each in field])
        elif isinstance(field, ast.AST):
            setattr(made, name, change(field))
    return made
