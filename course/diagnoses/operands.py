"""Diagnoses of operators between values of different kinds, and of `if … else` that includes more than intended."""

from __future__ import annotations

import ast

from course.diagnoses.evidence import LONGEST_CODE, WIDEST, Diagnosis, Evidence, code, tree_or_empty
from course.diagnoses.failure import GAVE

ITERATORS = ("map", "filter", "zip", "reversed", "generator")


def items_added_to_a_number(e: Evidence) -> Diagnosis | None:
    """Detect `score + penalties(trick)`, where the penalties are a tuple."""
    match = (
        e.raised(r"type\(s\) for \+=?: 'int' and '(tuple|list|map|filter|generator)'")
        if e.error == "TypeError"
        else None
    )
    for node in e.here if match else ():
        match node:
            case ast.BinOp(op=ast.Add(), right=items) | ast.AugAssign(op=ast.Add(), value=items):
                what = f"`{code(items)}`" if match else ""
                says = f"Line {node.lineno} adds {what} to a number, but it has many items. Add them up first:"
                return Diagnosis(says, f"sum({code(items, WIDEST)})")
    return None


def lazy_items_in_a_sum(e: Evidence) -> Diagnosis | None:
    """Detect `reversed(cards) + hand`, where both sides must be tuples."""
    kinds = "|".join(ITERATORS)
    if e.error != "TypeError" or not e.raised(rf"for \+: '({kinds})' and 'tuple'|tuple \(not \"({kinds})\"\)"):
        return None
    for node in e.here:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            for side in (node.left, node.right):
                if isinstance(side, ast.GeneratorExp) or code(getattr(side, "func", side)) in ITERATORS:
                    says = f"`+` on line {node.lineno} needs two tuples, and `{code(side)}` is not a tuple yet. Write:"
                    return Diagnosis(says, f"tuple({code(side, WIDEST)})")
    return None


def taken_from_a_tuple(e: Evidence) -> Diagnosis | None:
    """Detect `COLORS - color`, although tuples cannot be subtracted."""
    match = e.raised(r"type\(s\) for -: '(?:tuple|list)' and '(\w+)'") if e.error == "TypeError" else None
    for node in e.here if match else ():
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
            items, other = code(node.left), code(node.right)
            is_many = match is not None and match[1] in ("tuple", "list")
            test = f"each not in {other}" if is_many else f"each != {other}"
            says = f"`-` on line {node.lineno} works for numbers, not for tuples. Keep the other items:"
            return Diagnosis(says, f"tuple(each for each in {items} if {test})")
    return None


def lazy_items_indexed(e: Evidence) -> Diagnosis | None:
    """Detect `accumulate(…)[1:]`: an iterator has no indexes."""
    match = e.raised(r"'itertools\.(\w+)' object is not subscriptable") if e.error == "TypeError" else None
    for node in e.here if match else ():
        if isinstance(node, ast.Subscript) and match:
            says = f"`{match[1]}` on line {node.lineno} makes its items only when they are needed. Make a tuple first:"
            item = ast.Subscript(ast.Name("…"), node.slice, ast.Load())
            return Diagnosis(says, f"tuple({code(node.value, WIDEST)}){code(item)[1:]}")
    return None


def values_joined(e: Evidence) -> Diagnosis | None:
    """Detect `" ".join(dominoes)`, where the items are not strings, and `items.join(" ")`."""
    is_other = e.raised(r"sequence item \d+: expected str instance, (\w+) found")
    is_turned = e.raised(r"'(?:map|tuple|list|generator|filter)' object has no attribute 'join'")
    for call in e.calls_here if is_other or is_turned else ():
        match call:
            case ast.Call(func=ast.Attribute(value=between, attr="join"), args=[items]) if is_other:
                says = (
                    f"`join` on line {call.lineno} needs strings, but an item is of type `{is_other[1]}`. "
                    "Convert the items first:"
                )
                return Diagnosis(says, f"{code(between)}.join(map(str, {code(items, LONGEST_CODE)}))")
            case ast.Call(func=ast.Attribute(value=items, attr="join"), args=[between]):
                says = f"`join` on line {call.lineno} is a method of the string between the items. Write:"
                return Diagnosis(says, f"{code(between)}.join({code(items, LONGEST_CODE)})")
    return None


def split_by_nothing(e: Evidence) -> Diagnosis | None:
    """Detect `text.split("")`, which needs a separator."""
    for call in e.calls_here if e.raised("empty separator") else ():
        match call:
            case ast.Call(func=ast.Attribute(value=text, attr="split")):
                says = f"`split` on line {call.lineno} needs a separator. For a tuple of the characters, write:"
                return Diagnosis(says, f"tuple({code(text, LONGEST_CODE)})")
    return None


def condition_around_a_sum(e: Evidence) -> Diagnosis | None:
    """Detect `points + 10 if won else 0`, which is 0 where `points + 0` is intended."""
    if e.failure.did != GAVE or not _is_zero_for_more(e):
        return None
    for node in e.all(ast.IfExp):
        match node:
            case ast.IfExp(
                body=ast.BinOp(left=left, op=ast.Add(), right=ast.Constant() as more), orelse=ast.Constant(value=0)
            ):
                says = f"On line {node.lineno}, `else 0` replaces all of `{code(node.body)}`. Write parentheses:"
                inner = ast.IfExp(node.test, more, node.orelse)
                return Diagnosis(says, f"{code(left, WIDEST)} + ({code(inner, WIDEST)})")
    return None


def _is_zero_for_more(e: Evidence) -> bool:
    """Return whether an answer returns 0 where a larger number is right."""
    observed, wanted = (
        [node.value for node in ast.walk(tree_or_empty(text)) if isinstance(node, ast.Constant)]
        for text in (e.failure.seen or "", e.failure.wanted_code)
    )
    pairs = zip(observed, wanted, strict=False)
    return any(one == 0 and type(one) is int and isinstance(other, int) and other > 0 for one, other in pairs)


OPERANDS = (
    items_added_to_a_number,
    lazy_items_in_a_sum,
    taken_from_a_tuple,
    lazy_items_indexed,
    values_joined,
    split_by_nothing,
    condition_around_a_sum,
)
