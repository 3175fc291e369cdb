"""The source of the running function: the current line is marked, and each line shows the latest decision on it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, groupby

from course.functional import Recur
from course.show.bits import MORE, Bit
from course.show.highlight import colored_parts
from course.watch.hooked import (
    HOOKED_FUNCTIONS,
    SPOTS,
    Hookable,
    Positioned,
    bindings,
    positioned_node,
    source_root,
    statement_of,
)
from course.watch.moment import UNBOUND, RunMoment, quoted
from course.watch.run import CallOwner, Event, Kind, RecordedCall, RecordedRun
from course.watch.sentences import VALUE_ROOM, code_bits, named, plain, value_bits

LINES_LISTED, ROUNDS_LISTED, VALUES_LISTED = 60, 16, 12
TELLING = (Kind.TEST, Kind.CASE, Kind.BOUND, Kind.NO_CASE)
ListedLine = dict[str, object]
Bits = tuple[Bit, ...]


def listing(moment: RunMoment) -> list[ListedLine]:
    """Return the lines of the running function, with the current line marked and the latest decision on each line."""
    spot = SPOTS[moment.call.spot] if moment.call.spot >= 0 else None
    if spot is None or not isinstance(spot.node, HOOKED_FUNCTIONS):
        return []
    first, last = _extent(spot.node)
    decided, now, passed = _decisions(moment), _now(moment), _skipped_lines(moment)
    lines = []
    for number in [each for each in range(first, last + 1) if each not in _docstring(spot.node)][:LINES_LISTED]:
        is_now = now[0] == number
        code = code_parts(spot.lines[number - 1], *(now[1:] if is_now else (0, 0)))
        line = {"n": number, "c": code, "b": decided.get(number, ())}
        lines.append(line | ({"now": True} if is_now else {}) | ({"off": True} if number in passed else {}))
    return lines


@lru_cache(maxsize=1024)  # each step shows all lines of the function again
def code_parts(line: str, begin: int, end: int) -> list[str]:
    """Return a line as highlighted HTML: all of it, or what is before, at and behind these columns, which count bytes.

    >>> code_parts("é + b", 5, 6)
    ['é + ', 'b', '']
    """
    data = line.encode()
    cuts = (data[:begin], data[begin:end], data[end:]) if end else (data,)
    return colored_parts([part.decode() for part in cuts])


def _extent(node: Positioned) -> tuple[int, int]:
    """Return the first and the last line of a node. Decorators of a function do not count."""
    return node.lineno, node.end_lineno or node.lineno


def _docstring(node: Hookable) -> range:
    """Return the lines of a function's docstring, which the listing leaves out."""
    if isinstance(node, ast.Lambda) or ast.get_docstring(node, clean=False) is None:
        return range(0)
    return _lines(node.body[0], node.body)


def _now(moment: RunMoment) -> tuple[int, int, int]:
    """Return the current line, and the columns of the current node; 0 and 0 if it is longer than a line."""
    node = moment.node
    if node is None or moment.event.kind is Kind.CALL:
        return (positioned_node(node).lineno if node is not None else 0), 0, 0
    here = positioned_node(node)
    inside = moment.call.spot >= 0 and _is_inside(here, positioned_node(SPOTS[moment.call.spot].node))
    if not inside:
        return 0, 0, 0
    return (here.lineno, here.col_offset, here.end_col_offset or 0 if here.end_lineno == here.lineno else 0)


def _is_inside(node: Positioned, function: Positioned) -> bool:
    first, last = _extent(function)
    return first <= node.lineno <= last


def _decisions(moment: RunMoment) -> dict[int, Bits]:
    """Return the latest decision on each line."""
    results: dict[int, Bits] = {}
    visited: set[int] = set()
    for number in moment.before:
        event = moment.run.events[number]
        if event.kind in TELLING and event.spot not in visited and not is_of_round(event):
            visited.add(event.spot)
            line = positioned_node(SPOTS[event.spot].node).lineno
            results[line] = (*_note(event), *plain("   " * (line in results)), *results.get(line, ()))
    return results


def _note(event: Event) -> Bits:
    node = SPOTS[event.spot].node
    match event.kind:
        case Kind.TEST:
            return value_bits(event.value, 60)
        case Kind.NO_CASE:
            return plain("no case fits")
        case Kind.CASE if not bindings(node):
            return plain("fits")
        case Kind.CASE:
            return (*plain("fits: "), *named(bindings(node), event.value))
    return named(bindings(node), event.value)


def _skipped_lines(moment: RunMoment) -> set[int]:
    """Return the lines that were skipped: cases that did not match, and branches that were not taken."""
    skipped: set[int] = set()
    for number in moment.before:
        event = moment.run.events[number]
        node = SPOTS[event.spot].node if event.spot >= 0 else None
        match event.kind, node, getattr(node, "parent", None):
            case Kind.CASE, ast.match_case(), ast.Match(cases=cases):
                others = (case for case in cases if case is not node)
                skipped |= {line for case in others for line in _lines(case.pattern, case.body)}
            case Kind.TEST, _, ast.If(test=test, body=body, orelse=other) if test is node and body:
                left_out = other if event.value else body
                skipped |= set(_lines(left_out[0], left_out)) if left_out else set()
    return skipped


def _lines(first: Positioned, body: list[ast.stmt]) -> range:
    return range(first.lineno, _extent(body[-1])[1] + 1)


def rounds(moment: RunMoment) -> list[Bits]:
    """Return a line for each item that the current comprehension has handled so far."""
    number = next((each for each in moment.before if is_of_round(moment.run.events[each])), None)
    if number is None or not _is_still_there(moment, number):
        return []
    comprehension = _comprehension(moment.run.events[number])
    gone = [each for each in reversed(moment.before) if _comprehension(moment.run.events[each]) is comprehension]
    results = list(_rounds([moment.run.events[each] for each in gone]))
    more = len(results) - ROUNDS_LISTED
    return [*([plain(f"{MORE} {more} before")] if more > 0 else []), *results[-ROUNDS_LISTED:]]


def is_of_round(event: Event) -> bool:
    """Return whether an event belongs to one item of a comprehension. Such events are listed separately."""
    return event.kind is not Kind.VALUE and _comprehension(event) is not None


def _comprehension(event: Event) -> ast.AST | None:
    """Return the comprehension that an event belongs to, or None."""
    node = SPOTS[event.spot].node if event.spot >= 0 else None
    parent = getattr(node, "parent", None)
    match event.kind:
        case Kind.ITEM if isinstance(node, ast.comprehension):
            return parent
        case Kind.TEST if isinstance(parent, ast.comprehension):
            return getattr(parent, "parent", None)
        case Kind.ELEMENT:
            return parent
    return None


def _is_still_there(moment: RunMoment, number: int) -> bool:
    """Return whether the statement that contains a comprehension is still running."""
    here, comprehension = moment.node, _comprehension(moment.run.events[number])
    while here is not None and here is not comprehension:
        here = getattr(here, "parent", None)
    return here is comprehension or moment.node is None or any(each is comprehension for each in ast.walk(moment.node))


def _rounds(events: list[Event]) -> Iterator[Bits]:
    """Yield a line for each item: its value, whether it was kept, and its result."""
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
            line = (*line, *plain(" → "), *value_bits(event.value, 80))
    if line:
        yield line


def values(moment: RunMoment) -> list[Bits]:
    """Return the values of the parts of the current statement, except names, which are always shown."""
    spots = [spot for spot, thing in moment.values.items() if _is_news(SPOTS[spot].node, thing)]
    return [
        (*code_bits(quoted(spot)), *plain(" = "), *value_bits(moment.values[spot], VALUE_ROOM))
        for spot in spots[-VALUES_LISTED:]
    ]


def _is_news(node: object, thing: object) -> bool:
    """Return whether the value of a part shows the reader something new.

    The value of a name is nothing new, nor is a request for another tail call.
    """
    return not isinstance(node, ast.Name) and not isinstance(thing, Recur)


def known(moment: RunMoment) -> list[tuple[str, Bits, bool]]:
    """Return each name's value, its previous value, and whether this step changed it."""
    changed, before = moment.changed, moment.meant_before
    return [
        (name, (*value_bits(thing, VALUE_ROOM), *_was(name in changed, before.get(name, UNBOUND))), name in changed)
        for name, thing in moment.names.items()
    ]


def _was(is_changed: bool, before: object) -> Bits:
    return (*plain(" (was "), *value_bits(before, 40), *plain(")")) if is_changed and before is not UNBOUND else ()


def line_after(run: RecordedRun, number: int) -> int:
    """Return the event at which the next line is done. Lines of called functions from the same cell count, too."""
    return next((stop for stop in _stops(run, number) if stop > number), run.steps[-1])


def line_before(run: RecordedRun, number: int) -> int:
    """Return the event at which the previous line was done, or the previous step if this is the first line."""
    *_, before = (run.steps[0], *(n for n in run.steps if n < number))
    return max((stop for stop in _stops(run, number) if stop < number), default=before)


def _stops(run: RecordedRun, number: int) -> list[int]:
    """Return the last event of each line, and of each item of a comprehension, in the calls to step through."""
    followed = _followed(run, run.events[number].call)
    steps = [n for n in run.steps if run.events[n].call in followed]
    rounds = [*accumulate(run.events[n].kind is Kind.ITEM and is_of_round(run.events[n]) for n in steps)]
    keys = [(_line(run, n), each * is_of_round(run.events[n])) for n, each in zip(steps, rounds, strict=True)]
    return [[*some][-1][0] for _, some in groupby(zip(steps, keys, strict=True), lambda pair: pair[1])]


def _followed(run: RecordedRun, here: int) -> set[int]:
    """Return the calls around a call, and all calls of functions that are defined in the same cells."""
    own = {call: SPOTS[run.calls[call].spot].node for call in run.path(here) if run.calls[call].kind is CallOwner.OWN}
    roots = {source_root(node) for node in own.values()}
    return {0, here, *own} | {call.number for call in run.calls if _is_def_in(roots, call)}


def _is_def_in(roots: set[ast.AST], call: RecordedCall) -> bool:
    """Return whether a call runs a function defined in one of these cells. A lambda is part of its line."""
    node = SPOTS[call.spot].node if call.kind is CallOwner.OWN else None
    return isinstance(node, ast.FunctionDef) and source_root(node) in roots


def _line(run: RecordedRun, number: int) -> tuple[object, ...]:
    """Return a key that events of the same line share: the call and the statement.

    The start of a call has a key that no other event has.
    """
    event = run.events[number]
    begins = event.kind is Kind.CALL
    return event.call, statement_of(SPOTS[event.spot].node) if event.spot >= 0 and not begins else None, begins
