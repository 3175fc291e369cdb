"""The facts about a failing call, in two sentences: the learner's line that decided its result, and values."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from types import UnionType
from typing import NamedTuple, TypeAlias

from course.diagnoses.failure import GAVE, PRINTED, RAISED, Failure
from course.exam.calls import Names
from course.exam.wire import OpaqueValue
from course.show.bits import code_of
from course.show.failed import shorten_code
from course.syntax import COMPREHENSIONS, expression_of
from course.watch.hooked import SPOTS, assigned_names, node_and_ancestors, spot_index
from course.watch.run import (
    CallOwner,
    EventKind,
    RecordedCall,
    RecordedRun,
    RunEvent,
    RunMoment,
    RunState,
    code_at_spot,
    source_segment,
)

CODE_ROOM, FACT_ROOM, VALUES_ROOM, FACTS_SHOWN = 60, 44, 120, 3
FIRST_VALUES_LENGTH = 50  # letters of values; after more, there is no room for a second sentence
DECISION_KINDS = (EventKind.TEST, EventKind.CASE, EventKind.NO_CASE)
NO_VALUE = object()
COMPUTED_NODE_TYPES = ast.Call, ast.BoolOp, ast.BinOp, ast.Subscript
Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.GeneratorExp


class WrongPart(NamedTuple):
    """A wrong part of a returned expression: its node, and its actual and expected values as code ("" if unknown)."""

    node: ast.AST
    got: str
    wanted: str


def fact_sentences(run: RecordedRun, name: str, failure: Failure, names: Names) -> str:
    """Return one or two sentences on why a call of the exercise `name` failed; "" if the run does not show why."""
    own = [call for call in run.calls if call.kind is CallOwner.OWN]
    call = next((each for each in own if each.name == name), own[0] if own else None)
    if call is None or run.left_out or run.state is RunState.STOPPED:
        return ""
    end = run.end_event(call.number)
    has_raised = end is not None and end.kind is EventKind.RAISES
    if failure.has_ended and failure.did != PRINTED and has_raised != (failure.did == RAISED):
        return ""  # it ran otherwise in the check
    if failure.did == GAVE and end is not None and _differs_from_check(call, end, failure):
        return ""
    if failure.did == PRINTED:
        sentences = _print_sentences(run, call, failure)
    elif end is None:
        return ""
    else:
        sentences = (
            _error_sentences(run, call, names)
            if end.kind is EventKind.RAISES
            else _return_sentences(run, call, end, failure.wanted_code)
        )
    return " ".join([each for each in sentences if each][:2])


def _differs_from_check(call: RecordedCall, end: RunEvent, failure: Failure) -> bool:
    """Return whether a call returned another value than in the check, as with a list that each call changes."""
    code, shown = expression_of(failure.call), expression_of(failure.seen or "")
    is_call = isinstance(code, ast.Call) and isinstance(code.func, ast.Name) and code.func.id == call.name
    got = expression_of(code_of(end.value, 2_000)) if is_call else None
    return got is not None and shown is not None and ast.dump(got) != ast.dump(shown)


# ------------------------------------------------------------------------------------------------ values


def _source_lines(spot: int) -> tuple[str, ...]:
    return SPOTS[spot].lines if spot >= 0 else ()


def _short_code(spot: int, node: ast.AST | None = None) -> str:
    return shorten_code(code_at_spot(spot) if node is None else source_segment(_source_lines(spot), node), CODE_ROOM)


def _short_value(thing: object) -> str:
    return code_of(thing, FACT_ROOM)


def _values_clause(moment: RunMoment, node: ast.AST, items: dict[str, object]) -> str:
    """Return the clause `for …` with the values of the names in an expression, and of what it compares; "" if none."""
    known, shown, lines = {**moment.name_values, **items}, dict[str, object](), _source_lines(spot_index(node))
    # A list is known as it was when it got its name, but code such as `sizes.append(6)` may have changed it.
    may_change = {*re.findall(r"\b(\w+)[.[]", "".join(lines))}
    compared = (each for each in _nodes_outside_loops(node) if isinstance(each, ast.Compare))
    operands = [operand for each in compared for operand in (each.left, *each.comparators)]
    for part in (*operands, node):
        value = moment.part_values.get(spot_index(part), NO_VALUE) if part is not node else NO_VALUE
        if value is not NO_VALUE and any(isinstance(each, COMPUTED_NODE_TYPES) for each in ast.walk(part)):
            shown[source_segment(lines, part)] = value
            continue
        for name in (each.id for each in _nodes_outside_loops(part) if isinstance(each, ast.Name) and each.id in known):
            is_stale = isinstance(known[name], list | dict | set) and name in may_change
            if not (callable(known[name]) or isinstance(known[name], OpaqueValue) or is_stale):
                shown[name] = known[name]
    texts = [f"`{shorten_code(code, 40)}` = `{_short_value(value)}`" for code, value in shown.items()][:FACTS_SHOWN]
    while len(", ".join(texts)) > VALUES_ROOM:
        texts.pop()
    return f" for {', '.join(texts)}" if texts else ""


def _nodes_outside_loops(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of an expression, in source order, without those in comprehensions and lambdas."""
    yield node
    if not isinstance(node, (*COMPREHENSIONS, ast.Lambda)):
        for each in ast.iter_child_nodes(node):
            yield from _nodes_outside_loops(each)


def _loop_values_before(run: RecordedRun, number: int, node: ast.AST) -> dict[str, object]:
    """Return the loop variables of the comprehension around a node, with their values at an event."""
    around = [each for each in node_and_ancestors(node) if isinstance(each, COMPREHENSIONS)]
    values: dict[str, object] = {}
    for generator in (part for each in reversed(around) for part in each.generators):
        for event in reversed(run.events[: number + 1]):
            if event.kind is EventKind.ITEM and SPOTS[event.spot].node is generator:
                values |= zip(assigned_names(generator), event.value, strict=False)
                break
    return values


# ------------------------------------------------------------------------------------------------ decisions


def _decision_clause(run: RecordedRun, number: int, on: str = "On") -> str:
    """Return a decision as a clause: "On line 4, `tile == other` was False for `tile` = `Domino(5, 4)`"."""
    event, moment = run.events[number], RunMoment(run, number)
    node, line = SPOTS[event.spot].node, f"{on} line {SPOTS[event.spot].line}"
    if event.kind is EventKind.TEST:
        values = _values_clause(moment, node, _loop_values_before(run, number, node))
        return f"{line}, `{_short_code(event.spot)}` was {bool(event.value)}{values}"
    match = next(each for each in node_and_ancestors(node) if isinstance(each, ast.Match))
    of = source_segment(_source_lines(event.spot), match.subject)
    value = moment.name_values.get(of, moment.part_values.get(spot_index(match.subject), NO_VALUE))
    shown = f"`{of}`" + (f" = `{_short_value(value)}`" if value is not NO_VALUE else "")
    if event.kind is EventKind.NO_CASE:
        return f"{line}, no `case` matched {shown}"
    return f"{line}, `case {_short_code(event.spot)}` matched {shown}"


def _last_decision(run: RecordedRun, calls: set[int], until: int, skips_guards: bool = False) -> int | None:
    """Return the number of the last condition or `case` in these calls before an event, outside of comprehensions.

    If `skips_guards` is true, leave out the conditions that are false, and below which an exception is raised.
    """
    for number in range(until - 1, -1, -1):
        event = run.events[number]
        if event.call in calls and event.kind in DECISION_KINDS:
            parent = getattr(SPOTS[event.spot].node, "parent", None)
            is_guard = isinstance(parent, ast.If) and not event.value and isinstance(parent.body[-1], ast.Raise)
            if not isinstance(parent, ast.comprehension) and not (is_guard and skips_guards):
                return number
    return None


# ------------------------------------------------------------------------------------------------ outcomes


def _error_sentences(run: RecordedRun, call: RecordedCall, names: Names) -> Iterator[str]:
    spot = run.events[call.end].spot
    if spot < 0:
        return
    node = SPOTS[spot].node
    values = _values_clause(RunMoment(run, call.end), node, _loop_values_before(run, call.end, node))
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in names and not callable(names[name]):
            value = names[name]
            parts = (
                [each.__name__ for each in value.__args__] if isinstance(value, UnionType) else [_short_value(value)]
            )
            code = " | ".join(parts)
            values += f": `{name}` is `{code}`, and cannot be called"
    yield f"On line {SPOTS[spot].line}, `{_short_code(spot)}` raised the exception{values}."
    if (number := _last_decision(run, {call.number}, call.end)) is not None:
        yield f"Before that, {_decision_clause(run, number, 'on')}."


def _print_sentences(run: RecordedRun, call: RecordedCall, failure: Failure) -> Iterator[str]:
    """Yield a sentence on the last condition or `case` before the answer printed a wrong line, or ended."""
    printed, at = "", len(run.events)
    for number, event in enumerate(run.events):
        if event.kind is EventKind.PRINTED:
            printed += event.value
            if printed.count("\n") >= failure.row:
                at = number
                break
    root = SPOTS[call.spot].node
    calls = {each.number for each in run.calls if each.spot >= 0 and root in node_and_ancestors(SPOTS[each.spot].node)}
    if (last := _last_decision(run, calls, at)) is not None:
        yield f"Before that, {_decision_clause(run, last, 'on')}."


def _return_sentences(run: RecordedRun, call: RecordedCall, end: RunEvent, wanted: str) -> Iterator[str]:
    value = _returned_node(run, call) if end.spot >= 0 else None
    if isinstance(value, ast.expr):
        got, want = expression_of(code_of(end.value, 2_000)), expression_of(wanted)
        yield from _wrong_part_sentences(run, call, _wrong_part(run, call, value, got, want))


def _wrong_part(
    run: RecordedRun, call: RecordedCall, node: ast.expr, got: ast.expr | None, want: ast.expr | None
) -> WrongPart:
    """Return the smallest part of a returned expression that made a wrong part of the value."""
    pair = None
    match node, got, want:
        case ast.Tuple(elts=parts), ast.Tuple(elts=some), ast.Tuple(elts=others):
            if not any(isinstance(each, ast.Starred) for each in parts):
                pair = _only_wrong_part(parts, some, others)
        case (
            ast.Call(func=ast.Name(id=name), args=parts),
            ast.Call(func=ast.Name(id=one), args=some),
            ast.Call(func=ast.Name(id=other), args=others),
        ) if name == one == other:
            pair = _only_wrong_part(parts, some, others)
        case ast.IfExp(test=test, body=body, orelse=other), _, _:
            tests = [run.events[n] for n in run.events_by_call[call.number] if run.events[n].kind is EventKind.TEST]
            taken = next((each.value for each in reversed(tests) if SPOTS[each.spot].node is test), None)
            return _wrong_part(run, call, body if taken else other, got, want)
        case ast.Name(id=name), _, _:
            for number in reversed(run.events_by_call[call.number]):
                event = run.events[number]
                bound = SPOTS[event.spot].node if event.kind is EventKind.BOUND else None
                if isinstance(bound, ast.Assign) and assigned_names(bound) == (name,):
                    return _wrong_part(run, call, bound.value, got, want)
    if pair:
        return _wrong_part(run, call, *pair)
    return WrongPart(node, *(ast.unparse(each) if each else "" for each in (got, want)))


def _only_wrong_part(
    parts: list[ast.expr], some: list[ast.expr], others: list[ast.expr]
) -> tuple[ast.expr, ast.expr, ast.expr] | None:
    """Return the part that is wrong, with its actual and its expected value; None if not exactly one part is wrong."""
    if not len(parts) == len(some) == len(others):
        return None
    unlike = [each for each in zip(parts, some, others, strict=True) if ast.dump(each[1]) != ast.dump(each[2])]
    return unlike[0] if len(unlike) == 1 else None


def _wrong_part_sentences(run: RecordedRun, call: RecordedCall, part: WrongPart) -> Iterator[str]:
    """Yield sentences on what made a wrong part: an item of a comprehension, or else the last condition or `case`."""
    loops = [each for each in ast.walk(part.node) if isinstance(each, Comprehension)]
    if text := _wrong_item_sentence(run, call, loops, part):
        yield text
        return
    number = _last_decision(run, {call.number}, call.end, skips_guards=bool(part.wanted))
    is_plain = isinstance(part.node, ast.Constant | ast.Name)
    values = "" if is_plain else _values_clause(RunMoment(run, call.end), part.node, {})
    made = f"line {part.node.lineno}, `{_short_code(call.spot, part.node)}`"  # type: ignore[attr-defined]
    is_part = part.node is not _returned_node(run, call)
    shown = f" was `{part.got}`" if is_part and len(part.got) <= FACT_ROOM else " was returned"
    if is_part or number is None:
        yield f"On {made}{shown}{values}." if values else ""
    if number is not None and not (is_part and len(values) > FIRST_VALUES_LENGTH):
        yield f"{_decision_clause(run, number)}."
        yield "" if is_part else f"So on {made}{shown}{values}."


def _returned_node(run: RecordedRun, call: RecordedCall) -> ast.AST | None:
    node = SPOTS[run.events[call.end].spot].node
    return node.value if isinstance(node, ast.Return) else getattr(node, "body", None)


def _element_codes(code: str) -> list[str]:
    tree = expression_of(code)
    return [ast.unparse(each) for each in tree.elts] if isinstance(tree, ast.Tuple | ast.List) else []


def _wrong_item_sentence(run: RecordedRun, call: RecordedCall, loops: list[Comprehension], part: WrongPart) -> str:
    """Return why comprehensions made a wrong item, kept one that is too many, or left out one that is missing."""
    got, wanted = _element_codes(part.got), _element_codes(part.wanted)
    extra = [each for each in got if got.count(each) > wanted.count(each)]
    lost = {each for each in wanted if wanted.count(each) > got.count(each)}
    conditions = [test for loop in loops for each in loop.generators for test in each.ifs]
    made: list[int] = []  # the events of elements that the comprehensions made
    for number in (n for n in run.events_by_call[call.number] if run.events[n].spot >= 0):
        event = run.events[number]
        node = SPOTS[event.spot].node
        if event.kind is EventKind.TEST and node in conditions and not event.value:
            if {code_of(each, 2_000) for each in _loop_values_before(run, number, node).values()} & lost:
                return f"{_decision_clause(run, number)}, so this item was left out."
        elif event.kind is EventKind.ELEMENT and any(node is loop.elt for loop in loops):
            made.append(number)
    if wrong := [number for number in made if code_of(run.events[number].value, 2_000) in extra]:
        return _reason_for_item(run, wrong[-1], conditions, len(got) == len(wanted))
    return ""


def _reason_for_item(run: RecordedRun, number: int, conditions: list[ast.expr], is_changed: bool) -> str:
    """Return why an item is in the result: the condition that was true for it, or what made it."""
    event = run.events[number]
    if not is_changed:
        for before in range(number, -1, -1):
            if run.events[before].kind is EventKind.TEST and SPOTS[run.events[before].spot].node in conditions:
                return f"{_decision_clause(run, before)}, so this item was kept."
    elt = SPOTS[event.spot].node
    values = _values_clause(RunMoment(run, number), elt, _loop_values_before(run, number, elt))
    return f"On line {SPOTS[event.spot].line}, `{_short_code(event.spot)}` was `{_short_value(event.value)}`{values}."
