"""Diagnoses of conditions that are almost right: a boundary that is not included, and `any` for `all`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from course.diagnoses.evidence import LONGEST_CODE, Diagnosis, Evidence, called, code, tree_or_empty
from course.diagnoses.failure import GAVE
from course.syntax import expression_of

INCLUSIVE: dict[type[ast.cmpop], ast.cmpop] = {ast.Gt: ast.GtE(), ast.Lt: ast.LtE()}
MIXED_UP = {"any": "all", "all": "any"}
PASSING_IF = {"any": "at least one item", "all": "every item"}


def boundary_left_out(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `len(floor) > 6` where the floor has six cards, in an answer that is True or False."""
    for node in e.all(ast.Compare) if _is_opposite(e) else ():
        match node:
            case ast.Compare(
                left=ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]),
                ops=[ast.Gt() | ast.Lt() as op],
                comparators=[ast.Constant(value=int() as number) as right],
            ) if _length_in_call(e, name) == number:
                yield Diagnosis(
                    f"In this call, `len({name})` is {number}, so `{code(node)}` on line {node.lineno} is false. If "
                    f"{number} counts, too, write:",
                    code(ast.Compare(node.left, [INCLUSIVE[type(op)]], [right])),
                )


def _is_opposite(e: Evidence) -> bool:
    return e.failure.did == GAVE and {e.failure.seen, e.failure.wanted_code} == {"True", "False"}


def _length_in_call(e: Evidence, name: str) -> int | None:
    """Return how many items the failed call passes for a parameter, or None if the call does not show it."""
    call = expression_of(e.failure.call)
    if not isinstance(call, ast.Call) or code(call.func) != e.requirements.name or name not in e.parameters:
        return None
    index = e.parameters.index(name)
    passed = call.args[index] if index < len(call.args) else None
    for statement in tree_or_empty("\n".join(e.failure.setup)).body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if code(passed or statement) == target:
                passed = value
    is_plain = isinstance(passed, ast.Tuple) and not any(isinstance(each, ast.Starred) for each in passed.elts)
    return len(passed.elts) if isinstance(passed, ast.Tuple) and is_plain else None


def other_quantifier(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `not all(…)` for `not any(…)`, in an answer that is True where it should be False, or the reverse."""
    calls = [call for call in e.all(ast.Call) if called(call) in MIXED_UP]
    if not _is_opposite(e) or len(calls) != 1:
        return
    call, name = calls[0], called(calls[0])
    is_negated = _is_not(e.parents.get(call))
    if not is_negated and not any(_is_not(getattr(arg, "elt", None)) for arg in call.args):
        return  # without a `not`, `any` and `all` are rarely mixed up
    if (name == "any") == ((e.failure.seen == "True") == is_negated):
        return
    yield Diagnosis(
        f"`{name}(…)` on line {call.lineno} asks whether {PASSING_IF[name]} passes. Should it be "
        f"`{MIXED_UP[name]}(…)`?",
        code(ast.Call(ast.Name(MIXED_UP[name]), call.args, []), LONGEST_CODE),
    )


def _is_not(node: ast.AST | None) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def part_of_a_text(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `line in "<>"`, which is also true for `""` and `"<>"`."""
    loops = {code(node.target) for node in e.all(ast.For, ast.comprehension)}
    for node in e.all(ast.Compare):
        match node:
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[ast.Constant(value=str(text))]):
                if len(text) > 1 and code(left) not in loops:
                    each = ast.Tuple([*map(ast.Constant, text)])
                    yield Diagnosis(
                        f"`in {text!r}` on line {node.lineno} also accepts the empty string and {text!r} itself. "
                        "Write:",
                        code(ast.Compare(left, node.ops, [each])),
                    )


CONDITIONS = (
    boundary_left_out,
    other_quantifier,
    part_of_a_text,
)
