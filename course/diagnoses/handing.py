"""Diagnoses of functions that are passed to other functions, and of items where tuples are expected."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from copy import deepcopy

from course.diagnoses.evidence import LONGEST_CODE, Diagnosis, Evidence, called, code, own_nodes
from course.diagnoses.passing import WithoutCalls, is_complete


def tuple_of_calls(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `stages = first(view), second(view)`, where a tuple of functions is passed on."""
    if not e.is_raised_inside or "object is not callable" not in (e.failure.seen or ""):
        return
    for node in [each for each in e.all(ast.Tuple) if each not in e.here]:
        early = [each for each in node.elts if is_complete(e, each)]
        if early and e.failure.inside:
            yield Diagnosis(
                f"Line {node.lineno} calls `{called(early[0])}`, but `{e.failure.inside.name}` takes the functions "
                "themselves. Write:",
                code(WithoutCalls(early).visit(deepcopy(node)), LONGEST_CODE)[1:-1],
            )


def other_count_of_arguments(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `input_move(choose, choose)`, where a passed function is called with more arguments than it takes."""
    match = re.search(r"(\w+)\(\) takes (\d+) positional arguments? but (\d+) w", e.failure.seen or "")
    if not e.is_raised_inside or not match or not e.failure.inside:
        return
    for call in e.calls_here:
        if called(call) == e.failure.inside.name and match[1] in map(code, call.args):
            names = ", ".join("abcdef"[: int(match[3])])
            yield Diagnosis(
                f"Line {call.lineno} passes `{match[1]}` to `{called(call)}`, which calls it with {match[3]} "
                f"arguments. It takes {match[2]}. Write a function that fits:",
                f"lambda {names}: {match[1]}(({names}))" if match[2] == "1" else "",
            )


def helper_without_return(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a local function that is passed on and returns nothing."""
    for call in e.calls_here if e.is_raised_inside and "NoneType" in (e.failure.seen or "") else ():
        for name in map(code, call.args):
            helper = e.functions.get(name)
            returns = [n for n in own_nodes(helper) if isinstance(n, ast.Return)] if helper else []
            if isinstance(helper, ast.FunctionDef) and not returns:
                yield Diagnosis(
                    f"`{name}` on line {helper.lineno} returns nothing, so its value is `None`. Add:", "return …"
                )


HANDING = (
    tuple_of_calls,
    other_count_of_arguments,
    helper_without_return,
)
