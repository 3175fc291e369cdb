"""Diagnoses of values of another kind than `+`, an unpacking or a fold needs.

These diagnoses show the corrected line.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from course.diagnoses.evidence import (
    WIDEST,
    Diagnosis,
    Evidence,
    called,
    code,
    positional_parameters,
    with_article,
)
from course.diagnoses.failure import RAISED
from course.diagnoses.kinds import ITERATORS
from course.diagnoses.looping import step_order

SEQUENCES = ("tuple", "list", *ITERATORS)
TOTALS = ("int", "float")


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
    if {match[1], match[2]} & {*TOTALS} and not e.failure.wanted_code.startswith("("):
        yield _to_a_number(match[1] in TOTALS, left or "total", right or "numbers")
    says = "You can add only a tuple to a tuple."
    item, items = e.in_words("item"), e.in_words("items")
    if match[1] in SEQUENCES:
        yield Diagnosis(f"{says} To put an item at the end, write:", f"(*{left or items}, {right or item})")
    yield Diagnosis(f"{says} To put an item in front, write:", f"({left or item}, *{right or items})")


def _added_here(e: Evidence) -> tuple[str, str]:
    """Return both sides of the addition on the failed line, or "" if there are several additions."""
    sums = [node for node in e.here if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Add)]
    match sums:
        case [ast.BinOp(left=left, right=right)] | [ast.AugAssign(target=left, value=right)]:
            return code(left, WIDEST), code(right, WIDEST)
    return "", ""


def _to_a_number(is_left: bool, left: str, right: str) -> Diagnosis:
    return Diagnosis(
        "You cannot add a number and several values. To add up the values, write:",
        f"{left} + sum({right})" if is_left else f"sum({left}) + {right}",
    )


def swapped_step(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a step of a fold that unpacks its item as if that were the result so far."""
    match = e.raised(r"cannot unpack non-iterable (\w+) object", "TypeError")
    for fold, step in _steps_of_folds(e) if match else ():
        names = [arg.arg for arg in positional_parameters(step)]
        item = names[1] if called(fold) == "fold_left" else names[0]
        if match and item in _unpacked_here(e):
            yield Diagnosis(
                f"`{called(fold)}` calls `{step.name}` with {step_order(called(fold))}. Swap its two parameters:",
                f"def {step.name}({names[1]}, {names[0]}):",
            )


def fold_starts_otherwise(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a fold whose start does not have the parts that its step unpacks."""
    match = e.raised(r"values to unpack \(expected (\d+)", "ValueError")
    for fold, step in _steps_of_folds(e) if match else ():
        names = [arg.arg for arg in positional_parameters(step)]
        so_far = names[0] if called(fold) == "fold_left" else names[1]
        start = fold.args[1]
        if match and so_far in _unpacked_here(e) and not isinstance(start, ast.Tuple):
            parts = ", ".join([code(start), *["…"] * (int(match[1]) - 1)])
            yield Diagnosis(
                f"The fold starts with `{code(start)}`, but line {e.failure.line} takes `{so_far}` apart into "
                f"{match[1]} values. Start with as many:",
                f"{called(fold)}({step.name}, ({parts}), {code(fold.args[2])})",
            )


def _steps_of_folds(e: Evidence) -> list[tuple[ast.Call, ast.FunctionDef]]:
    """Return the folds whose step has two parameters and raised the exception."""
    folds = []
    for call in e.all(ast.Call):
        match call:
            case ast.Call(func=ast.Name(id="fold_left" | "fold_right"), args=[ast.Name(id=name), _, _]):
                step = e.functions.get(name)
                if (
                    isinstance(step, ast.FunctionDef)
                    and len(positional_parameters(step)) == 2
                    and _has_failed_line(e, step)
                ):
                    folds.append((call, step))
    return folds


def _has_failed_line(e: Evidence, function: ast.FunctionDef) -> bool:
    return function.lineno <= e.failure.line <= (function.end_lineno or 0)


def _unpacked_here(e: Evidence) -> list[str]:
    """Return the names that the failed line unpacks to."""
    return [
        code(node.value)
        for node in e.here
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple | ast.List)
    ]


# ------------------------------------------------------------------------------------------------ unpacking, folds


def unpacked_value(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `left, right = domino`, although only tuples and the like can be unpacked."""
    match = e.raised(r"cannot unpack non-iterable (\w+) object", "TypeError")
    parts = getattr(e.given.types.get(match[1]), "__match_args__", ()) if match else ()
    for node in e.here if match and parts else ():
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=value) if match and len(names) == len(parts):
                owner = code(value)
                taken = ", ".join(f"{owner}.{part}" for part in parts)
                yield Diagnosis(
                    f"This `{match[1]}` cannot be unpacked like a tuple. Take its parts by their names:",
                    f"{', '.join(map(code, names))} = {taken}",
                )


# ------------------------------------------------------------------------------------------------ definitions


def loops_swapped(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a comprehension whose inner loop comes first, so that it uses a name too early."""
    match = e.raised(r"name '(\w+)' is not defined|variable '(\w+)'", "NameError", "UnboundLocalError")
    name = (match[1] or match[2]) if match else ""
    for node in e.all(ast.GeneratorExp, ast.ListComp, ast.SetComp) if name else ():
        loops = node.generators
        later = [each for each in loops[1:] if code(each.target) == name]
        if later and any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(loops[0].iter)):
            order = [later[0], *(each for each in loops if each is not later[0])]
            yield Diagnosis(
                f"Line {node.lineno} uses `{name}` before its own `for`. Put the outer loop first:",
                f"{code(node.elt)} {' '.join(code(each, WIDEST) for each in order)}",
            )


# ------------------------------------------------------------------------------------------------ returned values


def cannot_be_used(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an exception outside the learner's lines: the example cannot use the returned value."""
    name = e.requirements.name
    is_outside = e.failure.did == RAISED and not e.failure.line and e.error in ("TypeError", "AttributeError")
    is_used = e.requirements.is_called and name in e.failure.pasted
    if not is_outside or not is_used or e.raised(rf"^({name}|<lambda>)\(\) (takes|missing|got)|is not callable"):
        return
    yield Diagnosis(f"{_other_kind(e)} Which line returns it? Print it there.")


def _other_kind(e: Evidence) -> str:
    """Return a message that the answer returned another kind than the example needs, with the kind if it is known."""
    name = e.requirements.name
    if (match := e.raised(r"cannot unpack non-iterable (\w+)")) and match[1] != "NoneType":
        return f"`{name}` returned {with_article(match[1])}, but the example takes a tuple apart."
    return f"`{name}` returned a value of another kind than the statement says."


TUPLING = (
    swapped_step,
    fold_starts_otherwise,
    unpacked_value,
    loops_swapped,
)
