"""Sentences that say what happens at each moment of a run."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from itertools import chain

from course.functional import Recur
from course.show.bits import Bit, bits_of, exception_text
from course.show.failed import shortened
from course.watch.hooked import SPOTS, bindings
from course.watch.run import CallOwner, Kind, RecordedCall, RunMoment, quoted

AS_CODE = "code"
CODE_QUOTE_ROOM = 90
VALUE_ROOM = 320  # enough for a desk with four players
TRUTHFUL = bool, int, float, str, bytes, tuple, list, range
Bits = tuple[Bit, ...]


def plain(text: str) -> Bits:
    """Return a text as one bit that is shown as plain words."""
    return (Bit(text),)


def code_bits(text: str) -> Bits:
    """Return code as bits; long code is shortened."""
    return (Bit(shortened(text, CODE_QUOTE_ROOM), look=AS_CODE),)


def value_bits(thing: object, room: int = 160) -> Bits:
    """Return a value as bits that look like code."""
    return tuple(bit._replace(look=AS_CODE) for bit in bits_of(thing, room))


def called_with(call: RecordedCall, room: int = 160) -> Bits:
    """Return a call with its arguments, as bits."""
    return _called(call.name, tuple(each for _, each in call.args), room)


def _called(name: str, args: tuple[object, ...], room: int) -> Bits:
    parts = ((*code_bits(", " * (index > 0)), *value_bits(each, room)) for index, each in enumerate(args))
    several = chain.from_iterable(parts)
    return (Bit(f"{name}(", look=AS_CODE), *several, Bit(")", look=AS_CODE))


def next_round(call: RecordedCall, order: Recur, room: int = 160) -> Bits:
    """Return the next call of a tail-recursive function, under the function's own name."""
    return _called(call.name, (*order.args, *order.kwargs.values()), room)


def named(names: Iterable[str], things: Iterable[object]) -> Bits:
    """Return names with their values, as `name = value`."""
    bits: list[Bit] = []
    for name, thing in zip(names, things, strict=False):
        bits += [*plain(", " * bool(bits)), *code_bits(f"{name} = "), *value_bits(thing)]
    return tuple(bits)


def sentence(moment: RunMoment) -> Bits:
    """Return a sentence that says what happens at a moment."""
    event = moment.event
    match event.kind:
        case Kind.CALL:
            return _begun(moment)
        case Kind.GIVES | Kind.RAISES | Kind.CLOSES:
            return _ended(moment)
        case Kind.TEST:
            return _tested(moment)
        case Kind.CASE | Kind.NO_CASE | Kind.ITEM | Kind.BOUND | Kind.TURN | Kind.ELEMENT:
            return _decided(moment)
        case Kind.CAUGHT:
            return (*code_bits(exception_text(event.value)), *plain(" is caught here"))
        case Kind.YIELDS:
            return (*plain("it yields "), *value_bits(event.value), *plain(" and waits until the next item is needed"))
        case Kind.TYPED:
            return (*plain("typed: "), *value_bits(event.value))
    return (*plain("it prints "), *value_bits(event.value))


def _begun(moment: RunMoment) -> Bits:
    call, before = moment.call, moment.round_before
    if before and before.number != call.parent:
        return (*plain("the next round: "), *called_with(call))
    is_own = call.parent >= 0 and moment.run.calls[call.parent].kind is CallOwner.OWN
    given = ", a given function" if call.kind is CallOwner.GIVEN else ""
    if is_own and call.site >= 0:
        return (*plain(f"line {SPOTS[call.site].line} calls "), *called_with(call), *plain(given))
    return (*called_with(call), *plain(f" is called{given}"))


def _ended(moment: RunMoment) -> Bits:
    event, call = moment.event, moment.call
    name = called_with(call, 40) if call.number else plain("the run")
    if event.kind is Kind.CLOSES:
        return (*name, *plain(" is not used any further"))
    if event.kind is Kind.RAISES:
        above = moment.run.calls[call.parent] if call.parent >= max(moment.run.top, 1) else None
        text = f" and ends: the exception goes up to {above.name}" if above else ""
        return (*name, *plain(" raises "), *code_bits(exception_text(event.value)), *plain(text))
    if isinstance(event.value, Recur):
        again = next_round(call, event.value, 40)
        return (*name, *plain(" continues with "), *again, *plain(", and no call waits for it"))
    return (*name, *plain(" returns "), *value_bits(event.value, VALUE_ROOM))


def _tested(moment: RunMoment) -> Bits:
    """Return a condition, its value, and what happens next."""
    value = moment.event.value
    # A learner's own `__bool__` must not run here.
    truth = bool(value if value is None or isinstance(value, TRUTHFUL) else getattr(value, "items", True))
    words = "" if value is truth else f", which counts as {truth}"
    then = ""
    match getattr(moment.node, "parent", None):
        case ast.If(body=body, orelse=other):
            branch = body if truth else other
            then = f": continue on line {branch[0].lineno}" if branch else ": skip this branch"
        case ast.While():
            then = ": the loop continues" if truth else ": the loop is over"
        case ast.IfExp():
            then = f": so the value is the part {'before `if`' if truth else 'after `else`'}"
        case ast.comprehension():
            then = ": so this item is kept" if truth else ": so this item is left out"
        case ast.match_case():
            then = ": so this case is used" if truth else ": so this case is skipped"
    return (*code_bits(quoted(moment.event.spot)), *plain(" is "), *value_bits(value), *plain(words), *plain(then))


def _decided(moment: RunMoment) -> Bits:
    event, things = moment.event, moment.event.value
    names = bindings(moment.node) if moment.node else ()
    match event.kind:
        case Kind.CASE:
            values = (*plain(", with "), *named(names, things)) if names else ()
            return (*code_bits(f"case {quoted(event.spot)}"), *plain(" fits"), *values)
        case Kind.NO_CASE:
            return plain("no case fits")
        case Kind.ITEM:
            return (*code_bits(quoted(event.spot)), *plain(": "), *named(names, things))
        case Kind.TURN:
            return plain("the next round of the loop")
        case Kind.ELEMENT:
            return (*code_bits(quoted(event.spot)), *plain(" makes "), *value_bits(event.value))
    return named(names, things)
