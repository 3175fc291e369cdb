"""Diagnoses of patterns and conditions that match too much or never."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from course.diagnoses.evidence import CORRECTION_ROOM, Diagnosis, Evidence, code
from course.diagnoses.kinds import (
    fields_captured,
    kinds_written,
)
from course.form.given import members_of

# ------------------------------------------------------------------------------------------------ captured parameters


def parameter_captured(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `case Crd(_, color)` where `color` is a parameter. The pattern overwrites it."""
    for case in e.all(ast.match_case):
        for name, kind in fields_captured(e, ast.walk(case.pattern)):
            if name in e.parameters:
                yield Diagnosis(
                    f"On line {case.pattern.lineno}, the pattern gives `{name}` a new value, so it matches every "
                    f"`{name}`. Use another name, and compare:",
                    _with_guard(case.pattern, name, _test(e, name, kind)),
                )


def _test(e: Evidence, name: str, kind: object) -> str:
    """Return a condition that compares a captured value with a parameter, in the way that the unit requires."""
    given = e.requirements.policy.compare_with
    function = next((given[each] for each in given if members_of(kind) <= members_of(e.given.types.get(each))), "")
    return f"{function}(other_{name}, {name})" if function else f"other_{name} == {name}"


def _with_guard(pattern: ast.pattern, name: str, test: str) -> str:
    """Return the pattern with another name and a guard. Alternatives without the name become separate cases."""
    choices = [*map(ast.unparse, pattern.patterns if isinstance(pattern, ast.MatchOr) else [pattern])]
    renamed = {choice: re.sub(rf"\b{name}\b", f"other_{name}", choice) for choice in choices}
    asking, plain = [new for old, new in renamed.items() if new != old], [old for old in choices if renamed[old] == old]
    return f"case {' | '.join(asking)} if {test}:" + (f"\ncase {' | '.join(plain)}:" if plain else "")


def unlike_one_of_two(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `tile != one or tile != other`, which is always true."""
    for node in e.all(ast.BoolOp):
        tests = [each for each in node.values if isinstance(each, ast.Compare)]
        same = {code(test.left) for test in tests}
        unequal = all(isinstance(test.ops[0], ast.NotEq | ast.IsNot) and len(test.ops) == 1 for test in tests)
        if isinstance(node.op, ast.Or) and tests == node.values and len(same) == 1 and unequal:
            yield Diagnosis(
                f"On line {node.lineno}, one side of `or` is always true. If both must be true, write:",
                code(ast.BoolOp(ast.And(), node.values), CORRECTION_ROOM),
            )


def text_against_number(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `text[0] == left`, where `left` is a number."""
    kinds = dict(fields_captured(e, e.nodes))
    for node in e.all(ast.Compare):
        for one, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
            match one, other:
                case ast.Subscript(value=text), ast.Name() | ast.Attribute():
                    if _kind(e, kinds, text) is str and _kind(e, kinds, other) is int and len(node.ops) == 1:
                        yield Diagnosis(
                            f"`{code(one)}` on line {node.lineno} is a string, which never equals the number"
                            f" `{code(other)}`. Convert it to a number:",
                            f"int({code(one)})",
                        )


def _kind(e: Evidence, kinds: dict[str, object], node: ast.expr) -> object:
    return e.given.fields.get(node.attr) if isinstance(node, ast.Attribute) else kinds.get(code(node))


def compared_with_or(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `tile != (one or other)`, which compares with `one` alone, because `one` counts as true."""
    for node in e.all(ast.Compare):
        match node:
            case ast.Compare(
                ops=[ast.Eq() | ast.NotEq() as op], comparators=[ast.BoolOp(op=ast.Or(), values=parts)]
            ) if _always_counts_as_true(e, parts[0]):
                word = ast.In() if isinstance(op, ast.Eq) else ast.NotIn()
                yield Diagnosis(
                    f"`({code(node.comparators[0])})` on line {node.lineno} is just `{code(parts[0])}`: `or` returns "
                    "the first value that counts as true. To compare with both, write:",
                    code(ast.Compare(node.left, [word], [ast.Tuple(parts)]), CORRECTION_ROOM),
                )


def _always_counts_as_true(e: Evidence, node: ast.expr) -> bool:
    """Return whether an expression certainly has a value that counts as true, such as a tile."""
    kinds = [e.given.types.get(kind) for kind in kinds_written(e, node)]
    return bool(kinds) and all(hasattr(kind, "__dataclass_fields__") and _has_no_length(kind) for kind in kinds)


def _has_no_length(kind: object) -> bool:
    return not {"__len__", "__bool__"} & {*dir(kind)}
