"""Diagnoses of wrong values: no value, the wrong type, and slips that Python accepts."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from course.diagnoses.evidence import (
    CORRECTION_ROOM,
    Diagnosis,
    Evidence,
    body_of,
    called,
    code,
    own_nodes,
    tree_or_empty,
    with_article,
)
from course.diagnoses.failure import GAVE, ExpectedException, OtherKind, SimilarKind
from course.diagnoses.kinds import ITERATORS, kind_words
from course.diagnoses.raising import captured
from course.diagnoses.shaping import spread_sum
from course.syntax import expression_of
from course.values import STUDENT_FUNCTION

MAKERS = ("map", "filter", "zip", "reversed", "iter", "enumerate")
PURE = ("sorted", "replace", "tuple", "reversed", "map", "filter", "len", "sum", "recur", "fold_left", "fold_right")


# ------------------------------------------------------------------------------------------------ no value returned


def prints_instead(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an answer that is printed and not returned."""
    prints = [node for node in e.all(ast.Call) if called(node) == "print"]
    if not prints or not e.prints or not (e.gave_none or isinstance(e.failure.wanted, ExpectedException)):
        return
    if isinstance(e.failure.wanted, ExpectedException):
        yield Diagnosis(
            f"Line {prints[-1].lineno} prints, but an exception is expected. Replace that `print` by:",
            f"raise {e.failure.wanted.kind}({', '.join(code(arg) for arg in prints[-1].args)})",
        )
    yield Diagnosis(
        f"Line {prints[-1].lineno} prints the answer, but the function returns nothing. Write `return` instead "
        f"of `print`."
    )


def ways_without_return(e: Evidence) -> Iterator[Diagnosis]:
    """Detect branches of the function that return nothing."""
    if e.function is None or not e.gave_none:
        return
    returns = [n for n in own_nodes(e.function) if isinstance(n, ast.Return)]
    if empty := next((n for n in returns if n.value is None), None):
        yield Diagnosis(f"The `return` on line {empty.lineno} has no value. What is the answer there?")
    if not returns:
        yield Diagnosis("The function returns nothing. It must end with `return` and the result.")
    if any(isinstance(n.value, ast.Constant) and n.value.value is None for n in returns):
        return
    for node in own_nodes(e.function):
        if isinstance(node, ast.Match) and not any(_fits_all(case) for case in node.cases) and _falls_out(e, node):
            yield Diagnosis(
                f"No case of the `match` on line {node.lineno} fits, so nothing is returned. Which case is missing?",
                "case _:\n    return …",
            )
        if isinstance(node, ast.If) and not node.orelse and _falls_out(e, node):
            yield Diagnosis(
                f"If the condition on line {node.lineno} is false, nothing is returned. What is the answer then?"
            )


def _fits_all(case: ast.match_case) -> bool:
    return case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None


def _falls_out(e: Evidence, node: ast.stmt) -> bool:
    """Return whether a function may end after a statement, without a `return`."""
    assert e.function
    return node is body_of(e.function)[-1] or any(
        isinstance(outer, (ast.If, ast.Match)) and outer is body_of(e.function)[-1] for outer in e.above(node)
    )


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
    is_listed = e.failure.did == GAVE and e.failure.wanted is None and (e.failure.seen or "").startswith("[")
    if not is_listed and not _is_list_for_tuple(e.failure.remark):
        return
    made = next(filter(_is_list, _given_back(e)), None)
    says = f"`{e.requirements.name}` returned a list, but the answer is a tuple."
    if made:
        yield Diagnosis(f"{says} Replace `{code(made)}` by:", _as_tuple(made))
    if isinstance(e.failure.remark, OtherKind) and (path := e.failure.remark.path):
        says = f"The part at `{path}` of the result is a list, but must be a tuple."
    yield Diagnosis(f"{says} Wrap it in `tuple(…)`.")


def _is_list(node: ast.AST) -> bool:
    """Return whether an expression makes a list. A sum of lists counts, too."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Add) and (_is_list(node.left) or _is_list(node.right))
    return isinstance(node, (ast.List, ast.ListComp)) or called(node) in ("list", "sorted")


def _is_list_for_tuple(remark: OtherKind | str) -> bool:
    return isinstance(remark, OtherKind) and (remark.wanted, remark.seen) == (SimilarKind.TUPLE, SimilarKind.LIST)


def _as_tuple(node: ast.AST) -> str:
    match node:
        case ast.BinOp():
            return spread_sum(node)
        case ast.ListComp(elt=elt, generators=generators):
            return f"tuple({code(ast.GeneratorExp(elt, generators), 80)[1:-1]})"
        case ast.List(elts=[one]) if not isinstance(one, ast.Starred):
            return f"({code(one, 60)},)"
        case ast.Call(func=ast.Name(id="list"), args=[inside]):
            return f"tuple({code(inside, 60)})"
        case ast.List(elts=elts):
            return f"({', '.join(code(each, 40) for each in elts)}{',' if len(elts) == 1 else ''})"
    return f"tuple({code(node, 60)})"


def _given_back(e: Evidence) -> Iterator[ast.AST]:
    for node in e.all(ast.Return):
        if node.value is not None:
            yield from ast.walk(node.value)


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
    kind = e.given.values.get(wanted)
    if e.failure.did == GAVE and observed == repr(wanted) and kind is not None and hasattr(kind, "__members__"):
        yield Diagnosis(
            f"`{e.requirements.name}` returned the name of {kind_words(kind.__name__)}, as a string. "
            "To get the value itself, write:",
            f"{kind.__name__}[…]",
        )
    if e.failure.did == GAVE and wanted and observed == repr(wanted):
        yield Diagnosis(
            f"`{e.requirements.name}` returned a string, in quotes. Return `{wanted}` itself, without quotes."
        )
    if e.failure.did == GAVE and wanted and wanted == repr(observed):
        yield Diagnosis("The answer must be a string. To make a string of your result, write `str(…)`.")


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


def function_for_value(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a function that was returned and not called."""
    observed = e.failure.seen or ""
    is_class = isinstance(e.given.types.get(observed), type)
    if e.failure.did != GAVE or not (is_class or observed == STUDENT_FUNCTION or observed in e.given.functions):
        return
    wanted = e.failure.wanted_code
    if not wanted or wanted in e.given.functions or STUDENT_FUNCTION in wanted:
        return  # a function is right, or may be
    if isinstance(e.given.types.get(observed), type):
        yield Diagnosis(f"`{observed}` is the class. To make a value, call it: `{observed}()`.")
    yield Diagnosis(
        f"`{e.requirements.name}` returned a function. Call that function, with its arguments in parentheses."
    )


def same_things_otherwise(e: Evidence) -> Iterator[Diagnosis]:
    """Detect the right items in the wrong order."""
    if e.failure.did != GAVE or e.failure.remark:
        return
    observed, wanted = expression_of(e.failure.seen or ""), expression_of(e.failure.wanted_code)
    if not isinstance(observed, ast.Tuple) or not isinstance(wanted, ast.Tuple):
        return
    one, other = [ast.unparse(part) for part in observed.elts], [ast.unparse(part) for part in wanted.elts]
    if one == other or Counter(one) != Counter(other):
        return
    if len(one) > 2:
        yield Diagnosis(f"These are the right items, but in {'reverse' if one == other[::-1] else 'the wrong'} order.")
    elif called(expression_of(e.failure.call)) == e.requirements.name:
        yield Diagnosis("Both parts are right, but in the wrong order. Swap them.")


# ------------------------------------------------------------------------------------------------ slips in the text


def always_true(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `suit == HEARTS or DIAMONDS`, which is always true."""
    for node in e.all(ast.BoolOp):
        word = "or" if isinstance(node.op, ast.Or) else "and"
        for first, bare in pairwise(node.values):
            match first:
                case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() | ast.Is()], comparators=[right]) if _is_fixed(
                    bare, e
                ) and not _is_fixed(left, e):
                    yield Diagnosis(
                        f"On line {node.lineno}, `{code(bare)}` after `{word}` is not compared with anything. Write:",
                        f"{code(left)} in ({code(right)}, {code(bare)})",
                    )


def _is_fixed(node: ast.expr, e: Evidence) -> bool:
    match node:
        case ast.Constant(value=value):
            return not isinstance(value, bool) and value is not None
        case ast.Name(id=name):
            return name in e.given.values or (name.isupper() and name in e.given.names - e.bound)
        case ast.Attribute(value=ast.Name(id=name), attr=attr):
            return isinstance(e.given.types.get(name), type) and attr.isupper()
    return False


def pure_and_dropped(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a value that is computed and not used."""
    for node in e.all(ast.Expr):
        name = called(node.value)
        if name == "recur":
            yield Diagnosis(f"`recur` on line {node.lineno} has no effect by itself. Write `return recur(…)`.")
        if e.parents.get(node) is not None and (source := _pure_source(e, node.value)):
            name = source if source.isidentifier() else "result"
            yield Diagnosis(
                f"Line {node.lineno} computes a value, but nothing uses it. Assign it to a name, or `return` it:",
                f"{name} = {code(node.value, CORRECTION_ROOM)}",
            )


def _pure_source(e: Evidence, node: ast.expr) -> str:
    """Return the code of the value from which an expression computes a result; "" if the expression may do more."""
    match node:
        case ast.Call(args=args) if _is_pure(e, called(node)):
            return code(args[0]) if args else "…"
        case ast.BinOp(left=left):
            return code(left)
    return ""


def _is_pure(e: Evidence, name: str) -> bool:
    """Return whether a call of a built-in function only computes a value. A function passed to it may still print."""
    return name in PURE and name not in e.functions and name not in e.parameters


def bare_capture(e: Evidence) -> Iterator[Diagnosis]:
    """Detect patterns that consist only of a given name. The example corrects all lines with such a pattern."""
    bare = [
        captured(node.name, node.lineno, e)
        for node in e.all(ast.MatchAs)
        if node.pattern is None and node.name and (node.name in e.given.values or _is_class(e, node.name))
    ]
    yield from (replace(each, example="\n".join(dict.fromkeys(one.example for one in bare))) for each in bare[:1])


def _is_class(e: Evidence, name: str) -> bool:
    return name in e.given.names and isinstance(e.given.types.get(name), type)


def quoted_name(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a given name that was written in quotes."""
    for node in e.all(ast.Compare):
        for side in [node.left, *node.comparators]:
            if isinstance(side, ast.Constant) and isinstance(side.value, str) and side.value in e.given.values:
                yield Diagnosis(
                    f"On line {node.lineno}, `{side.value!r}` is a string, which never equals `{side.value}`. Write "
                    f"it without quotes."
                )


def exhausted_iterator(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an iterator that is used twice."""
    for node in e.all(ast.Assign):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if (
                isinstance(value, ast.GeneratorExp) or called(value) in MAKERS
            ):
                reads = [n for n in e.all(ast.Name) if n.id == name and isinstance(n.ctx, ast.Load)]
                if len(reads) > 1 and not any(called(e.parents.get(n)) == "next" for n in reads):
                    yield Diagnosis(
                        f"`{name}` on line {node.lineno} produces its items only once, but line "
                        f"{reads[1].lineno} uses it again. Wrap it in `tuple(…)`."
                    )


def ignores_its_argument(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an answer that uses none of its parameters."""
    if e.function is None or e.failure.did != GAVE:
        return
    loaded = {n.id for n in e.nodes if isinstance(n, ast.Name)}
    unread = [name for name in e.parameters if name not in loaded and not name.startswith("_")]
    if unread and len(unread) == len(e.parameters):
        yield Diagnosis(
            f"Your function never uses {' or '.join(f'`{name}`' for name in unread)}, "
            "so it returns the same result for every call."
        )


def gives_back_its_argument(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an answer that returns its argument unchanged."""
    if e.function is None or e.failure.did != GAVE:
        return
    body = body_of(e.function)
    match body:
        case [ast.Return(value=ast.Name(id=name))] if name in e.parameters:
            yield Diagnosis(f"Your function returns `{name}` unchanged.")


def bare_parts(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a tuple of the parts of a value instead of the value."""
    if e.failure.did != GAVE:
        return
    observed, wanted = (tree_or_empty(text).body for text in (e.failure.seen or "", e.failure.wanted_code))
    match observed, wanted:
        case [ast.Expr(ast.Tuple(elts=parts))], [ast.Expr(ast.Call(func=ast.Name(id=name), args=args))] if parts:
            if len(parts) == len(args) and name in e.given.types:
                yield Diagnosis(
                    f"`{e.requirements.name}` returned a tuple of the parts. Make {kind_words(name)} of them:",
                    f"{name}({', '.join('…' for _ in parts)})",
                )


def early_return(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a loop that ends in its first round."""
    for node in e.all(ast.For, ast.While):
        last = node.body[-1]
        if isinstance(last, ast.Return) and not any(isinstance(n, ast.Continue) for n in ast.walk(node)):
            yield Diagnosis(
                f"The `return` on line {last.lineno} is inside the loop, so the loop stops after one round. "
                f"Move it to the left."
            )
        if (
            isinstance(last, ast.If)
            and last.orelse
            and all(isinstance(part[-1], ast.Return) for part in (last.body, last.orelse))
        ):
            yield Diagnosis(
                f"Both branches of the `if` on line {last.lineno} return, so the loop stops after one round. "
                f"Which `return` belongs after the loop?"
            )
