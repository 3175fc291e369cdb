"""Diagnoses of values that are computed and never returned, in the answer or in a function of the learner's own."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from course.diagnoses.evidence import (
    CORRECTION_ROOM,
    Diagnosis,
    Evidence,
    body_of,
    called,
    code,
    own_nodes,
    positional_parameters,
)
from course.diagnoses.failure import RAISED
from course.form.reading import MUTATORS
from course.syntax import expression_of

EFFECTS = ("print", "input", "input_valid", *MUTATORS)


# ------------------------------------------------------------------------------------------------ at the end


def drops_its_value(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a last line whose value was meant to be returned."""
    if e.function and e.gave_none:
        yield from _value_at_the_end(e.function, "the function")


def inner_drops_its_value(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a local or recursive function that returns None, because its last line only computes a value."""
    for node in e.all(ast.FunctionDef) if _has_lost_none(e) else ():
        if (node is not e.function or e.failure.did == RAISED) and _is_value_used(e, node.name):
            yield from _value_at_the_end(node, f"`{node.name}`")


def _value_at_the_end(function: ast.FunctionDef, subject: str) -> Iterator[Diagnosis]:
    """Return a message about a last line that only computes or assigns a value, instead of returning it."""
    for statement in _endings(body_of(function)):
        match statement:
            case ast.Expr(value=value) if _is_worth_something(value):
                yield Diagnosis(
                    f"Line {statement.lineno} computes a value, but {subject} never returns it. Add `return`:",
                    f"return {code(value, CORRECTION_ROOM)}",
                )
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield Diagnosis(
                    f"Line {statement.lineno} assigns `{name}`, but {subject} never returns it. Add:", f"return {name}"
                )


def _is_worth_something(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return called(node) != "print" and not (isinstance(node.func, ast.Attribute) and node.func.attr in MUTATORS)
    return not (isinstance(node, ast.Constant) and isinstance(node.value, (str, type(...))))


def _endings(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that a function may end with."""
    if not body:
        return
    match body[-1]:
        case ast.If(body=one, orelse=other):
            yield from _endings(one)
            yield from _endings(other)
        case ast.Match(cases=cases):
            for case in cases:
                yield from _endings(case.body)
        case last:
            yield last


def _has_lost_none(e: Evidence) -> bool:
    """Return whether None was used as a value, or is in the result where another value is right."""
    if e.failure.did == RAISED:
        return "NoneType" in (e.failure.seen or "")
    return e.gave_none or _count_none(e.failure.seen or "") > _count_none(e.failure.wanted_code)


def _count_none(text: str) -> int:
    node = expression_of(text)
    return sum(isinstance(n, ast.Constant) and n.value is None for n in ast.walk(node)) if node else 0


def _is_value_used(e: Evidence, name: str) -> bool:
    """Return whether a function's result may be used. A call that is a statement of its own does not use it."""
    calls = {node.func: node for node in e.all(ast.Call)}
    uses = [node for node in e.all(ast.Name) if node.id == name and isinstance(node.ctx, ast.Load)]
    return any(not isinstance(e.parents.get(calls.get(use, use)), ast.Expr) for use in uses)


# ------------------------------------------------------------------------------------------------ on the way


def own_result_dropped(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `put(only)` instead of `return put(only)`, where `put` is a function of the learner that only computes."""
    for node in e.all(ast.Expr):
        function = e.functions.get(called(node.value))
        if isinstance(function, ast.FunctionDef) and isinstance(node.value.func, ast.Name) and _only_computes(function):
            says = f"Line {node.lineno} ignores the result of `{called(node.value)}`."
            if any(isinstance(outer, ast.For | ast.While) for outer in e.above(node)):
                yield Diagnosis(f"{says} Assign the result to a name, or return it.")
            yield Diagnosis(f"{says} To return it, write:", f"return {code(node.value, CORRECTION_ROOM)}")


def _only_computes(function: ast.FunctionDef) -> bool:
    """Return whether a function returns a value and has no other effect."""
    nodes = list(ast.walk(function))
    returns = any(isinstance(n, ast.Return) and n.value is not None for n in own_nodes(function))
    effects = any(called(n) in EFFECTS for n in nodes) or any(isinstance(n, ast.Raise | ast.Global) for n in nodes)
    passed = {arg.arg for arg in positional_parameters(function)}
    return returns and not effects and not any(called(n) in passed for n in nodes)
