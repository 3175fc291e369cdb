"""Diagnoses of wrong shapes: a missing star, a value instead of one of its parts, an `else` without parentheses."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from course.diagnoses.evidence import EXAMPLE_ROOM, Diagnosis, Evidence, addends, called, code, own_nodes, tree_or_empty
from course.diagnoses.failure import GAVE, RAISED
from course.diagnoses.kinds import kind_words, parts_of
from course.syntax import expression_of

# ------------------------------------------------------------------------------------------------ several for one


def star_before_recursion(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `(first, sort(rest))`, where `sort(rest)` needs a star."""
    is_about_tuples = not e.failure.line or "'tuple'" in (e.failure.seen or "")
    for function in (
        e.all(ast.FunctionDef) if e.failure.did in (GAVE, RAISED) and e.function and is_about_tuples else ()
    ):
        if function is e.function or _makes_flat_tuples(function):
            for node in own_nodes(function):
                yield from _star_in(e, function.name, node)


def _makes_flat_tuples(function: ast.FunctionDef) -> bool:
    """Return whether a function also returns one of its arguments, or an empty tuple."""
    names = {"()", *(arg.arg for arg in function.args.args)}
    returns = [node.value for node in own_nodes(function) if isinstance(node, ast.Return) and node.value]
    return any(code(value) in names for value in returns)


def _star_in(e: Evidence, name: str, node: ast.AST) -> Iterator[Diagnosis]:
    """Return the tuple with a star added before the call of `name`."""
    match node:
        case ast.Tuple(elts=[*firsts, ast.Call() as again]) if firsts and called(again) == name:
            yield Diagnosis(
                f"On line {node.lineno}, the result of `{name}` becomes one item. A star spreads it:",
                code(ast.Tuple([*firsts, ast.Starred(again)]), EXAMPLE_ROOM),
            )


def spread_sum(node: ast.expr) -> str:
    """Return a sum of tuples and lists as one tuple."""
    return f"({', '.join(_spread(part) for part in addends(node))})"


def _spread(node: ast.expr) -> str:
    if isinstance(node, ast.Tuple | ast.List):
        return ", ".join(code(part) for part in node.elts)
    return f"*{code(node)}"


# ------------------------------------------------------------------------------------------------ patterns


# ------------------------------------------------------------------------------------------------ conditions


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
            if len(parts) == 1:
                yield Diagnosis(
                    f"`{e.requirements.name}` returned {kind_words(kind)} where only its `{parts[0]}` is wanted. "
                    "Write after it:",
                    f".{parts[0]}",
                )


def condition_around_a_sum(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `points + 10 if won else 0`, which is 0 where `points + 0` is intended."""
    for node in e.all(ast.IfExp) if e.failure.did == GAVE and _is_zero_for_more(e) else ():
        match node:
            case ast.IfExp(
                body=ast.BinOp(left=left, op=ast.Add(), right=ast.Constant() as more), orelse=ast.Constant(value=0)
            ):
                inner = ast.IfExp(node.test, more, node.orelse)
                yield Diagnosis(
                    f"On line {node.lineno}, `else 0` replaces all of `{code(node.body)}`. Write parentheses:",
                    f"{code(left, EXAMPLE_ROOM)} + ({code(inner, EXAMPLE_ROOM)})",
                )


def _is_zero_for_more(e: Evidence) -> bool:
    """Return whether an answer returns 0 where a larger number is right."""
    observed, wanted = (
        [node.value for node in ast.walk(tree_or_empty(text)) if isinstance(node, ast.Constant)]
        for text in (e.failure.seen or "", e.failure.wanted_code)
    )
    pairs = zip(observed, wanted, strict=False)
    return any(one == 0 and type(one) is int and isinstance(other, int) and other > 0 for one, other in pairs)
