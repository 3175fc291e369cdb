"""The facts of a failing call: the line of the learner's code that decided its result, and values, in two sentences."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import takewhile
from types import MappingProxyType, UnionType
from typing import NamedTuple, TypeAlias

from course.diagnoses.failure import PRINTED, RAISED, Failure
from course.exam.calls import Names
from course.exam.wire import Opaque
from course.show.bits import code_of
from course.show.failed import shortened
from course.syntax import expression_of
from course.watch.hooked import COMPREHENSIONS, SPOTS, bindings, with_ancestors
from course.watch.marking import EXPECTED
from course.watch.moment import RunMoment, quoted, segment
from course.watch.run import CallOwner, Event, Kind, RecordedCall, RecordedRun, State

CODE_ROOM, FACT_ROOM, VALUES_ROOM, FACTS_SHOWN, ELEMENTS_SHOWN, UNFIT_SHOWN = 60, 44, 120, 3, 4, 3
FIRST_ROOM = 50  # letters of values; after more, there is no room for a second sentence
DECISIONS = (Kind.TEST, Kind.CASE, Kind.NO_CASE)
NO_VALUE = object()
COMPUTED = ast.Call, ast.BoolOp, ast.BinOp, ast.Subscript
Loop: TypeAlias = ast.ListComp | ast.SetComp | ast.GeneratorExp


class WrongPart(NamedTuple):
    """A part of an expression that made a wrong part of a value. `got` and `wanted` are code, or "" if missing."""

    node: ast.AST
    got: str
    wanted: str


def facts_of(
    run: RecordedRun, name: str, failure: Failure, names: Names, wrong: Mapping[int, str] = MappingProxyType({})
) -> str:
    """Return what decided the outcome of the failing call of an exercise, or "" if the run does not show it.

    `wrong` has the first wrong call, if one is known, and its expected result.
    """
    own = [call for call in run.calls if call.kind is CallOwner.OWN]
    call = next((each for each in own if each.name == name), own[0] if own else None)
    if call is None:
        return ""
    end = run.result(call.number)
    has_raised = end is not None and end.kind is Kind.RAISES
    if (
        run.left_out
        or run.state is State.STOPPED
        or (failure.is_done and failure.did != PRINTED and has_raised != (failure.did == RAISED))
    ):
        return ""  # it ran otherwise in the check
    wanted, where = failure.wanted_code, ""
    for number, expected in wrong.items():
        if number != call.number:
            call, wanted = run.calls[number], expected.removeprefix(EXPECTED)
            where = f"In `{_call_code(call)}`: "
    sentences = [each for each in _sentences(run, call, failure, wanted, names) if each]
    return where + " ".join(sentences[:2]) if sentences else ""


def _call_code(call: RecordedCall) -> str:
    text = f"{call.name}({', '.join(code_of(value, 30) for _, value in call.args)})"
    return text if len(text) <= CODE_ROOM else f"{call.name}(…)"


def _sentences(run: RecordedRun, call: RecordedCall, failure: Failure, wanted: str, names: Names) -> Iterator[str]:
    end = run.result(call.number)
    if failure.did == PRINTED:
        yield from _before_print(run, call, failure)
    elif end is None or end.kind is Kind.CLOSES:
        return
    elif end.kind is Kind.RAISES:
        yield from _raised(run, call, names)
    else:
        yield from _returned(run, call, end, wanted)


# ------------------------------------------------------------------------------------------------ values


def _lines_of(spot: int) -> tuple[str, ...]:
    return SPOTS[spot].lines if spot >= 0 else ()


def _code(spot: int, node: ast.AST | None = None) -> str:
    text = quoted(spot) if node is None else segment(_lines_of(spot), node)  # type: ignore[arg-type]
    return shortened(text, CODE_ROOM)


def _value(thing: object) -> str:
    return code_of(thing, FACT_ROOM)


def _with_values(moment: RunMoment, node: ast.AST, items: dict[str, object]) -> str:
    """Return the clause `for …` with the values of names and compared operands in an expression; "" if it has none."""
    known, shown = {**moment.names, **items}, dict[str, object]()

    def show_names(part: ast.AST) -> None:
        names = [each.id for each in _outside_loops(part) if isinstance(each, ast.Name) and each.id in known]
        values = {name: known[name] for name in names}
        shown.update({name: each for name, each in values.items() if not (callable(each) or isinstance(each, Opaque))})

    operands = (
        operand
        for each in _outside_loops(node)
        if isinstance(each, ast.Compare)
        for operand in (each.left, *each.comparators)
    )
    for operand in operands:
        value = moment.values.get(vars(operand)["spot"], NO_VALUE)
        if any(isinstance(each, COMPUTED) for each in ast.walk(operand)) and value is not NO_VALUE:
            shown[segment(_lines_of(vars(node)["spot"]), operand)] = value
        else:
            show_names(operand)
    show_names(node)
    texts = [f"`{shortened(code, 40)}` = `{_value(value)}`" for code, value in shown.items()][:FACTS_SHOWN]
    while len(", ".join(texts)) > VALUES_ROOM:
        texts.pop()
    return f" for {', '.join(texts)}" if texts else ""


def _outside_loops(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of an expression, in source order, without those in comprehensions and lambdas."""
    yield node
    if not isinstance(node, (*COMPREHENSIONS, ast.Lambda)):
        for each in ast.iter_child_nodes(node):
            yield from _outside_loops(each)


def _items_before(run: RecordedRun, number: int, node: ast.AST) -> dict[str, object]:
    """Return the values of the names that the comprehension around a node has bound for its current item."""
    around = [each for each in with_ancestors(node) if isinstance(each, COMPREHENSIONS)]
    values: dict[str, object] = {}
    for generator in (part for each in reversed(around) for part in each.generators):
        here = (n for n in range(number, -1, -1) if _is_item_of(run.events[n], generator))
        if (last := next(here, None)) is not None:
            values |= zip(bindings(generator), run.events[last].value, strict=False)
    return values


def _is_item_of(event: Event, generator: ast.comprehension) -> bool:
    return event.kind is Kind.ITEM and SPOTS[event.spot].node is generator


# ------------------------------------------------------------------------------------------------ decisions


def _decision(run: RecordedRun, number: int) -> str:
    """Return a decision as a clause: "on line 4, `tile == other` was False for `tile` = `Domino(5, 4)`"."""
    event = run.events[number]
    return f"on line {SPOTS[event.spot].line}, {_what_was_decided(run, number, event)}"


def _what_was_decided(run: RecordedRun, number: int, event: Event) -> str:
    moment, node = RunMoment(run, number), SPOTS[event.spot].node
    if event.kind is Kind.TEST:
        values = _with_values(moment, node, _items_before(run, number, node))
        return f"`{_code(event.spot)}` was {bool(event.value)}{values}"
    match = next(each for each in with_ancestors(node) if isinstance(each, ast.Match))
    subject = moment.values.get(vars(match.subject)["spot"], NO_VALUE)
    of = segment(_lines_of(event.spot), match.subject)
    value = moment.names.get(of, subject)
    shown = f"`{of}`" + (f" = `{_value(value)}`" if value is not NO_VALUE else "")
    if event.kind is Kind.NO_CASE:
        return f"no `case` fitted {shown}"
    before = takewhile(lambda case: node not in ast.walk(case), match.cases)
    others = [f"`case {segment(_lines_of(event.spot), case.pattern)}`" for case in before]
    is_last = _code(event.spot) == "_" and 0 < len(others) <= UNFIT_SHOWN
    after = f", after {' and '.join(others)} did not" if is_last else ""
    return f"`case {_code(event.spot)}` fitted {shown}{after}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _last_decision(run: RecordedRun, calls: set[int], until: int) -> int | None:
    """Return the last decision before an event in some calls. Decisions of comprehensions do not count."""
    for number in range(until - 1, -1, -1):
        event = run.events[number]
        if event.call in calls and event.kind in DECISIONS:
            parent = getattr(SPOTS[event.spot].node, "parent", None)
            if not isinstance(parent, ast.comprehension):
                return number
    return None


# ------------------------------------------------------------------------------------------------ outcomes


def _raised(run: RecordedRun, call: RecordedCall, names: Names) -> Iterator[str]:
    spot = run.events[call.end].spot
    if spot < 0:
        return
    node, moment = SPOTS[spot].node, RunMoment(run, call.end)
    values = _with_values(moment, node, _items_before(run, call.end, node))
    yield f"On line {SPOTS[spot].line}, `{_code(spot)}` raised the exception{values}{_not_callable(node, names)}."
    if (number := _last_decision(run, {call.number}, call.end)) is not None:
        yield f"Before that, {_decision(run, number)}."


def _not_callable(node: ast.AST, names: Names) -> str:
    """Return the value of a global name that is called although it is no function, such as a union of classes."""
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in names and not callable(names[name]):
            value = names[name]
            text = (
                " | ".join(each.__name__ for each in value.__args__) if isinstance(value, UnionType) else _value(value)
            )
            return f": `{name}` is `{text}`, and cannot be called"
    return ""


def _before_print(run: RecordedRun, call: RecordedCall, failure: Failure) -> Iterator[str]:
    """Yield the last decision of the answer before it printed the wrong line, or ended without it."""
    printed, at = "", len(run.events)
    for number, event in enumerate(run.events):
        if event.kind is Kind.PRINTED:
            printed += event.value
            if printed.count("\n") >= failure.row:
                at = number
                break
    root = SPOTS[call.spot].node
    calls = {each.number for each in run.calls if each.spot >= 0 and root in with_ancestors(SPOTS[each.spot].node)}
    if (last := _last_decision(run, calls, at)) is not None:
        yield f"Before that, {_decision(run, last)}."


def _returned(run: RecordedRun, call: RecordedCall, end: Event, wanted: str) -> Iterator[str]:
    value = _returned_node(run, call) if end.spot >= 0 else None
    if isinstance(value, ast.expr):
        got, want = expression_of(code_of(end.value, 2_000)), expression_of(wanted)
        yield from _made(run, call, _wrong_part(run, call, value, got, want))
    elif (number := _last_decision(run, {call.number}, call.end)) is not None:
        yield f"{_capital(_decision(run, number))}, and then nothing was returned."


def _wrong_part(
    run: RecordedRun, call: RecordedCall, node: ast.expr, got: ast.expr | None, want: ast.expr | None
) -> WrongPart:
    """Return the smallest part of a returned expression that made a wrong part of the value."""
    match node, got, want:
        case ast.Tuple(elts=parts), ast.Tuple(elts=some), ast.Tuple(elts=others) if len(parts) == len(some) == len(
            others
        ) and not any(isinstance(each, ast.Starred) for each in parts):
            if pair := _only_unlike(parts, some, others):
                return _wrong_part(run, call, *pair)
        case (
            ast.Call(func=ast.Name(id=name), args=parts),
            ast.Call(func=ast.Name(id=one), args=some),
            ast.Call(func=ast.Name(id=other), args=others),
        ) if name == one == other and len(parts) == len(some) == len(others):
            if pair := _only_unlike(parts, some, others):
                return _wrong_part(run, call, *pair)
        case ast.IfExp(test=test, body=body, orelse=other), _, _:
            tests = [run.events[n] for n in run.events_of[call.number] if run.events[n].kind is Kind.TEST]
            taken = next((each.value for each in reversed(tests) if SPOTS[each.spot].node is test), None)
            return _wrong_part(run, call, body if taken else other, got, want)
        case ast.Name(id=name), _, _:
            for number in reversed(run.events_of[call.number]):
                event = run.events[number]
                bound = SPOTS[event.spot].node if event.kind is Kind.BOUND else None
                if isinstance(bound, ast.Assign) and bindings(bound) == (name,):
                    return _wrong_part(run, call, bound.value, got, want)
    return WrongPart(node, _text(got), _text(want))


def _only_unlike(
    parts: list[ast.expr], some: list[ast.expr], others: list[ast.expr]
) -> tuple[ast.expr, ast.expr, ast.expr] | None:
    """Return the only part whose two values differ, with both values; None if no part or several parts differ."""
    unlike = [each for each in zip(parts, some, others, strict=True) if ast.dump(each[1]) != ast.dump(each[2])]
    return unlike[0] if len(unlike) == 1 else None


def _text(node: ast.expr | None) -> str:
    return ast.unparse(node) if node else ""


def _made(run: RecordedRun, call: RecordedCall, part: WrongPart) -> Iterator[str]:
    """Yield what made a wrong part: an item of a comprehension, a step of a fold, or else the last decision."""
    loops = [each for each in ast.walk(part.node) if isinstance(each, Loop)]
    item = _item(run, call, loops, part) if loops else ""
    if text := item or _step(run, call, part) or _empty_name(run, call, part.node):
        yield text
        return
    number, is_plain = _last_decision(run, {call.number}, call.end), isinstance(part.node, ast.Constant | ast.Name)
    values = "" if is_plain else _with_values(RunMoment(run, call.end), part.node, {})
    made = f"on line {part.node.lineno}, `{_code(call.spot, part.node)}`"  # type: ignore[attr-defined]
    is_part = part.node is not _returned_node(run, call)
    shown = f" was `{part.got}`" if is_part and len(part.got) <= FACT_ROOM else " was returned"
    if is_part or number is None:
        yield f"{_capital(made)}{shown}{values}." if values else ""
    if number is not None and not (is_part and len(values) > FIRST_ROOM):
        yield f"{_capital(_decision(run, number))}."
        yield "" if is_part else f"So {made}{shown}{values}."


def _returned_node(run: RecordedRun, call: RecordedCall) -> ast.AST | None:
    node = SPOTS[run.events[call.end].spot].node
    return node.value if isinstance(node, ast.Return) else getattr(node, "body", None)


def _empty_name(run: RecordedRun, call: RecordedCall, node: ast.AST) -> str:
    """Return why a name in an expression is empty: the last condition that left an item out of its comprehension."""
    names = RunMoment(run, call.end).names
    empty = [each.id for each in _outside_loops(node) if isinstance(each, ast.Name) and names.get(each.id) in ((), [])]
    for number in reversed(run.events_of[call.number]):
        event = run.events[number]
        around = with_ancestors(SPOTS[event.spot].node) if event.kind is Kind.TEST and not event.value else ()
        bound = {name for each in around if isinstance(each, ast.Assign) for name in bindings(each)}
        if name := next((each for each in empty if each in bound), ""):
            return f"{_capital(_decision(run, number))}, so `{name}` is empty."
    return ""


def _elements(code: str) -> list[str]:
    tree = expression_of(code)
    return [ast.unparse(each) for each in tree.elts] if isinstance(tree, ast.Tuple | ast.List) else []


def _item(run: RecordedRun, call: RecordedCall, loops: list[Loop], part: WrongPart) -> str:
    """Return why comprehensions made a wrong item, kept one that is too many, or left out one that is missing."""
    got, wanted = _elements(part.got), _elements(part.wanted)
    extra = [each for each in got if got.count(each) > wanted.count(each)]
    lost = [each for each in wanted if wanted.count(each) > got.count(each)]
    conditions = [test for loop in loops for each in loop.generators for test in each.ifs]
    events = [(number, run.events[number]) for number in run.events_of[call.number] if run.events[number].spot >= 0]
    for number, event in events:
        node = SPOTS[event.spot].node
        if event.kind is Kind.TEST and node in conditions and not event.value:
            items = _items_before(run, number, node)
            if {code_of(each, 2_000) for each in items.values()} & {*lost}:
                return f"{_capital(_decision(run, number))}, so this item was left out."
    made = [(number, event) for number, event in events if _is_element(event, loops)]
    wrong = [number for number, event in made if code_of(event.value, 2_000) in extra]
    if wrong:
        return _reason_for_item(run, wrong[-1], conditions, len(got) == len(wanted))
    is_one_value = bool(part.got) and not isinstance(expression_of(part.got), ast.Tuple | ast.List)
    if is_one_value and made and len(loops) == 1:
        values = ", ".join(f"`{_value(event.value)}`" for _, event in made[:ELEMENTS_SHOWN])
        more = f" and {len(made) - ELEMENTS_SHOWN} more" * (len(made) > ELEMENTS_SHOWN)
        spot = made[0][1].spot
        return f"On line {SPOTS[spot].line}, `{_code(spot)}` was {values}{more}."
    return ""


def _is_element(event: Event, loops: list[Loop]) -> bool:
    return event.kind is Kind.ELEMENT and any(SPOTS[event.spot].node is loop.elt for loop in loops)


def _reason_for_item(run: RecordedRun, number: int, conditions: list[ast.expr], is_changed: bool) -> str:
    """Return why an item is in the result: the condition that was true for it, or what made it."""
    event = run.events[number]
    elt = SPOTS[event.spot].node
    tests = (n for n in range(number, -1, -1) if run.events[n].kind is Kind.TEST)
    last = next((n for n in tests if SPOTS[run.events[n].spot].node in conditions), None)
    if last is not None and not is_changed:
        return f"{_capital(_decision(run, last))}, so this item was kept."
    values = _with_values(RunMoment(run, number), elt, _items_before(run, number, elt))
    return f"On line {SPOTS[event.spot].line}, `{_code(event.spot)}` was `{_value(event.value)}`{values}."


def _step(run: RecordedRun, call: RecordedCall, part: WrongPart) -> str:
    """Return the decision of the first step of a fold that had the expected value, but returned the wrong one."""
    inside = [each for each in run.calls[call.number + 1 :] if each.kind is CallOwner.OWN and each.end >= 0]
    for step in inside:
        is_step = step.parent == call.number or run.calls[step.parent].kind is CallOwner.GIVEN
        returned, values = run.events[step.end].value, {code_of(value, 2_000) for _, value in step.args}
        number = _last_decision(run, {step.number}, step.end)
        if is_step and part.wanted in values and code_of(returned, 2_000) == part.got and number is not None:
            return f"{_capital(_decision(run, number))}, so the step returned `{_value(returned)}`."
    return ""
