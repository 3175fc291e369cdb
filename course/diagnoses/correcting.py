"""Diagnoses that show a corrected version of the learner's own line. These diagnoses come before the general ones."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from enum import Enum

from course.diagnoses.evidence import (
    CORRECTION_ROOM,
    EXAMPLE_ROOM,
    Diagnosis,
    Evidence,
    called,
    code,
    own_nodes,
    with_article,
)
from course.diagnoses.failure import GAVE, ExpectedException, Failure, OtherKind, SimilarKind
from course.diagnoses.kinds import kind_words, kinds_written, signature_of
from course.form.given import field_names

# ------------------------------------------------------------------------------------------------ arguments


def _owner(node: ast.AST) -> str:
    """Return the name before the dot or bracket of a node, or ""."""
    match node:
        case ast.Attribute(value=ast.Name(id=name)) | ast.Subscript(value=ast.Name(id=name)):
            return name
    return ""


# ------------------------------------------------------------------------------------------------ numbers, indexes


def divided(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `/` where an integer is needed: as an index, in `range`, or as the answer."""
    as_index = e.error == "TypeError" and e.raised(
        r"slice indices must be integers|'float' object cannot be|indices must be integers or slices, not float"
    )
    is_answer = e.failure.did == GAVE and _is_point_for_all(e.failure.remark)
    if not (as_index or is_answer):
        return
    nodes = (node for tree in e.trees.values() for node in ast.walk(tree))
    for node in nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            yield Diagnosis(
                f"`/` on line {node.lineno} makes a float, such as 2.0. For an integer, write `//`:",
                code(ast.BinOp(node.left, ast.FloorDiv(), node.right), EXAMPLE_ROOM),
            )
    yield Diagnosis("This number is a float, but it must be an integer. Which calculation makes it a float?")


def _is_point_for_all(remark: OtherKind | str) -> bool:
    return isinstance(remark, OtherKind) and (remark.wanted, remark.seen) == (SimilarKind.INTEGER, SimilarKind.FLOAT)


def index_from_one(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an index that counts from 1."""
    for node in e.here if e.error == "IndexError" else ():
        match node:
            case ast.Subscript(value=items, slice=ast.Name(id=index)):
                yield Diagnosis(
                    f"`{code(items)}` has no index `{index}`: indexes go from 0 to `len({code(items)}) - 1`. "
                    f"If `{index}` counts from 1, write:",
                    f"{code(items)}[{index} - 1]",
                )


def no_base_case(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a recursion without a base case."""
    function = e.function
    if e.error not in ("IndexError", "ValueError", "RecursionError") or function is None:
        return
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    asks = (ast.If, ast.IfExp, ast.Match, ast.BoolOp)
    owners = {_owner(node) for node in ast.walk(function) if isinstance(node, ast.Subscript)}
    items = next((name for name in e.parameters if name in owners), "")
    if (
        not items
        or e.requirements.name not in map(called, calls)
        or any(isinstance(n, asks) for n in own_nodes(function))
    ):
        return
    yield Diagnosis(
        f"`{e.requirements.name}` calls itself even when `{items}` is empty, so it never stops. Begin with that case:",
        f"if not {items}:\n    return …",
    )


def no_match(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `next` without a default, when no item matches."""
    for call in e.calls_here if e.error == "StopIteration" else ():
        if called(call) == "next" and len(call.args) == 1:
            yield Diagnosis(
                f"`next` on line {call.lineno} finds nothing here. Add a second argument for this case:",
                f"next({code(call.args[0], CORRECTION_ROOM)}, None)",
            )


# ------------------------------------------------------------------------------------------------ parts of values


def part_of_its_items(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `cards.rank`, where each card has a rank, but the tuple of cards has none."""
    match = e.raised(r"'(tuple|list)' object has no attribute '(\w+)'", "AttributeError")
    if not match or any(hasattr(kind, match[2]) for kind in (tuple, list, str)):
        return
    owners = [n.value for n in e.here if isinstance(n, ast.Attribute) and n.attr == match[2]]
    unsure = [node for node in owners if not kinds_written(e, node) & {*e.given.types}]
    items = next(map(code, unsure or owners), "")
    if not items:
        return
    if match[2] in ("length", "len", "size"):
        yield Diagnosis(f"A {match[1]} has no `.{match[2]}`. Write:", f"len({items})")
    if match[2] in e.given.fields:
        yield Diagnosis(
            f"`{items}` is {with_article(match[1])}, which has no `.{match[2]}`. Go through its items, "
            "or take one of them:",
            f"(each.{match[2]} for each in {items})   # or {items}[0].{match[2]}",
        )
    yield Diagnosis(
        f"`{items}` is {with_article(match[1])}, so it has no `.{match[2]}`. Take an item by its place, "
        "which counts from 0:",
        f"{items}[0]   # the first, {items}[1] is the second",
    )


def unlike_operands(e: Evidence) -> Iterator[Diagnosis]:
    """Detect arithmetic with a value that is no number, such as a card."""
    match = e.raised(r"unsupported operand type\(s\) for (\S+): '(\w+)' and '(\w+)'", "TypeError")
    kind = next((each for each in match.groups() if isinstance(e.given.types.get(each), type)), "") if match else ""
    if match and kind and "tuple" not in match.groups():
        yield Diagnosis(f"`{match[1]}` does not work with {kind_words(kind)}. {e.facts()}".strip())


def members_without_order(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `<` between members of an enumeration."""
    match = e.raised(r"'([<>]=?)' not supported between instances of '(\w+)' and '\2'")
    kind = e.given.types.get(match[2]) if match else None
    if not isinstance(kind, type) or not issubclass(kind, Enum):
        return
    yield Diagnosis(
        f"Python cannot compare values of `{kind.__name__}`. If their order in the statement counts, compare their "
        "numbers:",
        f"{kind.__name__.lower()}.value",
    )


# ------------------------------------------------------------------------------------------------ text for members


def number_for_member(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an answer such as 2, where `TWO` is expected."""
    wanted, observed = e.failure.wanted_code, e.failure.seen or ""
    kind = e.given.values.get(wanted)
    if e.failure.did != GAVE or kind is None or not issubclass(kind, Enum) or not observed.isdigit():
        return
    says = f"`{e.requirements.name}` returned the number {observed}, but the answer is a member of `{kind.__name__}`."
    yield Diagnosis(f"{says} Return one of {', '.join(f'`{each.name}`' for each in kind)}.")


# ------------------------------------------------------------------------------------------------ comparisons


def same_object(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `is` between values that can be equal and still be different objects."""
    for node in e.all(ast.Compare):
        match node:
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() as op], comparators=[right]):
                is_given = any(code(side) in e.given.values or _is_single(side) for side in (left, right))
                if not is_given and any(kinds_written(e, side) & _kinds_made_again(e) for side in (left, right)):
                    sign, word = ("==", "is") if isinstance(op, ast.Is) else ("!=", "is not")
                    yield Diagnosis(
                        f"`{word}` on line {node.lineno} tests whether both sides are the same object. To compare "
                        "values, write:",
                        f"{code(left)} {sign} {code(right)}",
                    )


def _is_single(node: ast.expr) -> bool:
    """Return whether the value of an expression exists only once, as `None` does, so that `is` works for it."""
    return isinstance(node, ast.Constant) and not isinstance(node.value, str) and not code(node).isdecimal()


def _kinds_made_again(e: Evidence) -> set[str]:
    """Return the types of which equal values can be different objects."""
    return {"tuple", "list", "int", "str"} | {name for name, kind in e.given.types.items() if field_names(kind)}


# ------------------------------------------------------------------------------------------------ counting


def counts_from_one(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `enumerate(…, 1)` in an answer whose result is too large by 1."""
    for node in e.all(ast.Call) if _difference(e) == 1 else ():
        match node:
            case ast.Call(func=ast.Name(id="enumerate"), args=[items, ast.Constant(value=1)]):
                yield Diagnosis(
                    f"`enumerate` on line {node.lineno} counts from 1, but indexes start at 0. Write:",
                    f"enumerate({code(items)})",
                )


def range_ends_early(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a `range` that ends too early: the result is too small by 1, or items are missing."""
    if e.failure.did != GAVE or (_difference(e) != -1 and not _lacks_items(e.failure)):
        return
    for node in e.all(ast.Call):
        if called(node) == "range" and node.args and not node.keywords and not _has_one_more(node):
            stop = node.args[min(1, len(node.args) - 1)]
            longer = _one_more(stop, -1 if node.args[2:] and isinstance(node.args[2], ast.UnaryOp) else 1)
            args = [*node.args[:1], longer, *node.args[2:]] if node.args[1:] else [longer]
            yield Diagnosis(
                f"`{code(node)}` on line {node.lineno} stops before `{code(stop)}`. Is that too early? To include "
                f"`{code(stop)}`, write:",
                f"range({', '.join(map(code, args))})",
            )


def _lacks_items(failure: Failure) -> bool:
    """Return whether a tuple has too few items, or may have too few.

    If an acceptance relation refused the result, no expected tuple is known, so items may be missing.
    """
    wanted, observed = failure.wanted_code, failure.seen or ""
    return observed.startswith("(") and (failure.wanted is None or observed.count("(") < wanted.count("("))


def _one_more(node: ast.expr, step: int) -> ast.expr:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return ast.Constant(node.value + step)
    return ast.BinOp(node, ast.Add() if step > 0 else ast.Sub(), ast.Constant(1))


def _has_one_more(node: ast.Call) -> bool:
    """Return whether a range seems to include its last number, or is empty because it counts down without a step."""
    stop = node.args[min(1, len(node.args) - 1)]
    is_empty = len(node.args) == 2 and code(stop) == "0"
    return is_empty or (isinstance(stop, ast.BinOp) and isinstance(stop.op, ast.Add)) or isinstance(stop, ast.UnaryOp)


def _difference(e: Evidence) -> int:
    """Return by how much an integer result is too large, or 0 if the result is not an integer."""
    wanted, observed = e.failure.wanted_code.lstrip("-"), (e.failure.seen or "").lstrip("-")
    if e.failure.did != GAVE or not (wanted.isdigit() and observed.isdigit()):
        return 0
    return int(e.failure.seen or 0) - int(e.failure.wanted_code)


# ------------------------------------------------------------------------------------------------ required functions


# ------------------------------------------------------------------------------------------------ classes, exceptions


def error_returned(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `return error` where the error should be raised."""
    errors = {name for name, kind in e.requirements.parameters if kind == "Exception"}
    if isinstance(e.failure.wanted, ExpectedException):
        errors.add(e.failure.wanted.kind)
    for node in e.all(ast.Return):
        if isinstance(node.value, ast.Call) and _is_exception(e, called(node.value)):
            yield Diagnosis(
                f"Line {node.lineno} returns the exception. To raise it, write:",
                f"raise {code(node.value, EXAMPLE_ROOM)}",
            )
        if isinstance(node.value, ast.Name) and node.value.id in errors:
            yield Diagnosis(f"Line {node.lineno} returns the exception. To raise it, write:", f"raise {node.value.id}")


def _is_exception(e: Evidence, name: str) -> bool:
    kind = e.given.types.get(name, getattr(builtins, name, None))
    return isinstance(kind, type) and issubclass(kind, Exception)


# ------------------------------------------------------------------------------------------------ immutable values


def assigned_part(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `desk.pile = …`, although a desk cannot be changed."""
    for node in e.here if e.error == "FrozenInstanceError" else ():
        match node:
            case (
                ast.Assign(targets=[ast.Attribute(value=owner, attr=part) as target], value=value)
                | ast.AugAssign(target=ast.Attribute(value=owner, attr=part) as target, value=value)
            ):
                if isinstance(node, ast.AugAssign):
                    value = ast.BinOp(target, node.op, value)
                yield Diagnosis(
                    f"Line {node.lineno} changes a value, but values of the course never change. Make a copy:",
                    f"{code(owner)} = {_copy_with(e, code(owner), part, code(value, 48))}",
                )


def _copy_with(e: Evidence, owner: str, part: str, value: str) -> str:
    """Return the call that makes a copy with one part changed, using the unit's functions."""
    if f"with_{part}" in e.given.methods:
        return f"{owner}.with_{part}({value})"
    parts = {name: field_names(kind) for name, kind in e.given.types.items()}
    kinds = [name for name, those in parts.items() if part in those]
    if "replace" in e.given.functions or not kinds:
        return f"replace({owner}, {part}={value})"
    return f"{kinds[0]}({', '.join(value if each == part else f'{owner}.{each}' for each in parts[kinds[0]])})"


def copy_dropped(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a changed copy that is not used."""
    for node in e.all(ast.Expr):
        match node.value:
            case ast.Call(func=ast.Attribute(value=owner, attr=attr)) if attr in e.given.methods:
                yield Diagnosis(
                    f"Line {node.lineno} makes a changed copy, but does not use it. "
                    f"`{code(owner)}` stays as it was. Write:",
                    f"{code(owner)} = {code(node.value, EXAMPLE_ROOM)}",
                )


def result_dropped(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a call of an exercise whose result is not used.

    A function that takes an exception may be called only because it may raise it.
    """
    for node in e.all(ast.Expr) if e.failure.did == GAVE else ():
        name = called(node.value)
        may_raise = "Exception" in dict(signature_of(e, name)).values()
        if name in e.requirements.exercises and not may_raise and isinstance(e.parents.get(node), ast.AST):
            first = node.value.args[0] if node.value.args else None
            parameter = first.id if isinstance(first, ast.Name) and first.id in e.parameters else "…"
            yield Diagnosis(
                f"Line {node.lineno} ignores the result of `{name}`, which changes nothing by itself. Write:",
                f"{parameter} = {code(node.value, EXAMPLE_ROOM)}",
            )


def unread_parameter(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an answer that uses all of its parameters but one."""
    loaded = {node.id for node in e.nodes if isinstance(node, ast.Name)}
    unread = [name for name in e.parameters if name not in loaded and not name.startswith("_")]
    if e.failure.did == GAVE and len(unread) == 1 and len(e.parameters) > 1:
        yield Diagnosis(f"Your answer never uses `{unread[0]}`. Does the result depend on it?")
