"""Diagnoses of operators between values of different kinds, and of `if … else` that includes more than intended."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from course.diagnoses.evidence import WIDEST, Diagnosis, Evidence, code, tree_or_empty
from course.diagnoses.failure import GAVE


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
                    f"{code(left, WIDEST)} + ({code(inner, WIDEST)})",
                )


def _is_zero_for_more(e: Evidence) -> bool:
    """Return whether an answer returns 0 where a larger number is right."""
    observed, wanted = (
        [node.value for node in ast.walk(tree_or_empty(text)) if isinstance(node, ast.Constant)]
        for text in (e.failure.seen or "", e.failure.wanted_code)
    )
    pairs = zip(observed, wanted, strict=False)
    return any(one == 0 and type(one) is int and isinstance(other, int) and other > 0 for one, other in pairs)


OPERANDS = (condition_around_a_sum,)
