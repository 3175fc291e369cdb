"""Diagnoses of values that are almost right: only one part, one kind or one step is wrong."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from course.diagnoses.evidence import WIDEST, Diagnosis, Evidence, called, code
from course.diagnoses.failure import GAVE
from course.diagnoses.kinds import kind_words, kinds_written, parts_of
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


def player_for_a_part(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a player in the answer instead of the player's name."""
    match _difference(e):
        case ast.Call(func=ast.Name(id=kind), args=args), ast.Constant() as wanted:
            parts = [field for field, arg in zip(parts_of(e, kind), args, strict=False) if code(arg) == code(wanted)]
            if len(parts) == 1 and len(args) > 1:
                yield Diagnosis(
                    f"`{e.requirements.name}` returned {kind_words(kind)} where only its `{parts[0]}` is wanted. "
                    "Write after it:",
                    f".{parts[0]}",
                )


def part_for_a_player(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a number instead of a player with this score."""
    match _difference(e):
        case ast.Constant() as observed, ast.Call(func=ast.Name(id=kind), args=args):
            parts = [field for field, arg in zip(parts_of(e, kind), args, strict=False) if code(arg) == code(observed)]
            returned = [node.value for node in e.all(ast.Return) if node.value]
            owner = next((name for name, its in e.requirements.parameters if its == kind), "")
            if len(parts) == 1 and len(returned) == 1 and owner and "replace" in e.given.functions:
                yield Diagnosis(
                    f"This is only the `{parts[0]}`, but the answer is {kind_words(kind)} that has it. Write:",
                    f"return replace({owner}, {parts[0]}={code(returned[0], WIDEST)})",
                )


def items_for_their_count(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `Score(won, …)`, where the number of tricks is expected instead of the tricks."""
    match _difference(e):
        case ast.Call(func=ast.Name(id=kind), args=ones), ast.Call(args=others):
            for index, (one, other) in enumerate(zip(ones, others, strict=False)):
                if isinstance(one, ast.Tuple) and code(other) == str(len(one.elts)):
                    for made in e.all(ast.Call):
                        if called(made) == kind and len(made.args) > index:
                            yield Diagnosis(
                                f"The `{parts_of(e, kind)[index]}` of {kind_words(kind)} is a number, and line "
                                f"{made.lineno} passes a tuple. Count its items:",
                                f"len({code(made.args[index])})",
                            )


def number_in_a_condition(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `a.points and b.points >= 0`, where `a.points` is not compared with anything."""
    is_plain = e.failure.did == GAVE and isinstance(expression_of(e.failure.seen or ""), ast.Constant)
    for node in e.all(ast.BoolOp) if is_plain else ():
        for one, other in zip(node.values, node.values[1:], strict=False):
            match one, other:
                case ast.Attribute(attr=attr), ast.Compare(left=ast.Attribute(attr=same), ops=ops, comparators=right):
                    if attr == same and e.given.fields.get(attr) is int:
                        word = "and" if isinstance(node.op, ast.And) else "or"
                        yield Diagnosis(
                            f"`{code(one)}` before `{word}` on line {node.lineno} is not compared with anything. "
                            "Write:",
                            f"{code(ast.Compare(one, ops, right))} {word} {code(other)}",
                        )


def text_of_a_tuple(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `str(dominoes)`, which also writes the parentheses and commas of the tuple."""
    for node in e.all(ast.Call) if e.failure.did == GAVE and re.match(r"[\"']\(", e.failure.seen or "") else ():
        if called(node) == "str" and len(node.args) == 1 and kinds_written(e, node.args[0]) == {"tuple"}:
            yield Diagnosis(
                f"`str` on line {node.lineno} also writes the parentheses and commas of a tuple. Join the strings:",
                f'" ".join(map(str, {code(node.args[0])}))',
            )


def text_for_a_tuple(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `f"{name}, {loss}"` instead of a tuple of both."""
    observed, wanted = _difference(e)
    if not isinstance(observed, ast.Constant) or not isinstance(wanted, ast.Tuple):
        return
    for node in e.all(ast.Return):
        match node.value:
            case ast.JoinedStr(values=values):
                parts = [code(each.value, WIDEST) for each in values if isinstance(each, ast.FormattedValue)]
                if len(parts) == len(wanted.elts):
                    yield Diagnosis(
                        f"Line {node.lineno} makes one string, but the answer is a tuple. Separate its items by "
                        "commas:",
                        f"return {', '.join(parts)}",
                    )


PARTS = (
    player_for_a_part,
    part_for_a_player,
    items_for_their_count,
    number_in_a_condition,
    text_of_a_tuple,
    text_for_a_tuple,
)
