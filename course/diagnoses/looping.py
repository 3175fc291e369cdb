"""Diagnoses of values of the wrong kind in a loop, in a sum with `+`, or in an unpacking."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from course.diagnoses.evidence import (
    EXAMPLE_ROOM,
    Diagnosis,
    Evidence,
    called,
    code,
    with_article,
)
from course.diagnoses.failure import RAISED
from course.diagnoses.kinds import ITERATORS, kinds_written, parts_of, parts_sentence

NO_ITEMS = (
    r"'(\w+)' object is not (?:iterable|reversible)|cannot unpack non-iterable (\w+) object|"
    r"after \* must be an iterable, not (\w+)"
)


def not_iterable(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a single value where several items are needed."""
    match = e.raised(NO_ITEMS) if e.error == "TypeError" else None
    kind = next(filter(None, match.groups())) if match else "NoneType"
    if kind != "NoneType" and e.failure.line:
        yield from _sum_of_one(e)
        what, parts = "number" if kind == "int" else f"`{kind}`", parts_of(e, kind)
        more = f" {parts_sentence(parts)}" if parts else ""
        yield Diagnosis(f"This {what} is a single value without items.{more} {e.facts()}".strip())


def _sum_of_one(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `sum(penalty(hand))`, which calls a function once with all items instead of once for each item."""
    for call in e.calls_here if e.raised("'int' object") else ():
        match call:
            case ast.Call(
                func=ast.Name(id="sum" | "max" | "min"), args=[ast.Call(func=ast.Name(id=name), args=[items])]
            ):
                if name in e.bound and "tuple" in kinds_written(e, items):
                    yield Diagnosis(
                        f"Line {call.lineno} calls `{name}` once, with all of `{code(items)}`. For each item, write:",
                        f"{called(call)}(map({name}, {code(items)}))",
                    )


def step_order(fold: str) -> str:
    """Return the arguments with which a fold calls its step, in words."""
    return "the next item, then the result so far" if fold == "fold_right" else "the result so far, then the next item"


SEQUENCES = ("tuple", "list", *ITERATORS)
NAMES_OF_NUMBER_TYPES = ("int", "float")


def tuple_and_item(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an addition of a tuple and a number, a single item, a list or an iterator."""
    match = e.raised(r"can only concatenate (tuple|list) \(not \"(\w+)\"\) to (?:tuple|list)")
    match = match or e.raised(r"operand type\(s\) for \+=?: '(\w+)' and '(\w+)'")
    if not match or not {match[1], match[2]} & {*SEQUENCES}:
        return
    left, right = _added_here(e)
    if {match[1], match[2]} <= {*SEQUENCES}:
        other = next((kind for kind in match.groups() if kind != "tuple"), "list")
        yield Diagnosis(
            f"You cannot add a tuple and {with_article(other)}. Spread both into a new tuple:",
            f"(*{left or 'first'}, *{right or 'second'})",
        )
    if {match[1], match[2]} & {*NAMES_OF_NUMBER_TYPES} and not e.failure.wanted_code.startswith("("):
        yield _to_a_number(match[1] in NAMES_OF_NUMBER_TYPES, left or "total", right or "numbers")
    says = "You can add only a tuple to a tuple."
    item, items = e.in_words("item"), e.in_words("items")
    if match[1] in SEQUENCES:
        yield Diagnosis(f"{says} To put an item at the end, write:", f"(*{left or items}, {right or item})")
    yield Diagnosis(f"{says} To put an item in front, write:", f"({left or item}, *{right or items})")


def _added_here(e: Evidence) -> tuple[str, str]:
    """Return both sides of the addition on the failed line; two empty strings unless there is exactly one."""
    sums = [node for node in e.here if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Add)]
    match sums:
        case [ast.BinOp(left=left, right=right)] | [ast.AugAssign(target=left, value=right)]:
            return code(left, EXAMPLE_ROOM), code(right, EXAMPLE_ROOM)
    return "", ""


def _to_a_number(is_left: bool, left: str, right: str) -> Diagnosis:
    return Diagnosis(
        "You cannot add a number and several values. To add up the values, write:",
        f"{left} + sum({right})" if is_left else f"sum({left}) + {right}",
    )


def result_cannot_be_used(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an exception outside the learner's lines: the example cannot use the returned value."""
    name = e.requirements.name
    is_outside = e.failure.did == RAISED and not e.failure.line and e.error in ("TypeError", "AttributeError")
    is_used = e.requirements.is_called and name in e.failure.one_line_code and not isinstance(e.value, ast.Call)
    if not is_outside or not is_used or e.raised(rf"^({name}|<lambda>)\(\) (takes|missing|got)|is not callable"):
        return
    yield Diagnosis(f"{_other_kind(e)} Which line returns this value? Print it there.")


def _other_kind(e: Evidence) -> str:
    """Return a message that the example cannot use the kind of value that the answer returned."""
    name = e.requirements.name
    if (match := e.raised(r"cannot unpack non-iterable (\w+)")) and match[1] != "NoneType":
        return f"`{name}` returned {with_article(match[1])}, but the example unpacks it like a tuple."
    return f"`{name}` returned a value of another kind than the statement says."
