"""Diagnoses of lines that never run, and of loops that never end."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from course.diagnoses.evidence import Diagnosis, Evidence, called

ENDS_BLOCK = {ast.Return: "return", ast.Raise: "raise", ast.Break: "break", ast.Continue: "continue"}


# ------------------------------------------------------------------------------------------------ lines that never run


def never_runs(e: Evidence) -> Iterator[Diagnosis]:
    """Detect lines below a `return` in the same block, which never run."""
    blocks = [getattr(node, name, None) for node in e.nodes for name in ("body", "orelse")]
    for block in blocks:
        for leaving, after in pairwise(block if isinstance(block, list) else ()):
            if type(leaving) in ENDS_BLOCK and not _is_harmless(after):
                word = ENDS_BLOCK[type(leaving)]
                yield Diagnosis(
                    f"Line {after.lineno} never runs, because line {leaving.lineno} is a `{word}`. Which of the two "
                    "belongs elsewhere, or further to the left?"
                )


def _is_harmless(after: ast.stmt) -> bool:
    """Return whether a statement after a `return` is harmless: a rest of the stub, a string, or `pass`."""
    return isinstance(after, ast.Raise | ast.Pass | ast.Break | ast.Continue) or (
        isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
    )


# ------------------------------------------------------------------------------------------------ loops without an end


def condition_never_changes(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a `while` whose condition never changes, so that the loop never ends."""
    for node in e.all(ast.While):
        if unchanged := _unchanged(node):
            step = _counted_up(node.test)
            advice = "Add at its end, inside the loop:" if step else "Which line in the loop should change it?"
            yield Diagnosis(
                f"The loop on line {node.lineno} never changes {' or '.join(f'`{name}`' for name in unchanged)}, so "
                f"it never ends. {advice}",
                step,
            )


def _unchanged(loop: ast.While) -> list[str]:
    """Return the names that a loop's condition reads and its body never changes; () if the loop may end."""
    if any(isinstance(n, (ast.Break, ast.Return, ast.Raise)) for n in ast.walk(loop)):
        return []
    calls = [n for part in (loop.test, *loop.body) for n in ast.walk(part) if isinstance(n, ast.Call)]
    functions = {id(call.func) for call in calls}
    names = [n.id for n in ast.walk(loop.test) if isinstance(n, ast.Name) and id(n) not in functions]
    stored = {
        n.id for part in loop.body for n in ast.walk(part) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    in_body = [n for part in loop.body for n in ast.walk(part) if isinstance(n, ast.Call)]
    touched = {n.id for call in in_body for n in ast.walk(call) if isinstance(n, ast.Name)}
    has_effects = any(called(call) not in ("len", "range") for call in calls if call not in in_body)
    return [] if not names or {*names} & (stored | touched) or has_effects else [*dict.fromkeys(names)]


def _counted_up(test: ast.expr) -> str:
    """Return the line that increases a counter, or "" if a condition has no counter."""
    match test:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Lt() | ast.LtE()]):
            return f"{name} = {name} + 1"
    return ""
