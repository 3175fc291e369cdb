"""Diagnoses of wrong values: the wrong type, the wrong shape, too few items, or a value that ignores the arguments."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from course.diagnoses.evidence import (
    EXAMPLE_ROOM,
    Diagnosis,
    Evidence,
    body_of,
    called,
    code,
    own_nodes,
    with_article,
)
from course.diagnoses.failure import GAVE, RAISED, OtherKind, SimilarKind
from course.diagnoses.kinds import ITERATORS, kind_words
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
            "`recur` needs two things: `return` before it, and `@tail_recursive` above the `def` of the "
            "function that repeats itself."
        )


def list_for_tuple(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a list that should be a tuple, and find the line that makes it."""
    remark, is_unknown = e.failure.remark, e.failure.did == GAVE and e.failure.wanted is None
    kinds = (remark.wanted, remark.seen) if isinstance(remark, OtherKind) else ()
    is_listed = is_unknown and (e.failure.seen or "").startswith("[")
    if not is_listed and kinds != (SimilarKind.TUPLE, SimilarKind.LIST):
        return
    nodes = (node for made in e.all(ast.Return) for node in ast.walk(made))
    lists = (node for node in nodes if isinstance(node, ast.List | ast.ListComp) or called(node) in ("list", "sorted"))
    says = f"`{e.requirements.name}` returned a list, but the answer is a tuple."
    if made := next(lists, None):
        yield Diagnosis(f"{says} Replace `{code(made)}` by:", _as_tuple(made))
    if isinstance(remark, OtherKind) and remark.path:
        says = f"The part at `{remark.path}` of the result is a list, but must be a tuple."
    yield Diagnosis(f"{says} Wrap it in `tuple(…)`.")


def _as_tuple(node: ast.AST) -> str:
    match node:
        case ast.ListComp(elt=elt, generators=generators):
            return f"tuple({code(ast.GeneratorExp(elt, generators), 80)[1:-1]})"
        case ast.List(elts=elts):
            return code(ast.Tuple(elts), EXAMPLE_ROOM)
        case ast.Call(func=ast.Name(id="list"), args=[inside]):
            node = inside
    return f"tuple({code(node, 60)})"


def one_for_many(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `(x)` where a tuple with one item is needed, and a tuple or a string that contains the right value."""
    observed, wanted, name = e.failure.seen, e.failure.wanted_code, e.requirements.name
    if e.failure.did != GAVE:
        return
    if wanted == f"({observed},)":
        yield Diagnosis(f"The answer is a tuple with one item. Its comma is missing: `{e.in_words('(item,)')}`.")
    elif observed == f"({wanted},)":
        yield Diagnosis(
            f"`{name}` returned the answer inside a tuple. Return only the answer. Is there a comma after it?"
        )
    elif wanted and observed == repr(wanted):
        yield Diagnosis(f"`{name}` returned a string. Return `{wanted}` itself, without quotes.")


def function_for_value(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a function that was returned and not called."""
    observed, wanted = e.failure.seen or "", e.failure.wanted_code
    if e.failure.did == GAVE and wanted and isinstance(e.given.types.get(observed), type):
        yield Diagnosis(f"`{observed}` is a class. To make a value of this class, call it: `{observed}()`.")
    is_function = observed == STUDENT_FUNCTION or observed in e.given.functions
    may_be_right = wanted in e.given.functions or STUDENT_FUNCTION in wanted
    if e.failure.did == GAVE and is_function and wanted and not may_be_right:
        yield Diagnosis(
            f"`{e.requirements.name}` returned a function. Call that function, with its arguments in parentheses."
        )


# ------------------------------------------------------------------------------------------------ the wrong shape


def star_before_recursion(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `(first, sort(rest))`, where a star is missing before `sort(rest)`."""
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
                        f"On line {node.lineno}, the result of `{function.name}` becomes a single item. A star "
                        "adds its items one by one:",
                        code(ast.Tuple([*firsts, ast.Starred(again)]), EXAMPLE_ROOM),
                    )


def bare_parts(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a tuple of the parts of a value where the value itself is needed."""
    match expression_of(e.failure.seen or ""), expression_of(e.failure.wanted_code):
        case ast.Tuple(elts=parts), ast.Call(func=ast.Name(id=name), args=args) if parts and e.failure.did == GAVE:
            if len(parts) == len(args) and name in e.given.types:
                yield Diagnosis(
                    f"`{e.requirements.name}` returned a tuple of the parts. Make {kind_words(name)} of them:",
                    f"{name}({', '.join('…' for _ in parts)})",
                )


# ------------------------------------------------------------------------------------------------ too few


# ------------------------------------------------------------------------------------------------ unused arguments


def gives_back_its_argument(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an answer that returns its argument unchanged."""
    match body_of(e.function) if e.function and e.failure.did == GAVE else []:
        case [ast.Return(value=ast.Name(id=name))] if name in e.parameters:
            yield Diagnosis(f"Your function returns `{name}` unchanged.")


def unread_parameter(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an answer that ignores all of its parameters, or exactly one of them."""
    if e.failure.did != GAVE:
        return
    loaded = {node.id for node in e.nodes if isinstance(node, ast.Name)}
    unread = [name for name in e.parameters if name not in loaded and not name.startswith("_")]
    if unread and len(unread) == len(e.parameters):
        never = " or ".join(f"`{name}`" for name in unread)
        yield Diagnosis(f"Your function never uses {never}, so it returns the same result for every call.")
    elif len(unread) == 1:
        yield Diagnosis(f"Your answer never uses `{unread[0]}`. Does the result depend on it?")
