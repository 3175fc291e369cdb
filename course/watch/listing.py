"""The source of a function as it is at work: the line that is decided, and what each line has come to so far."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from course.functional import Recur
from course.show.bits import MORE, Bit
from course.watch.hooked import SPOTS, bindings, located
from course.watch.moment import UNBOUND, RunMoment, quoted
from course.watch.run import Event, Kind
from course.watch.said import code, named, plain, shown

MOST_LISTED, MOST_ROUNDS, MOST_VALUES = 60, 16, 12
TELLING = (Kind.TEST, Kind.CASE, Kind.BOUND, Kind.NO_CASE)
ListedLine = dict[str, Any]
Bits = tuple[Bit, ...]


def listing(moment: RunMoment) -> list[ListedLine]:
    """Return the lines of the function that is at work, the one that is decided marked, with what was decided."""
    spot = SPOTS[moment.call.spot] if moment.call.spot >= 0 else None
    if spot is None or spot.node is None:
        return []
    first, last = _extent(spot.node)
    told, now, passed = _told(moment), _now(moment), _passed(moment)
    lines = []
    for number in [each for each in range(first, last + 1) if each not in _docstring(spot.node)][:MOST_LISTED]:
        line = {"n": number, "t": spot.lines[number - 1], "b": told.get(number, ())}
        line |= {"now": now[1:]} if now[0] == number else {}
        lines.append(line | ({"off": True} if number in passed else {}))
    return lines


def _extent(node: Any) -> tuple[int, int]:
    """Return the first and the last line of a function; its decorators are not what is decided."""
    return node.lineno, node.end_lineno


def _docstring(node: Any) -> range:
    """Return the lines of a function's docstring: nothing is decided there."""
    if isinstance(node, ast.Lambda) or ast.get_docstring(node, clean=False) is None:
        return range(0)
    return range(node.body[0].lineno, node.body[0].end_lineno + 1)


def _now(moment: RunMoment) -> tuple[int, int, int]:
    """Return the line that is decided, and from where to where in it; the whole line where it is more than one."""
    node = moment.node
    if node is None or moment.event.kind is Kind.CALL:
        return (located(node).lineno if node is not None else 0), 0, 0
    here = located(node)
    inside = moment.call.spot >= 0 and _is_inside(here, SPOTS[moment.call.spot].node)
    if not inside:
        return 0, 0, 0
    return (here.lineno, here.col_offset, here.end_col_offset if here.end_lineno == here.lineno else 0)


def _is_inside(node: Any, function: Any) -> bool:
    return function.lineno <= node.lineno <= function.end_lineno


def _told(moment: RunMoment) -> dict[int, Bits]:
    """Return by line what was decided there last."""
    found: dict[int, Bits] = {}
    seen: set[int] = set()
    for number in moment.before:
        event = moment.run.events[number]
        if event.kind in TELLING and event.spot not in seen and not _is_round(event):
            seen.add(event.spot)
            line = located(SPOTS[event.spot].node).lineno
            found[line] = (*_note(event), *plain("   " * (line in found)), *found.get(line, ()))
    return found


def _is_round(event: Event) -> bool:
    """Return whether an event belongs to a round of a comprehension: these are told by themselves."""
    return isinstance(getattr(SPOTS[event.spot].node, "parent", None), ast.comprehension)


def _note(event: Event) -> Bits:
    node = SPOTS[event.spot].node
    match event.kind:
        case Kind.TEST:
            return shown(event.value, 60)
        case Kind.NO_CASE:
            return plain("no case fits")
        case Kind.CASE if not bindings(node):
            return plain("fits")
        case Kind.CASE:
            return (*plain("fits: "), *named(bindings(node), event.value))
    return named(bindings(node), event.value)


def _passed(moment: RunMoment) -> set[int]:
    """Return the lines that were passed over: cases that did not fit, and the branch that was not taken."""
    found: set[int] = set()
    for number in moment.before:
        event = moment.run.events[number]
        node = SPOTS[event.spot].node if event.spot >= 0 else None
        match event.kind, node, getattr(node, "parent", None):
            case Kind.CASE, ast.match_case(), ast.Match(cases=cases):
                others = (case for case in cases if case is not node)
                found |= {line for case in others for line in _lines(case.pattern, case.body)}
            case Kind.TEST, _, ast.If(test=test, body=body, orelse=other) if test is node and body:
                left_out = other if event.value else body
                found |= set(_lines(left_out[0], left_out)) if left_out else set()
    return found


def _lines(first: Any, body: list[Any]) -> range:
    return range(first.lineno, body[-1].end_lineno + 1)


def rounds(moment: RunMoment) -> list[Bits]:
    """Return what the comprehension that is looked at has gone through: each item, and what became of it."""
    number = next((each for each in moment.before if is_of_round(moment.run.events[each])), None)
    if number is None or not _is_still_there(moment, number):
        return []
    whole = _comprehension(moment.run.events[number])
    gone = [each for each in reversed(moment.before) if _comprehension(moment.run.events[each]) is whole]
    found = list(_rounds([moment.run.events[each] for each in gone]))
    more = len(found) - MOST_ROUNDS
    return [*([plain(f"{MORE} {more} before")] if more > 0 else []), *found[-MOST_ROUNDS:]]


def is_of_round(event: Event) -> bool:
    return event.kind is not Kind.VALUE and _comprehension(event) is not None


def _comprehension(event: Event) -> Any:
    """Return the comprehension that an event tells of, None of any other event."""
    node = SPOTS[event.spot].node if event.spot >= 0 else None
    parent = getattr(node, "parent", None)
    match event.kind:
        case Kind.ITEM if isinstance(node, ast.comprehension):
            return parent
        case Kind.TEST if isinstance(parent, ast.comprehension):
            return parent.parent  # type: ignore[attr-defined]
        case Kind.ELEMENT:
            return parent
    return None


def _is_still_there(moment: RunMoment, number: int) -> bool:
    """Return whether the statement that a comprehension stands in is still the one under way."""
    here = moment.node
    whole = _comprehension(moment.run.events[number])
    while here is not None and here is not whole:
        here = getattr(here, "parent", None)
    return here is whole or moment.node is None or whole in ast.walk(moment.node)


def _rounds(events: list[Event]) -> Iterator[Bits]:
    """Yield a line for each item: what it is, whether it is kept, what is made of it."""
    line: Bits = ()
    for event in events:
        node = SPOTS[event.spot].node
        if event.kind is Kind.ITEM and line:
            yield line
        if event.kind is Kind.ITEM:
            line = named(bindings(node), event.value)
        elif event.kind is Kind.TEST:
            line = (*line, *plain("; kept" if event.value else "; left out"))
        else:
            line = (*line, *plain(" → "), *shown(event.value, 80))
    if line:
        yield line


def values(moment: RunMoment) -> list[Bits]:
    """Return what the parts of the statement under way have come to, names aside: their values are told anyway."""
    spots = [spot for spot, thing in moment.values.items() if _is_news(SPOTS[spot].node, thing)]
    return [(*code(quoted(spot)), *plain(" = "), *shown(moment.values[spot], 100)) for spot in spots[-MOST_VALUES:]]


def _is_news(node: Any, thing: Any) -> bool:
    """Return whether a part's value says something that is not shown anyway: no name, and no order for a next round."""
    return not isinstance(node, ast.Name) and not isinstance(thing, Recur)


def known(moment: RunMoment) -> list[tuple[str, Bits, bool]]:
    """Return what each name means now, what it meant before, and whether this step has changed it."""
    changed, before = moment.changed, moment.meant_before
    return [
        (name, (*shown(thing, 120), *_was(name in changed, before.get(name, UNBOUND))), name in changed)
        for name, thing in moment.names.items()
    ]


def _was(is_changed: bool, before: Any) -> Bits:
    return (*plain(" (was "), *shown(before, 40), *plain(")")) if is_changed and before is not UNBOUND else ()


def way_up(moment: RunMoment) -> list[Bits]:
    """Return the way of the exception that is under way: from the call that raised it to where it is caught."""
    run, error = moment.run, moment.event.value
    if moment.event.kind not in (Kind.RAISES, Kind.CAUGHT):
        return []
    falls = [n for n, event in enumerate(run.events) if event.kind is Kind.RAISES and event.value is error]
    return [_fall(run.events[n], run.calls[run.events[n].call].name, n <= moment.number) for n in falls]


def _fall(event: Event, name: str, is_done: bool) -> Bits:
    line = located(SPOTS[event.spot].node).lineno if event.spot >= 0 else 0
    where = f"line {line}: " if line else ""
    told = (*code(name or "all of it"), *plain(f" is left, {where}"), *code(quoted(event.spot)))
    return told if is_done else (*plain("then "), *told)
