"""Diagnoses of wrong values: no value, the wrong type, the wrong shape, or a value that ignores the arguments."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from enum import Enum

from course.diagnoses.evidence import (
    EXAMPLE_ROOM,
    Diagnosis,
    Evidence,
    addends,
    body_of,
    called,
    code,
    own_nodes,
    tree_or_empty,
    with_article,
)
from course.diagnoses.failure import GAVE, RAISED, OtherKind, SimilarKind
from course.diagnoses.kinds import ITERATORS, kind_words, parts_of
from course.syntax import expression_of
from course.values import STUDENT_FUNCTION

# ------------------------------------------------------------------------------------------------ the wrong kind


def returned_iterator(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a generator, map or filter that should be a tuple."""
    match = re.search(rf"<({'|'.join(ITERATORS)}) object", e.failure.seen or "") if e.failure.did == GAVE else None
    if match:
        what = f"`{e.requirements.name}` returned" if match.start() == 0 else "A part of the answer is"
        yield Diagnosis(f"{what} {with_article(match[1])}. Wrap it in `tuple(…)` to get the items.")


def missing_trampoline(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `recur` without its trampoline."""
    if e.failure.did == GAVE and "<Recur object>" in (e.failure.seen or ""):
        yield Diagnosis(
            "`recur` needs two things: `return` before it, and `@tail_recursive` above the `def` that it repeats."
        )


def list_for_tuple(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a list that should be a tuple, and find the line that makes it."""
    remark, is_unknown = e.failure.remark, e.failure.did == GAVE and e.failure.wanted is None
    kinds = (remark.wanted, remark.seen) if isinstance(remark, OtherKind) else ()
    is_listed = is_unknown and (e.failure.seen or "").startswith("[")
    if not is_listed and kinds != (SimilarKind.TUPLE, SimilarKind.LIST):
        return
    returned = [node.value for node in e.all(ast.Return) if node.value is not None]
    made = next((node for value in returned for node in ast.walk(value) if _is_list(node)), None)
    says = f"`{e.requirements.name}` returned a list, but the answer is a tuple."
    if made:
        yield Diagnosis(f"{says} Replace `{code(made)}` by:", _as_tuple(made))
    if isinstance(remark, OtherKind) and remark.path:
        says = f"The part at `{remark.path}` of the result is a list, but must be a tuple."
    yield Diagnosis(f"{says} Wrap it in `tuple(…)`.")


def _is_list(node: ast.AST) -> bool:
    """Return whether an expression makes a list. A sum of lists counts, too."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Add) and (_is_list(node.left) or _is_list(node.right))
    return isinstance(node, (ast.List, ast.ListComp)) or called(node) in ("list", "sorted")


def _as_tuple(node: ast.AST) -> str:
    match node:
        case ast.BinOp():
            parts = [
                part.elts if isinstance(part, ast.Tuple | ast.List) else [ast.Starred(part)] for part in addends(node)
            ]
            return f"({', '.join(code(each) for part in parts for each in part)})"
        case ast.ListComp(elt=elt, generators=generators):
            return f"tuple({code(ast.GeneratorExp(elt, generators), 80)[1:-1]})"
        case ast.List(elts=[one]) if not isinstance(one, ast.Starred):
            return f"({code(one, 60)},)"
        case ast.Call(func=ast.Name(id="list"), args=[inside]):
            return f"tuple({code(inside, 60)})"
        case ast.List(elts=elts):
            return f"({', '.join(code(each, 40) for each in elts)}{',' if len(elts) == 1 else ''})"
    return f"tuple({code(node, 60)})"


def one_for_many(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `(x)` where a tuple is needed, and a tuple around an answer that should have none."""
    observed, wanted = e.failure.seen or "", e.failure.wanted_code
    if e.failure.did != GAVE or not observed:
        return
    if wanted == f"({observed},)":
        yield Diagnosis(f"The answer is a tuple with one item. Its comma is missing: `{e.in_words('(item,)')}`.")
    if observed == f"({wanted},)":
        yield Diagnosis(
            f"`{e.requirements.name}` returned the answer inside a tuple. Return the answer itself."
            " Is there an extra comma?"
        )


def text_for_value(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a string where a number or another value is expected, or the reverse."""
    observed, wanted = e.failure.seen or "", e.failure.wanted_code
    if e.failure.did != GAVE or not wanted:
        return
    if observed == repr(wanted):
        yield Diagnosis(
            f"`{e.requirements.name}` returned a string, in quotes. Return `{wanted}` itself, without quotes."
        )
    if wanted == repr(observed):
        yield Diagnosis("The answer must be a string. To make a string of your result, write `str(…)`.")


def number_for_member(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an answer such as 2, where `TWO` is expected."""
    wanted, observed = e.failure.wanted_code, e.failure.seen or ""
    kind = e.given.values.get(wanted)
    if e.failure.did != GAVE or kind is None or not issubclass(kind, Enum) or not observed.isdigit():
        return
    says = f"`{e.requirements.name}` returned the number {observed}, but the answer is a member of `{kind.__name__}`."
    yield Diagnosis(f"{says} Return one of {', '.join(f'`{each.name}`' for each in kind)}.")


def function_for_value(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a function that was returned and not called."""
    observed, wanted = e.failure.seen or "", e.failure.wanted_code
    is_class = isinstance(e.given.types.get(observed), type)
    is_function = is_class or observed == STUDENT_FUNCTION or observed in e.given.functions
    if e.failure.did != GAVE or not is_function or not wanted:
        return
    if wanted in e.given.functions or STUDENT_FUNCTION in wanted:
        return  # a function is right, or may be
    if is_class:
        yield Diagnosis(f"`{observed}` is the class. To make a value, call it: `{observed}()`.")
    yield Diagnosis(
        f"`{e.requirements.name}` returned a function. Call that function, with its arguments in parentheses."
    )


def falsy_value(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `least or None`, which loses the answer 0."""
    if e.failure.did != GAVE or e.failure.seen != "None" or e.failure.wanted not in ("0", "()", "''"):
        return
    for node in e.all(ast.BoolOp):
        match node:
            case ast.BoolOp(op=ast.Or(), values=[_, ast.Constant(value=None)]):
                yield Diagnosis(
                    f"`or None` on line {node.lineno} also replaces `{e.failure.wanted}`, which counts as false."
                    " Leave out `or None`, or test for `None` first."
                )


# ------------------------------------------------------------------------------------------------ the wrong shape


def star_before_recursion(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `(first, sort(rest))`, where `sort(rest)` needs a star."""
    is_about_tuples = not e.failure.line or "'tuple'" in (e.failure.seen or "")
    if e.failure.did not in (GAVE, RAISED) or not e.function or not is_about_tuples:
        return
    for function in e.all(ast.FunctionDef):
        names = {"()", *(arg.arg for arg in function.args.args)}
        nodes = [*own_nodes(function)]
        returned = [code(node.value) for node in nodes if isinstance(node, ast.Return) and node.value]
        if function is not e.function and not names.intersection(returned):
            continue  # only a function that also returns an argument, or (), certainly makes flat tuples
        for node in nodes:
            match node:
                case ast.Tuple(elts=[*firsts, ast.Call() as again]) if firsts and called(again) == function.name:
                    yield Diagnosis(
                        f"On line {node.lineno}, the result of `{function.name}` becomes one item. A star spreads it:",
                        code(ast.Tuple([*firsts, ast.Starred(again)]), EXAMPLE_ROOM),
                    )


def player_for_a_part(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a player in the answer instead of the player's name."""
    observed, wanted = expression_of(e.failure.seen or ""), expression_of(e.failure.wanted_code)
    while (  # look at the first pair of different items
        isinstance(observed, ast.Tuple) and isinstance(wanted, ast.Tuple) and len(observed.elts) == len(wanted.elts)
    ):
        pairs = zip(observed.elts, wanted.elts, strict=True)
        observed, wanted = next((pair for pair in pairs if code(pair[0]) != code(pair[1])), (None, None))
    match observed, wanted:
        case ast.Call(func=ast.Name(id=kind), args=args), ast.Constant() if e.failure.did == GAVE:
            parts = [field for field, arg in zip(parts_of(e, kind), args, strict=False) if code(arg) == code(wanted)]
            if len(parts) == 1:
                yield Diagnosis(
                    f"`{e.requirements.name}` returned {kind_words(kind)} where only its `{parts[0]}` is wanted. "
                    "Write after it:",
                    f".{parts[0]}",
                )


def bare_parts(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a tuple of the parts of a value instead of the value."""
    match expression_of(e.failure.seen or ""), expression_of(e.failure.wanted_code):
        case ast.Tuple(elts=parts), ast.Call(func=ast.Name(id=name), args=args) if parts and e.failure.did == GAVE:
            if len(parts) == len(args) and name in e.given.types:
                yield Diagnosis(
                    f"`{e.requirements.name}` returned a tuple of the parts. Make {kind_words(name)} of them:",
                    f"{name}({', '.join('…' for _ in parts)})",
                )


def same_things_otherwise(e: Evidence) -> Iterator[Diagnosis]:
    """Detect the right items in the wrong order."""
    match expression_of(e.failure.seen or ""), expression_of(e.failure.wanted_code):
        case ast.Tuple(elts=observed), ast.Tuple(elts=wanted) if e.failure.did == GAVE and not e.failure.remark:
            one, other = [*map(ast.unparse, observed)], [*map(ast.unparse, wanted)]
            if one == other or Counter(one) != Counter(other):
                return
            if len(one) > 2:
                order = "reverse" if one == other[::-1] else "the wrong"
                yield Diagnosis(f"These are the right items, but in {order} order.")
            elif called(expression_of(e.failure.call)) == e.requirements.name:
                yield Diagnosis("Both parts are right, but in the wrong order. Swap them.")


# ------------------------------------------------------------------------------------------------ too few, or zero


def condition_around_a_sum(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `points + 10 if won else 0`, which is 0 where `points + 0` is intended."""
    observed, wanted = (
        [node.value for node in ast.walk(tree_or_empty(text)) if isinstance(node, ast.Constant)]
        for text in (e.failure.seen or "", e.failure.wanted_code)
    )
    pairs = zip(observed, wanted, strict=False)
    is_zero_for_more = any(a == 0 and type(a) is int and isinstance(b, int) and b > 0 for a, b in pairs)
    for node in e.all(ast.IfExp) if e.failure.did == GAVE and is_zero_for_more else ():
        match node:
            case ast.IfExp(
                body=ast.BinOp(left=left, op=ast.Add(), right=ast.Constant() as more), orelse=ast.Constant(value=0)
            ):
                inner = ast.IfExp(node.test, more, node.orelse)
                yield Diagnosis(
                    f"On line {node.lineno}, `else 0` replaces all of `{code(node.body)}`. Write parentheses:",
                    f"{code(left, EXAMPLE_ROOM)} + ({code(inner, EXAMPLE_ROOM)})",
                )


def range_ends_early(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a `range` that ends too early: the result is too small by 1, or items are missing."""
    wanted, observed = e.failure.wanted_code, e.failure.seen or ""
    are_numbers = wanted.lstrip("-").isdigit() and observed.lstrip("-").isdigit()
    is_one_less = are_numbers and int(observed) + 1 == int(wanted)
    # if an acceptance relation refused the result, no expected tuple is known, so items may be missing
    lacks_items = observed.startswith("(") and (e.failure.wanted is None or observed.count("(") < wanted.count("("))
    if e.failure.did != GAVE or not (is_one_less or lacks_items):
        return
    for node in e.all(ast.Call):
        if called(node) != "range" or not node.args or node.keywords:
            continue
        stop = node.args[min(1, len(node.args) - 1)]
        is_empty = len(node.args) == 2 and code(stop) == "0"  # it counts down without a step
        is_longer = (isinstance(stop, ast.BinOp) and isinstance(stop.op, ast.Add)) or isinstance(stop, ast.UnaryOp)
        if not is_empty and not is_longer:
            step = -1 if node.args[2:] and isinstance(node.args[2], ast.UnaryOp) else 1
            longer: ast.expr = ast.BinOp(stop, ast.Add() if step > 0 else ast.Sub(), ast.Constant(1))
            if isinstance(stop, ast.Constant) and isinstance(stop.value, int):
                longer = ast.Constant(stop.value + step)
            args = [*node.args[:1], longer, *node.args[2:]] if node.args[1:] else [longer]
            yield Diagnosis(
                f"`{code(node)}` on line {node.lineno} stops before `{code(stop)}`. Is that too early? To include "
                f"`{code(stop)}`, write:",
                f"range({', '.join(map(code, args))})",
            )


# ------------------------------------------------------------------------------------------------ unused arguments


def gives_back_its_argument(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an answer that returns its argument unchanged."""
    match body_of(e.function) if e.function and e.failure.did == GAVE else []:
        case [ast.Return(value=ast.Name(id=name))] if name in e.parameters:
            yield Diagnosis(f"Your function returns `{name}` unchanged.")


def unread_parameter(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an answer that uses none of its parameters, or all but one."""
    if e.failure.did != GAVE:
        return
    loaded = {node.id for node in e.nodes if isinstance(node, ast.Name)}
    unread = [name for name in e.parameters if name not in loaded and not name.startswith("_")]
    if unread and len(unread) == len(e.parameters):
        never = " or ".join(f"`{name}`" for name in unread)
        yield Diagnosis(f"Your function never uses {never}, so it returns the same result for every call.")
    elif len(unread) == 1:
        yield Diagnosis(f"Your answer never uses `{unread[0]}`. Does the result depend on it?")
