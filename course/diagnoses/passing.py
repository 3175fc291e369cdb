"""Diagnoses of arguments of the wrong kind: a tuple for one of its items, or a function for its result."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass

from course.diagnoses.calls import is_spread
from course.diagnoses.evidence import CORRECTION_ROOM, Diagnosis, Evidence, called, code
from course.diagnoses.kinds import (
    FUNCTION_KINDS,
    annotation_words,
    item_kinds_of,
    kind_words,
    kinds_of,
    kinds_written,
    signature_of,
)


@dataclass(frozen=True)
class Mismatch:
    """An argument of another kind than the parameter takes.

    `call` is None if another function, such as `map`, makes the call.
    """

    line: int
    name: str
    index: int
    received: str
    call: ast.Call | None = None


def another_kind_passed(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an argument of the wrong kind that made a right function raise an exception."""
    inside = e.failure.inside
    if inside is None:
        return
    for index, (wanted, received) in enumerate(zip(_kinds_wanted(e, inside.name), inside.kinds, strict=False)):
        plain = received.split("[")[0]
        kind = e.given.types.get(plain)
        is_tuple = isinstance(kind, type) and issubclass(kind, tuple)
        if wanted and plain not in wanted and not (is_tuple and "tuple" in wanted):
            if wanted >= FUNCTION_KINDS and inside.name not in e.requirements.exercises:
                return  # the folds have their own diagnoses
            values = [top.value for top in e.tops if isinstance(top, ast.Assign | ast.AnnAssign)]
            outside = [_at_once(value) for value in values if isinstance(value, ast.Call)]
            calls = e.calls_here if e.failure.line else outside
            call = next((c for c in calls if called(c) == inside.name and len(c.args) > index), None)
            yield _explained(e, Mismatch(e.failure.line, inside.name, index, received, call))


def _at_once(call: ast.Call) -> ast.Call:
    """Return `f(a)(b)` as `f(a, b)`."""
    if not isinstance(call.func, ast.Call) or call.keywords:
        return call
    first = _at_once(call.func)
    return ast.copy_location(ast.Call(first.func, [*first.args, *call.args], []), call)


def another_kind_written(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an argument that is certainly of the wrong kind, whatever the call returns."""
    for call in e.all(ast.Call):
        match call.func:  # a composition passes its arguments to its last function
            case ast.Name(id=name) | ast.Call(func=ast.Name(id="compose"), args=[*_, ast.Name(id=name)]):
                pairs = [*zip(_kinds_wanted(e, name), call.args, strict=False)]
                for index, (wanted, argument) in enumerate(pairs):
                    kinds = kinds_written(e, argument)
                    if wanted and kinds and not kinds & wanted and name not in e.bound and not is_spread(call.args):
                        received = "function" if kinds >= FUNCTION_KINDS else min(kinds)
                        direct = call if isinstance(call.func, ast.Name) else None
                        yield _explained(e, Mismatch(call.lineno, name, index, received, direct))


def _kinds_wanted(e: Evidence, name: str) -> list[frozenset[str]]:
    return [kinds_of(annotation, e.requirements.module) for _, annotation in signature_of(e, name)]


# ------------------------------------------------------------------------------------------------ corrections


def _explained(e: Evidence, wrong: Mismatch) -> Diagnosis:
    """Return a message about an argument of the wrong kind, with the corrected call if it is known."""
    parameter, annotation = signature_of(e, wrong.name)[wrong.index]
    wanted = kinds_of(annotation, e.requirements.module)
    line = wrong.line or next((top.lineno for top in e.tops), 1)
    as_called = f"{wrong.name}({', '.join(name for name, _ in signature_of(e, wrong.name))})"
    says = (
        f"Line {line} passes {kind_words(wrong.received)} to `{wrong.name}`, but its parameter `{parameter}` must "
        f"be {annotation_words(annotation, wanted)}."
    )
    if not wrong.call:
        return Diagnosis(f"{says} It is called like this:", as_called)
    if in_order := _in_order(e, wrong, wrong.call, wanted):
        says = f"`{wrong.name}` on line {line} has its arguments in the wrong order. "
        kinds = [each for each in _kinds_wanted(e, wrong.name) if each]
        if len({*kinds}) < len(kinds):  # several orders of the arguments fit
            return Diagnosis(f"{says}It is called like this:", as_called)
        return Diagnosis(f"{says}Write:", in_order)
    argument = wrong.call.args[wrong.index]
    made_by = [each.value for each in e.all(ast.Assign) if code(argument) in map(code, each.targets)]
    is_search = any(called(value) in ("next", "find", "get") for value in made_by)
    if wrong.received == "NoneType" and (is_search or "NoneType" in kinds_written(e, argument)):
        name = code(argument)
        return Diagnosis(f"{says} First handle the case that `{name}` is `None`:", f"if {name} is None:\n    return …")
    if for_each := _for_each(e, wrong, wrong.call, wanted):
        return Diagnosis(f"{says} To call it for each item, write:", for_each)
    return Diagnosis(f"{says} It is called like this:", as_called)


def _in_order(e: Evidence, wrong: Mismatch, call: ast.Call, wanted: frozenset[str]) -> str:
    """Return the call with two arguments swapped, if one is certainly of the kind that the other should be."""
    mine = kinds_written(e, call.args[wrong.index]) or frozenset({wrong.received.split("[")[0]})
    for index, (other, takes) in enumerate(zip(call.args, _kinds_wanted(e, wrong.name), strict=False)):
        others = kinds_written(e, other)
        is_fitting = (others & wanted and (not takes or mine & takes)) or (not others and mine <= takes)
        if index != wrong.index and is_fitting and takes != wanted:
            changed = deepcopy(call)
            changed.args[index], changed.args[wrong.index] = changed.args[wrong.index], changed.args[index]
            return code(changed, CORRECTION_ROOM)
    return ""


def _for_each(e: Evidence, wrong: Mismatch, call: ast.Call, wanted: frozenset[str]) -> str:
    """Return code that calls a function for each item of its argument, or "" if the items do not fit either."""
    argument = call.args[wrong.index]
    annotation = dict(e.requirements.parameters).get(code(argument), "")
    items = {wrong.received.partition("[")[2][:-1]} | item_kinds_of(annotation, e.requirements.module)
    if wrong.received.split("[")[0] not in ("tuple", "list") or not items & wanted:
        return ""
    outer = e.parents.get(call)
    each = f"map({wrong.name}, {code(argument, CORRECTION_ROOM)})"
    if len(call.args) > 1:
        changed = deepcopy(call)
        changed.args[wrong.index] = ast.Name("each")
        each = f"{code(changed, CORRECTION_ROOM)} for each in {code(argument, CORRECTION_ROOM)}"
    maker = called(outer) if called(outer) in ("sum", "tuple", "any", "all", "max", "min") else "tuple"
    if isinstance(outer, ast.UnaryOp | ast.BoolOp | ast.If | ast.IfExp):
        maker = "any"
    return f"{'sum' if isinstance(outer, ast.BinOp) else maker}({each})"


def raised_by_a_call(e: Evidence) -> Iterator[Diagnosis]:
    """Return a message that a right function raised an exception for the arguments that a line passes."""
    if e.is_raised_inside and e.failure.inside is not None:
        what = f"Line {e.failure.line} calls `{e.failure.inside.name}`, which raises `{e.failure.error}` for"
        yield Diagnosis(f"{what} these arguments. {e.facts()}".strip())
