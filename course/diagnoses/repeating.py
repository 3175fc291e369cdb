"""Diagnoses of calls and loops that never end, and of lines that never run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from course.diagnoses.evidence import Diagnosis, Evidence, body_of, called, code, own_nodes, positional_parameters
from course.diagnoses.failure import SLOW

ENDS_BLOCK = {ast.Return: "return", ast.Raise: "raise", ast.Break: "break", ast.Continue: "continue"}
HARMLESS = ast.Raise, ast.Pass, ast.Break, ast.Continue  # below a `return`, for example as a rest of the stub


def never_runs(e: Evidence) -> Iterator[Diagnosis]:
    """Detect lines below a `return` in the same block, which never run."""
    blocks = [getattr(node, name, None) for node in e.nodes for name in ("body", "orelse")]
    for leaving, after in (pair for block in blocks if isinstance(block, list) for pair in pairwise(block)):
        is_text = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
        if type(leaving) in ENDS_BLOCK and not isinstance(after, HARMLESS) and not is_text:
            word = ENDS_BLOCK[type(leaving)]
            yield Diagnosis(
                f"Line {after.lineno} never runs, because line {leaving.lineno} is a `{word}`. Move one of "
                "the two lines, or change its indentation."
            )


def early_return(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a loop that ends in its first round."""
    for loop in e.all(ast.For, ast.While):
        last = loop.body[-1]
        if isinstance(last, ast.Return) and not any(isinstance(node, ast.Continue) for node in ast.walk(loop)):
            says = f"The `return` on line {last.lineno} is inside the loop, so the loop stops after one round."
            yield Diagnosis(f"{says} Indent it less, so that it comes after the loop.")


def endless(e: Evidence) -> Iterator[Diagnosis]:
    """Detect calls or loops that never end."""
    if e.error != "RecursionError" and e.failure.did is not SLOW:
        return
    for loop in e.all(ast.While):
        if unchanged := _unchanged(loop):
            names = " or ".join(f"`{name}`" for name in unchanged)
            says = f"The loop on line {loop.lineno} never changes {names}, so it never ends."
            yield Diagnosis(f"{says} The loop must change a value that its condition uses.")
    could_be_a_tail_call = True
    for name, function in e.functions.items():
        inside = [node for part in body_of(function) for node in ast.walk(part)]
        again = [node for node in own_nodes(function) if called(node) == "recur"]
        again += [node for node in inside if called(node) == name]
        could_be_a_tail_call = could_be_a_tail_call and len(again) < 2
        same = [arg.arg for arg in positional_parameters(function)]
        for call in again:
            if same and isinstance(call, ast.Call) and [code(arg) for arg in call.args] == same:
                yield Diagnosis(
                    f"`{code(call)}` on line {call.lineno} calls the function again with the same arguments."
                    " Which argument must change?"
                )
    if e.error == "RecursionError":
        says = (
            "The calls are nested too deeply. Which argument gets smaller with every call, and which case ends "
            "the recursion?"
        )
        more = " If your function has both, use `@tail_recursive` and `return recur(…)`."
        yield Diagnosis(says + more * could_be_a_tail_call)
    yield Diagnosis(
        "The function does not end. Which value changes with every round or call, and which condition stops it?"
    )


def _unchanged(loop: ast.While) -> list[str]:
    """Return the names that a loop's condition reads and its body never changes; () if the loop may end."""
    body, test = [n for part in loop.body for n in ast.walk(part)], [*ast.walk(loop.test)]
    if any(isinstance(node, (ast.Break, ast.Return, ast.Raise)) for node in body):
        return []
    functions = {id(node.func) for node in test if isinstance(node, ast.Call)}
    names = [node.id for node in test if isinstance(node, ast.Name) and id(node) not in functions]
    stored = {node.id for node in body if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    passed = [node for call in body if isinstance(call, ast.Call) for node in ast.walk(call)]
    touched = {node.id for node in passed if isinstance(node, ast.Name)}
    has_effects = any(isinstance(node, ast.Call) and called(node) not in ("len", "range") for node in test)
    return [] if {*names} & (stored | touched) or has_effects else [*dict.fromkeys(names)]
