"""Diagnoses of values that are almost right: only one part, one kind or one step is wrong."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from enum import Enum

from course.diagnoses.evidence import LONGEST_CODE, WIDEST, Diagnosis, Evidence, called, code
from course.diagnoses.failure import GAVE
from course.diagnoses.kinds import kind_words, kinds_written
from course.form.given import members_of
from course.syntax import expression_of


def _difference(e: Evidence) -> tuple[ast.expr | None, ast.expr | None]:
    """Return the first pair of different items, the returned and the expected one.

    For values without items, return both values.
    """
    if e.failure.did != GAVE:
        return None, None
    return _first_unlike(expression_of(e.failure.seen or ""), expression_of(e.failure.wanted_code))


def _first_unlike(observed: ast.expr | None, wanted: ast.expr | None) -> tuple[ast.expr | None, ast.expr | None]:
    match observed, wanted:
        case ast.Tuple(elts=ones), ast.Tuple(elts=others) if len(ones) == len(others):
            pairs = ((one, other) for one, other in zip(ones, others, strict=True) if code(one) != code(other))
            return _first_unlike(*next(pairs, (None, None)))
    return observed, wanted


def _fields(e: Evidence, name: str) -> list[str]:
    return [*getattr(e.given.types.get(name), "__dataclass_fields__", ())]


# ------------------------------------------------------------------------------------------------ a part of a value


def player_for_a_part(e: Evidence) -> Diagnosis | None:
    """Detect a player in the answer instead of the player's name."""
    match _difference(e):
        case ast.Call(func=ast.Name(id=kind), args=args), ast.Constant() as wanted:
            parts = [field for field, arg in zip(_fields(e, kind), args, strict=False) if code(arg) == code(wanted)]
            if len(parts) == 1 and len(args) > 1:
                says = (
                    f"`{e.requirements.name}` returned {kind_words(kind)} where only its `{parts[0]}` is wanted. "
                    "Write after it:"
                )
                return Diagnosis(says, f".{parts[0]}")
    return None


def part_for_a_player(e: Evidence) -> Diagnosis | None:
    """Detect a number instead of a player with this score."""
    match _difference(e):
        case ast.Constant() as observed, ast.Call(func=ast.Name(id=kind), args=args):
            parts = [field for field, arg in zip(_fields(e, kind), args, strict=False) if code(arg) == code(observed)]
            returned = [node.value for node in e.all(ast.Return) if node.value]
            owner = next((name for name, its in e.requirements.parameters if its == kind), "")
            if len(parts) == 1 and len(returned) == 1 and owner and "replace" in e.given.functions:
                says = f"This is only the `{parts[0]}`, but the answer is {kind_words(kind)} that has it. Write:"
                return Diagnosis(says, f"return replace({owner}, {parts[0]}={code(returned[0], WIDEST)})")
    return None


def items_for_their_count(e: Evidence) -> Diagnosis | None:
    """Detect `Score(won, …)`, where the number of tricks is expected instead of the tricks."""
    match _difference(e):
        case ast.Call(func=ast.Name(id=kind), args=ones), ast.Call(args=others):
            for index, (one, other) in enumerate(zip(ones, others, strict=False)):
                if isinstance(one, ast.Tuple) and code(other) == str(len(one.elts)):
                    made = next(
                        (call for call in e.all(ast.Call) if called(call) == kind and len(call.args) > index), None
                    )
                    if made is not None:
                        what = (
                            f"The `{_fields(e, kind)[index]}` of {kind_words(kind)} is a number, and line {made.lineno}"
                        )
                        return Diagnosis(f"{what} passes a tuple. Count its items:", f"len({code(made.args[index])})")
    return None


def number_in_a_condition(e: Evidence) -> Diagnosis | None:
    """Detect `a.points and b.points >= 0`, where `a.points` is not compared with anything."""
    for node in e.all(ast.BoolOp) if e.failure.did == GAVE and isinstance(node_of(e), ast.Constant) else ():
        for one, other in zip(node.values, node.values[1:], strict=False):
            match one, other:
                case ast.Attribute(attr=attr), ast.Compare(left=ast.Attribute(attr=same), ops=ops, comparators=right):
                    if attr == same and e.given.fields.get(attr) is int:
                        word = "and" if isinstance(node.op, ast.And) else "or"
                        says = (
                            f"`{code(one)}` before `{word}` on line {node.lineno} is not compared with anything. Write:"
                        )
                        both = f"{code(ast.Compare(one, ops, right))} {word} {code(other)}"
                        return Diagnosis(says, both)
    return None


def node_of(e: Evidence) -> ast.expr | None:
    """Return the syntax tree of the actual result."""
    return expression_of(e.failure.seen or "")


# ------------------------------------------------------------------------------------------------ another kind


def not_of_a_member(e: Evidence) -> Diagnosis | None:
    """Detect `return not direction`, which returns True or False and not a direction."""
    kind = e.given.values.get(e.failure.wanted_code)
    for node in e.all(ast.Return) if e.failure.seen in ("True", "False") and kind and issubclass(kind, Enum) else ():
        if isinstance(node.value, ast.UnaryOp) and isinstance(node.value.op, ast.Not) and kind:
            members = [name for name, its in e.given.values.items() if its is kind]
            says = f"`not` on line {node.lineno} returns True or False. Write a `match` with a case for each member:"
            first = f"match {code(node.value.operand)}:\n    case {kind.__name__}.{members[0]}:\n        return …"
            return Diagnosis(says, first)
    return None


def text_of_a_tuple(e: Evidence) -> Diagnosis | None:
    """Detect `str(dominoes)`, which also writes the parentheses and commas of the tuple."""
    for node in e.all(ast.Call) if e.failure.did == GAVE and re.match(r"[\"']\(", e.failure.seen or "") else ():
        if called(node) == "str" and len(node.args) == 1 and kinds_written(e, node.args[0]) == {"tuple"}:
            says = f"`str` on line {node.lineno} also writes the parentheses and commas of a tuple. Join the strings:"
            return Diagnosis(says, f'" ".join(map(str, {code(node.args[0])}))')
    return None


def text_for_a_tuple(e: Evidence) -> Diagnosis | None:
    """Detect `f"{name}, {loss}"` instead of a tuple of both."""
    observed, wanted = _difference(e)
    if not isinstance(observed, ast.Constant) or not isinstance(wanted, ast.Tuple):
        return None
    for node in e.all(ast.Return):
        match node.value:
            case ast.JoinedStr(values=values):
                parts = [code(each.value, WIDEST) for each in values if isinstance(each, ast.FormattedValue)]
                if len(parts) == len(wanted.elts):
                    says = (
                        f"Line {node.lineno} makes one string, but the answer is a tuple. Separate its items by commas:"
                    )
                    return Diagnosis(says, f"return {', '.join(parts)}")
    return None


def player_in_a_string(e: Evidence) -> Diagnosis | None:
    """Detect `f"{players[0]} deals."` instead of the player's name."""
    match = re.search(r"\b([A-Z]\w+)\('", e.failure.seen or "")
    parts = [part for part in _fields(e, match[1]) if e.given.fields.get(part) is str] if match else []
    for node in e.all(ast.FormattedValue) if len(parts) == 1 else ():
        if isinstance(node.value, ast.Name | ast.Subscript) and node.format_spec is None:
            says = (
                f"Line {node.lineno} puts all of {kind_words(match[1] if match else '')} into the string. "
                "Use one part of it:"
            )
            return Diagnosis(says, f"{{{code(node.value)}.{parts[0]}}}")
    return None


def classes_inside(e: Evidence) -> Diagnosis | None:
    """Detect `tuple(Human if letter == "H" else Bot for letter in players)`."""
    if e.failure.did != GAVE or "<class '" not in (e.failure.seen or ""):
        return None
    functions = {code(call.func) for call in e.all(ast.Call)}
    for node in e.all(ast.Name):
        if node.id not in functions and (parts := _fields(e, node.id)) and node.id not in e.bound:
            says = f"On line {node.lineno}, `{node.id}` is the class. To make a value, call it:"
            return Diagnosis(says, f"{node.id}({', '.join(parts)})")
    return None


# ------------------------------------------------------------------------------------------------ a step away


def item_for_the_rest(e: Evidence) -> Diagnosis | None:
    """Detect `stock[n]` instead of `stock[n:]`."""
    match _difference(e):
        case ast.Call() as observed, ast.Tuple(elts=[first, *_]) if code(observed, LONGEST_CODE) == code(
            first, LONGEST_CODE
        ):
            for node in e.all(ast.Subscript):
                if isinstance(node.slice, ast.Name) and isinstance(node.ctx, ast.Load):
                    items, index = code(node.value), code(node.slice)
                    says = f"`{code(node)}` on line {node.lineno} is one item. For this item and all after it, write:"
                    return Diagnosis(says, f"{items}[{index}:]")
    return None


def down_without_a_step(e: Evidence) -> Diagnosis | None:
    """Detect `range(highest, 0)`."""
    for call in e.all(ast.Call) if e.failure.did == GAVE and e.failure.seen == "()" else ():
        match call:
            case ast.Call(func=ast.Name(id="range"), args=[ast.Name() as start, end]) if code(end) in ("0", "-1"):
                says = (
                    f"`{code(call)}` on line {call.lineno} counts up, so it has no numbers. To count down to 0, write:"
                )
                return Diagnosis(says, f"range({code(start)}, -1, -1)")
    return None


def counted_from_zero(e: Evidence) -> Diagnosis | None:
    """Detect `enumerate(players)` where the numbers begin with 1."""
    observed, wanted = e.failure.seen or "", e.failure.wanted_code
    ones, others = (list(map(int, re.findall(r"\d+", text))) for text in (observed, wanted))
    is_counting = len(set(ones)) > 1 or (ones[:1] == [0] and not observed.isdecimal())  # a lone 0 may be any number
    is_one_less = is_counting and [number + 1 for number in ones] == others
    for call in e.all(ast.Call) if e.failure.did == GAVE and is_one_less else ():
        if called(call) == "enumerate" and len(call.args) == 1 and not call.keywords:
            says = f"`enumerate` on line {call.lineno} counts from 0, but the numbers here begin with 1. Write:"
            return Diagnosis(says, f"enumerate({code(call.args[0])}, 1)")
    return None


# ------------------------------------------------------------------------------------------------ names of parts


def part_without_a_name(e: Evidence) -> Diagnosis | None:
    """Detect `case Human(): … n …`, where the pattern gives no name to the number."""
    match = e.raised(r"name '(\w+)' is not defined") if e.error == "NameError" else None
    for case in e.all(ast.match_case) if match else ():
        inside = case.body[0].lineno <= e.failure.line <= (case.body[-1].end_lineno or 0)
        match case.pattern:
            case ast.MatchClass(cls=ast.Name(id=kind), patterns=[], kwd_patterns=[]) if inside and match:
                if len(_fields(e, kind)) == 1:
                    says = f"`case {kind}():` on line {case.pattern.lineno} does not name the part. Write:"
                    return Diagnosis(says, f"case {kind}({match[1]}):")
    return None


def part_of_another_kind(e: Evidence) -> Diagnosis | None:
    """Detect `card.court` where the card is a `Number`, and only a `Face` has a court."""
    match = e.raised(r"'(\w+)' object has no attribute '(\w+)'") if e.error == "AttributeError" else None
    if not match:
        return None
    owner = next((code(n.value) for n in e.here if isinstance(n, ast.Attribute) and n.attr == match[2]), "")
    others = [*dict.fromkeys(_siblings(e, match[1]))]
    having = [kind for kind in others if match[2] in _fields(e, kind)]
    if not having or not owner.isidentifier():
        return None
    wanted_kind = match[1] if len(having) > len(others) - len(having) else having[0]
    says = f"`{having[0]}` has a `.{match[2]}`, but `{owner}` is {kind_words(match[1])} here. Test first which it is:"
    return Diagnosis(says, f"isinstance({owner}, {wanted_kind})")


def _siblings(e: Evidence, name: str) -> Iterator[str]:
    """Yield the names of the other classes in the unions that a class is in."""
    for kind in e.given.types.values():
        names = [getattr(each, "__name__", "") for each in members_of(kind)]
        if name in names and len(names) > 1:
            yield from sorted(each for each in names if each != name)


PARTS = (
    player_for_a_part,
    part_for_a_player,
    items_for_their_count,
    number_in_a_condition,
    not_of_a_member,
    text_of_a_tuple,
    text_for_a_tuple,
    player_in_a_string,
    classes_inside,
    item_for_the_rest,
    down_without_a_step,
    counted_from_zero,
    part_without_a_name,
    part_of_another_kind,
)
