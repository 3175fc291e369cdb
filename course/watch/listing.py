"""The view of a moment in a run: a sentence, the lines of the running function, and values."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate, chain, groupby

from course.functional import Recur
from course.show.bits import ELLIPSIS, DisplayPiece, bits_of, exception_text
from course.show.blocks import colored_parts
from course.show.failed import shorten_code
from course.watch.hooked import (
    HOOKED_FUNCTION_NODES,
    SPOTS,
    NodeWithPosition,
    assigned_names,
    node_and_ancestors,
    positioned_node,
    source_root,
)
from course.watch.run import (
    CallOwner,
    EventKind,
    RecordedCall,
    RecordedRun,
    RunEvent,
    RunMoment,
    code_at_spot,
    statement_at,
)

LINES_LISTED, ROUNDS_LISTED, VALUES_LISTED = 60, 16, 12
LISTED_EVENT_KINDS = (EventKind.TEST, EventKind.CASE, EventKind.BOUND, EventKind.NO_CASE)
CODE_LOOK = "code"
ListedLine = dict[str, object]
CODE_QUOTE_LENGTH = 90
SHOWN_VALUE_LENGTH = 440  # enough for a desk with four players
TYPES_WITH_SAFE_BOOL = bool, int, float, str, bytes, tuple, list, range
Bits = tuple[DisplayPiece, ...]


def prose_bits(text: str) -> Bits:
    """Return a text as a `DisplayPiece` that is shown as prose."""
    return (DisplayPiece(text),)


def code_bits(text: str) -> Bits:
    """Return code as `DisplayPiece` objects that are shown as code. Long code is shortened."""
    return (DisplayPiece(shorten_code(text, CODE_QUOTE_LENGTH), look=CODE_LOOK),)


def value_bits(thing: object, room: int = 160) -> Bits:
    """Return a value as `DisplayPiece` objects that are shown as code."""
    return tuple(bit._replace(look=CODE_LOOK) for bit in bits_of(thing, room))


def call_bits(call: RecordedCall, room: int = 160) -> Bits:
    """Return the code of a call with its arguments, as `DisplayPiece` objects."""
    return _named_call_bits(call.name, tuple(each for _, each in call.args), room)


def _named_call_bits(name: str, args: tuple[object, ...], room: int) -> Bits:
    parts = ((*code_bits(", " * (index > 0)), *value_bits(each, room)) for index, each in enumerate(args))
    several = chain.from_iterable(parts)
    return (DisplayPiece(f"{name}(", look=CODE_LOOK), *several, DisplayPiece(")", look=CODE_LOOK))


def next_call_bits(call: RecordedCall, order: Recur, room: int = 160) -> Bits:
    """Return the next call of a tail-recursive function, written with the function's own name."""
    return _named_call_bits(call.name, (*order.args, *order.kwargs.values()), room)


def name_value_bits(names: Iterable[str], things: Iterable[object]) -> Bits:
    """Return names with their values, as `name = value`."""
    bits: list[DisplayPiece] = []
    for name, thing in zip(names, things, strict=False):
        bits += [*prose_bits(", " * bool(bits)), *code_bits(f"{name} = "), *value_bits(thing)]
    return tuple(bits)


# ---------------------------------------------------------------------------------------------------- sentences


def event_sentence(moment: RunMoment) -> Bits:
    """Return a sentence that says what happens at a moment."""
    event = moment.event
    match event.kind:
        case EventKind.CALL:
            return _start_sentence(moment)
        case EventKind.GIVES | EventKind.RAISES:
            return _end_sentence(moment)
        case EventKind.TEST:
            return _condition_sentence(moment)
        case EventKind.CASE | EventKind.NO_CASE | EventKind.ITEM | EventKind.BOUND | EventKind.ELEMENT:
            return _decision_sentence(moment)
    return (*prose_bits("it prints "), *value_bits(event.value))


def _start_sentence(moment: RunMoment) -> Bits:
    call, before = moment.call, moment.previous_round
    if before and before.number != call.parent:
        return (*prose_bits("the next round: "), *call_bits(call))
    is_own = call.parent >= 0 and moment.run.calls[call.parent].kind is CallOwner.OWN
    given = ", a given function" if call.kind is CallOwner.GIVEN else ""
    if is_own and call.site >= 0:
        return (*prose_bits(f"line {SPOTS[call.site].line} calls "), *call_bits(call), *prose_bits(given))
    return (*call_bits(call), *prose_bits(f" is called{given}"))


def _end_sentence(moment: RunMoment) -> Bits:
    event, call = moment.event, moment.call
    name = call_bits(call, 40) if call.number else prose_bits("the run")
    if event.kind is EventKind.RAISES:
        above = moment.run.calls[call.parent] if call.parent >= max(moment.run.top_call, 1) else None
        text = f" and ends, so {above.name} gets the exception" if above else ""
        return (*name, *prose_bits(" raises "), *code_bits(exception_text(event.value)), *prose_bits(text))
    if isinstance(event.value, Recur):
        again = next_call_bits(call, event.value, 40)
        return (*name, *prose_bits(" continues with "), *again, *prose_bits(", and does not wait for its result"))
    return (*name, *prose_bits(" returns "), *value_bits(event.value, SHOWN_VALUE_LENGTH))


def _condition_sentence(moment: RunMoment) -> Bits:
    """Return a condition, its value, and what happens next."""
    value = moment.event.value
    # A learner's own `__bool__` must not run here.
    truth = bool(value if value is None or isinstance(value, TYPES_WITH_SAFE_BOOL) else getattr(value, "items", True))
    words = "" if value is truth else f", which counts as {truth}"
    then = ""
    match getattr(moment.node, "parent", None):
        case ast.If(body=body, orelse=other):
            branch = body if truth else other
            then = f", so the run continues on line {branch[0].lineno}" if branch else ", so this branch is skipped"
        case ast.While():
            then = ", so the loop continues" if truth else ", so the loop ends"
        case ast.IfExp():
            then = f", so the value is {'the part before `if`' if truth else 'the part after `else`'}"
        case ast.comprehension():
            then = ", so this item is kept" if truth else ", so this item is left out"
        case ast.match_case():
            then = ", so this case is used" if truth else ", so this case is skipped"
    return (
        *code_bits(code_at_spot(moment.event.spot)),
        *prose_bits(" is "),
        *value_bits(value),
        *prose_bits(words),
        *prose_bits(then),
    )


def _decision_sentence(moment: RunMoment) -> Bits:
    event, things = moment.event, moment.event.value
    names = assigned_names(moment.node) if moment.node else ()
    match event.kind:
        case EventKind.CASE:
            values = (*prose_bits(", with "), *name_value_bits(names, things)) if names else ()
            return (*code_bits(f"case {code_at_spot(event.spot)}"), *prose_bits(" matches"), *values)
        case EventKind.NO_CASE:
            return prose_bits("no case matches")
        case EventKind.ITEM:
            return (*code_bits(code_at_spot(event.spot)), *prose_bits(": "), *name_value_bits(names, things))
        case EventKind.ELEMENT:
            return (*code_bits(code_at_spot(event.spot)), *prose_bits(" makes "), *value_bits(event.value))
    return name_value_bits(names, things)


# ---------------------------------------------------------------------------------------------------- lines


def listed_lines(moment: RunMoment) -> list[ListedLine]:
    """Return the lines of the running function, each with the latest decision on this line. The current line is marked.

    Decorators and the docstring are left out.
    """
    spot = SPOTS[moment.call.spot] if moment.call.spot >= 0 else None
    if spot is None or not isinstance(spot.node, HOOKED_FUNCTION_NODES):
        return []
    function, docstring = spot.node, range(0)
    if isinstance(function, ast.FunctionDef) and ast.get_docstring(function, clean=False) is not None:
        docstring = _line_range(function.body[0], function.body[0])
    (line_now, *columns), decided, skipped = (
        _current_position(moment),
        _decisions_by_line(moment),
        _skipped_lines(moment),
    )
    lines = []
    for number in [each for each in _line_range(function, function) if each not in docstring][:LINES_LISTED]:
        begin, end = columns if number == line_now else (0, 0)
        line = {"n": number, "c": code_parts(spot.lines[number - 1], begin, end), "b": decided.get(number, ())}
        flags = {"now": number == line_now, "off": number in skipped}
        lines.append(line | {flag: True for flag, is_set in flags.items() if is_set})
    return lines


@lru_cache(maxsize=1024)  # each step shows all lines of the function again
def code_parts(line: str, begin: int, end: int) -> list[str]:
    """Return a line as highlighted HTML, in one part, or in three parts: before, between and after two columns.

    Columns are counted in bytes.

    >>> code_parts("é + b", 5, 6)
    ['é + ', 'b', '']
    """
    data = line.encode()
    cuts = (data[:begin], data[begin:end], data[end:]) if end else (data,)
    return colored_parts([part.decode() for part in cuts])


def _line_range(first: NodeWithPosition, last: NodeWithPosition) -> range:
    return range(first.lineno, (last.end_lineno or last.lineno) + 1)


def _current_position(moment: RunMoment) -> tuple[int, int, int]:
    """Return the current line, and the columns of the current node; 0 and 0 if it is longer than a line."""
    node = positioned_node(moment.node) if moment.node is not None else None
    if node is None or moment.event.kind is EventKind.CALL:
        return node.lineno if node else 0, 0, 0
    function = positioned_node(SPOTS[moment.call.spot].node) if moment.call.spot >= 0 else None
    if function is None or node.lineno not in _line_range(function, function):
        return 0, 0, 0
    return (node.lineno, node.col_offset, node.end_col_offset or 0 if node.end_lineno == node.lineno else 0)


def _decisions_by_line(moment: RunMoment) -> dict[int, Bits]:
    """Return the latest decision on each line."""
    results: dict[int, Bits] = {}
    visited: set[int] = set()
    for number in moment.events_so_far:
        event = moment.run.events[number]
        if event.kind in LISTED_EVENT_KINDS and event.spot not in visited and not is_of_comprehension_item(event):
            visited.add(event.spot)
            node = SPOTS[event.spot].node
            names = (
                ()
                if event.kind in (EventKind.TEST, EventKind.NO_CASE)
                else name_value_bits(assigned_names(node), event.value)
            )
            match event.kind:
                case EventKind.TEST:
                    note = value_bits(event.value, 60)
                case EventKind.NO_CASE:
                    note = prose_bits("no case matches")
                case EventKind.CASE:
                    note = (*prose_bits("matches: " if names else "matches"), *names)
                case _:
                    note = names
            line = positioned_node(node).lineno
            results[line] = (*note, *prose_bits("   " * (line in results)), *results.get(line, ()))
    return results


def _skipped_lines(moment: RunMoment) -> set[int]:
    """Return the lines that were skipped: cases that did not match, and branches that were not taken."""
    skipped: set[int] = set()
    for number in moment.events_so_far:
        event = moment.run.events[number]
        node = SPOTS[event.spot].node if event.spot >= 0 else None
        match event.kind, node, getattr(node, "parent", None):
            case EventKind.CASE, ast.match_case(), ast.Match(cases=cases):
                others = (case for case in cases if case is not node)
                skipped |= {line for case in others for line in _line_range(case.pattern, case.body[-1])}
            case EventKind.TEST, _, ast.If(test=test, body=body, orelse=other) if test is node and body:
                left_out = other if event.value else body
                if left_out:
                    skipped |= set(_line_range(left_out[0], left_out[-1]))
    return skipped


def comprehension_item_lines(moment: RunMoment) -> list[Bits]:
    """Return a line for each item that the current comprehension has processed so far."""
    events, node = moment.run.events, moment.node
    number = next((each for each in moment.events_so_far if is_of_comprehension_item(events[each])), None)
    comprehension = _comprehension_of(events[number]) if number is not None else None
    is_running = node is None or comprehension in (*node_and_ancestors(node), *ast.walk(node))  # or its statement is
    if comprehension is None or not is_running:
        return []
    lines: list[Bits] = []
    for event in (events[each] for each in reversed(moment.events_so_far)):
        if _comprehension_of(event) is not comprehension:
            continue
        if event.kind is EventKind.ITEM:
            lines.append(name_value_bits(assigned_names(SPOTS[event.spot].node), event.value))
        elif event.kind is EventKind.TEST:
            lines[-1] += prose_bits("; kept" if event.value else "; left out")
        else:
            lines[-1] += (*prose_bits(" → "), *value_bits(event.value, 80))
    more = len(lines) - ROUNDS_LISTED
    return [*([prose_bits(f"{ELLIPSIS} {more} before")] if more > 0 else []), *lines[-ROUNDS_LISTED:]]


def is_of_comprehension_item(event: RunEvent) -> bool:
    """Return whether an event belongs to one item of a comprehension.

    Events of comprehensions are listed separately.
    """
    return event.kind is not EventKind.VALUE and _comprehension_of(event) is not None


def _comprehension_of(event: RunEvent) -> ast.AST | None:
    """Return the comprehension that an event belongs to, or None."""
    node = SPOTS[event.spot].node if event.spot >= 0 else None
    parent = getattr(node, "parent", None)
    match event.kind:
        case EventKind.ITEM if isinstance(node, ast.comprehension):
            return parent
        case EventKind.TEST if isinstance(parent, ast.comprehension):
            return getattr(parent, "parent", None)
        case EventKind.ELEMENT:
            return parent
    return None


def part_value_lines(moment: RunMoment) -> list[Bits]:
    """Return the values of the parts of the current statement, except names and calls of `recur`.

    Names are left out because they are always shown.
    """
    shown = [
        (*code_bits(code_at_spot(spot)), *prose_bits(" = "), *value_bits(thing, SHOWN_VALUE_LENGTH))
        for spot, thing in moment.part_values.items()
        if not isinstance(SPOTS[spot].node, ast.Name) and not isinstance(thing, Recur)
    ]
    return shown[-VALUES_LISTED:]


def name_rows(moment: RunMoment) -> list[tuple[str, Bits, bool]]:
    """Return each name with its value, its previous value, and whether this step changed the value."""
    changed, before, results = moment.changed_names, moment.values_before_step, list[tuple[str, Bits, bool]]()
    for name, thing in moment.name_values.items():
        is_replaced = name in changed and name in before
        was = (*prose_bits(" (was "), *value_bits(before[name], 40), *prose_bits(")")) if is_replaced else ()
        results.append((name, (*value_bits(thing, SHOWN_VALUE_LENGTH), *was), name in changed))
    return results


def event_on_next_line(run: RecordedRun, number: int, way: int) -> int:
    """Return the number of the last event on the next line.

    If a line calls a function from the same cell, the next line is in this function. If `way` is -1, return the event
    at the end of the previous line. If there is no previous line, return the previous step.
    """
    stops = _last_events_of_lines(run, number)
    if way > 0:
        return next((stop for stop in stops if stop > number), run.steps[-1])
    *_, before = (run.steps[0], *(n for n in run.steps if n < number))
    return max((stop for stop in stops if stop < number), default=before)


def _last_events_of_lines(run: RecordedRun, number: int) -> list[int]:
    """Return the last event of each line, and of each item of a comprehension, in the calls to step through.

    These are the calls around an event, and all calls of functions that are defined in the same cells.
    """
    here, events = run.events[number].call, run.events
    own = {
        call: SPOTS[run.calls[call].spot].node for call in run.call_path(here) if run.calls[call].kind is CallOwner.OWN
    }
    followed, roots = {0, here, *own}, {source_root(node) for node in own.values()}
    for call in run.calls:
        node = SPOTS[call.spot].node if call.kind is CallOwner.OWN else None
        if isinstance(node, ast.FunctionDef) and source_root(node) in roots:  # a lambda is part of its line
            followed.add(call.number)
    steps = [n for n in run.steps if events[n].call in followed]
    items = [*accumulate(events[n].kind is EventKind.ITEM and is_of_comprehension_item(events[n]) for n in steps)]
    keys = [
        (_line_key(events[n]), each * is_of_comprehension_item(events[n])) for n, each in zip(steps, items, strict=True)
    ]
    return [[*some][-1][0] for _, some in groupby(zip(steps, keys, strict=True), lambda pair: pair[1])]


def _line_key(event: RunEvent) -> tuple[object, ...]:
    """Return a key that events of the same line share: the call and the statement.

    The start of a call has a key that no other event has.
    """
    begins = event.kind is EventKind.CALL
    return event.call, None if begins else statement_at(event.spot), begins
