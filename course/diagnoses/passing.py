"""Diagnoses of arguments of the wrong kind: a tuple for one of its items, or a function for its result."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from itertools import chain

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
from course.form.given import BUILTINS

# all arguments of `compose` are functions
FIRST_IS_FUNCTION = ("map", "filter", "find", "fold_left", "fold_right", "compose")


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


# ------------------------------------------------------------------------------------------------ raised or written


def another_kind_passed(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an argument of the wrong kind that made a right function raise an exception."""
    inside = e.failure.inside
    if inside is None:
        return
    for index, (wanted, received) in enumerate(zip(kinds_wanted(e, inside.name), inside.kinds, strict=False)):
        if wanted and not (_fits(e, received, wanted) and _items_fit(e, inside.name, index, received)):
            if wanted >= FUNCTION_KINDS and inside.name not in e.requirements.exercises:
                return  # the folds have their own diagnoses
            calls = e.calls_here if e.failure.line else _calls_in_value(e)
            call = next((c for c in calls if called(c) == inside.name and len(c.args) > index), None)
            yield _explained(e, Mismatch(e.failure.line, inside.name, index, received, call))


def _calls_in_value(e: Evidence) -> list[ast.Call]:
    """Return the calls whose results are assigned to names. A chain such as `f(a)(b)` becomes one call."""
    calls = [top.value for top in e.tops if isinstance(top, ast.Assign | ast.AnnAssign)]
    return [_at_once(call) for call in calls if isinstance(call, ast.Call)]


def _at_once(call: ast.Call) -> ast.Call:
    """Return `f(a)(b)` as `f(a, b)`."""
    if not isinstance(call.func, ast.Call) or call.keywords:
        return call
    first = _at_once(call.func)
    return ast.copy_location(ast.Call(first.func, [*first.args, *call.args], []), call)


def another_kind_written(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an argument that is certainly of the wrong kind, whatever the call returns."""
    for call in e.all(ast.Call):
        name = _first_called(call)
        for index, (wanted, argument) in enumerate(zip(kinds_wanted(e, name), call.args, strict=False)):
            kinds = kinds_written(e, argument)
            if wanted and kinds and not kinds & wanted and name not in e.bound and not _is_spread(call.args):
                received = "function" if kinds >= FUNCTION_KINDS else min(kinds)
                is_direct = isinstance(call.func, ast.Name)
                yield _explained(e, Mismatch(call.lineno, name, index, received, call if is_direct else None))


def _first_called(call: ast.Call) -> str:
    """Return the function that receives the arguments of a call: for a composition, the last one."""
    match call.func:
        case ast.Name(id=name) | ast.Call(func=ast.Name(id="compose"), args=[*_, ast.Name(id=name)]):
            return name
    return ""


def _is_spread(args: list[ast.expr]) -> bool:
    return any(isinstance(each, ast.Starred) for each in args)


def kinds_wanted(e: Evidence, name: str) -> Iterator[frozenset[str]]:
    return (kinds_of(annotation, e.requirements.module) for _, annotation in signature_of(e, name))


def _fits(e: Evidence, received: str, wanted: frozenset[str]) -> bool:
    plain = received.split("[")[0]
    kind = e.given.types.get(plain)
    return plain in wanted or ("tuple" in wanted and isinstance(kind, type) and issubclass(kind, tuple))


def _items_fit(e: Evidence, name: str, index: int, received: str) -> bool:
    """Return whether the items of a tuple may be what a parameter takes; a tuple of tuples is no tuple of cards."""
    wanted = item_kinds_of(signature_of(e, name)[index][1], e.requirements.module)
    return received != "tuple[tuple]" or not wanted or "tuple" in wanted


def called_for_a_function(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a call where the function itself is expected: `Bot("Ann", play(view))`, `compose(draw(desk), draw)`."""
    for call in e.all(ast.Call):
        match call:
            case ast.Call(func=ast.Name(id=name), args=args) if name not in e.bound and not _is_spread(args):
                early = [each for each in _for_functions(e, name, args) if is_complete(e, each)]
                if early:
                    yield Diagnosis(
                        f"Line {call.lineno} calls `{called(early[0])}`, but `{name}` takes the function itself. "
                        "Write:",
                        code(WithoutCalls(early).visit(deepcopy(call)), CORRECTION_ROOM),
                    )


def is_complete(e: Evidence, node: ast.expr) -> bool:
    """Return whether an expression calls an exercise with all its arguments, or a known function with none."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[]) if name in BUILTINS | e.given.functions.keys():
            return name not in e.bound
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name not in e.bound:
            return name in e.requirements.exercises and len(args) in (
                0,
                len(e.requirements.signatures.get(name, ())) or 1,
            )
    return False


def _for_functions(e: Evidence, name: str, args: list[ast.expr]) -> Iterator[ast.expr]:
    """Yield the arguments of a call that must be functions.

    If an argument must be a tuple of functions, its items are yielded.
    """
    if name in FIRST_IS_FUNCTION:
        yield from args if name == "compose" else args[:1]
        return
    for (_, annotation), argument in zip(signature_of(e, name), args, strict=False):
        if kinds_of(annotation, e.requirements.module) >= FUNCTION_KINDS:
            yield argument
        if isinstance(argument, ast.Tuple) and item_kinds_of(annotation, e.requirements.module) >= FUNCTION_KINDS:
            yield from argument.elts


class WithoutCalls(ast.NodeTransformer):
    """A transformer that replaces calls of functions by the functions themselves."""

    def __init__(self, calls: list[ast.expr]) -> None:
        self.calls = {code(call, CORRECTION_ROOM) for call in calls}

    def visit_Call(self, node: ast.Call) -> ast.AST:
        return node.func if code(node, CORRECTION_ROOM) in self.calls else self.generic_visit(node)


# ------------------------------------------------------------------------------------------------ corrections


def _explained(e: Evidence, wrong: Mismatch) -> Diagnosis:
    """Return a message about an argument of the wrong kind, with the corrected call if it is known."""
    parameter, annotation = signature_of(e, wrong.name)[wrong.index]
    wanted = kinds_of(annotation, e.requirements.module)
    line = wrong.line or next((top.lineno for top in e.tops), 1)
    says = (
        f"Line {line} passes {kind_words(wrong.received)} to `{wrong.name}`, but its parameter `{parameter}` must "
        f"be {annotation_words(annotation, wanted)}."
    )
    if wrong.received == "tuple[tuple]":
        says = f"Line {line} passes several tuples to `{wrong.name}`, which takes only one tuple."
    if wrong.received == "function" and e.function is None and "compose" in e.given.functions and wrong.call:
        made = f"compose({', '.join(code(each, CORRECTION_ROOM) for each in (wrong.call.func, *wrong.call.args))})"
        return Diagnosis(f"Line {line} calls `{wrong.name}`. To make one function of both, write:", made)
    if wrong.call and (in_order := _in_order(e, wrong, wrong.call, wanted)):
        says = f"`{wrong.name}` on line {line} has its arguments in the wrong order. "
        if _has_several_orders(e, wrong.name):
            return Diagnosis(f"{says}It is called like this:", _as_called(e, wrong.name))
        return Diagnosis(f"{says}Write:", in_order)
    advice = chain.from_iterable(adviser(e, wrong, wrong.call, wanted) for adviser in ADVISERS) if wrong.call else ()
    how, example = next(iter(advice), ("It is called like this:", _as_called(e, wrong.name)))
    return Diagnosis(f"{says} {how}", example)


def _in_order(e: Evidence, wrong: Mismatch, call: ast.Call, wanted: frozenset[str]) -> str:
    """Return the call with two arguments swapped, if one is certainly of the kind that the other should be."""
    args, kinds = call.args, list(kinds_wanted(e, wrong.name))
    mine = kinds_written(e, args[wrong.index]) or frozenset({wrong.received.split("[")[0]})
    for index, (other, takes) in enumerate(zip(args, kinds, strict=False)):
        others = kinds_written(e, other)
        is_fitting = (others & wanted and (not takes or mine & takes)) or (not others and mine <= takes)
        is_fitting = is_fitting and takes != wanted
        if index != wrong.index and is_fitting:
            changed = deepcopy(call)
            changed.args[index], changed.args[wrong.index] = changed.args[wrong.index], changed.args[index]
            return code(changed, CORRECTION_ROOM)
    return ""


def _has_several_orders(e: Evidence, name: str) -> bool:
    """Return whether two parameters of a function take the same kind, so that several orders of arguments fit."""
    kinds = [each for each in kinds_wanted(e, name) if each]
    return len({*kinds}) < len(kinds)


Advice = Iterator[tuple[str, str]]


def _for_each(e: Evidence, wrong: Mismatch, call: ast.Call, wanted: frozenset[str]) -> Advice:
    """Yield code that calls a function for each item of its argument."""
    argument = call.args[wrong.index]
    annotation = dict(e.requirements.parameters).get(code(argument), "")
    items = {wrong.received.partition("[")[2][:-1]} | item_kinds_of(annotation, e.requirements.module)
    if wrong.received.split("[")[0] not in ("tuple", "list") or not items & wanted:
        return
    outer = e.parents.get(call)
    if len(call.args) == 1:
        each = f"map({wrong.name}, {code(argument, CORRECTION_ROOM)})"
    else:
        each = f"{_with_argument(call, wrong.index, ast.Name('each'))} for each in {code(argument, CORRECTION_ROOM)}"
    is_test = isinstance(outer, ast.UnaryOp | ast.BoolOp | ast.If | ast.IfExp)
    maker = called(outer) if called(outer) in ("sum", "tuple", "any", "all", "max", "min") else "tuple"
    maker = "any" if is_test else "sum" if isinstance(outer, ast.BinOp) else maker
    yield "To call it for each item, write:", f"{maker}({each})"


def _none_before_it(e: Evidence, wrong: Mismatch, call: ast.Call, wanted: frozenset[str]) -> Advice:
    """Yield a test for None, if the argument is a search result or a part that may be None."""
    argument = call.args[wrong.index]
    made = [each.value for each in e.all(ast.Assign) if code(argument) in map(code, each.targets)]
    is_search = any(called(value) in ("next", "find", "get") for value in made)
    if wrong.received == "NoneType" and (is_search or "NoneType" in kinds_written(e, argument)):
        name = code(argument)
        yield f"First handle the case that `{name}` is `None`:", f"if {name} is None:\n    return …"


ADVISERS = (
    _none_before_it,
    _for_each,
)


def _as_called(e: Evidence, name: str) -> str:
    return f"{name}({', '.join(parameter for parameter, _ in signature_of(e, name))})"


def _with_argument(call: ast.Call, index: int, argument: ast.expr) -> str:
    changed = deepcopy(call)
    changed.args[index] = argument
    return code(changed, CORRECTION_ROOM)


# ------------------------------------------------------------------------------------------------ other exceptions


def raised_by_a_call(e: Evidence) -> Iterator[Diagnosis]:
    """Return a message that a right function raised an exception for the arguments that a line passes."""
    if e.is_raised_inside and e.failure.inside is not None:
        what = f"Line {e.failure.line} calls `{e.failure.inside.name}`, which raises `{e.failure.error}` for"
        yield Diagnosis(f"{what} these arguments. {e.facts()}".strip())
