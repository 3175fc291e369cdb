"""Diagnoses of the order of execution, and of results that are off by one: unreachable lines, loops, indexes, scans."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from course.diagnoses.evidence import WIDEST, Diagnosis, Evidence, called, code
from course.diagnoses.failure import GAVE

ENDS_BLOCK = {ast.Return: "return", ast.Raise: "raise", ast.Break: "break", ast.Continue: "continue"}


# ------------------------------------------------------------------------------------------------ lines that never run


def never_runs(e: Evidence) -> Iterator[Diagnosis]:
    """Detect lines below a `return` in the same block, which never run."""
    for owner, block in _blocks(e):
        for leaving, after in pairwise(block):
            if type(leaving) in ENDS_BLOCK and not _is_harmless(after):
                word = ENDS_BLOCK[type(leaving)]
                says = f"Line {after.lineno} never runs, because line {leaving.lineno} is a `{word}`."
                yield _moved(e, owner, leaving, block[block.index(after) :], says)


def _blocks(e: Evidence) -> Iterator[tuple[ast.AST, list[ast.stmt]]]:
    for node in e.nodes:
        for name in ("body", "orelse"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                yield node, block


def _is_harmless(after: ast.stmt) -> bool:
    """Return whether a statement after a `return` is harmless: a rest of the stub, a string, or `pass`."""
    return isinstance(after, ast.Raise | ast.Pass | ast.Break | ast.Continue) or (
        isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
    )


def _moved(e: Evidence, owner: ast.AST, leaving: ast.stmt, rest: list[ast.stmt], says: str) -> Diagnosis:
    """Return advice about the lines after a `return`."""
    match leaving, rest:
        case ast.Return(value=ast.expr() as one), [ast.Return(value=ast.expr() as other)]:
            return Diagnosis(
                f"{says} To return both, write one `return`:", f"return {code(one, 40)}, {code(other, 40)}"
            )
        case ast.Return(value=ast.expr() as one), _ if owner is e.function and not isinstance(rest[-1], ast.Return):
            return Diagnosis(f"{says} Move that line to the end of the function:", f"return {code(one, WIDEST)}")
    if owner is e.function or _is_read_later(e, rest):
        return Diagnosis(f"{says} Delete line {leaving.lineno}.")
    return Diagnosis(f"{says} Move line {rest[0].lineno} to the left, out of the block of line {_row(owner)}.")


def _is_read_later(e: Evidence, rest: list[ast.stmt]) -> bool:
    """Return whether some lines set a variable that later lines of the same block read."""
    stored = {n.id for part in rest for n in ast.walk(part) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    end = rest[-1].end_lineno or 0
    return any(n.id in stored and n.lineno > end for n in e.all(ast.Name))


def _row(owner: ast.AST) -> int:
    return owner.pattern.lineno if isinstance(owner, ast.match_case) else int(getattr(owner, "lineno", 0))


# ------------------------------------------------------------------------------------------------ loops without an end


def standing_still(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a `while` whose condition never changes, so that the loop never ends."""
    for node in e.all(ast.While):
        if unchanged := _unchanged(node):
            step = _counted_up(node.test)
            way_out = "Add at its end, inside the loop:" if step else "Which line in the loop should change it?"
            yield Diagnosis(
                f"The loop on line {node.lineno} never changes {' or '.join(f'`{name}`' for name in unchanged)}, so "
                f"it never ends. {way_out}",
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


# ------------------------------------------------------------------------------------------------ off by one


def down_without_a_step(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `range(highest, 0)`."""
    for call in e.all(ast.Call) if e.failure.did == GAVE and e.failure.seen == "()" else ():
        match call:
            case ast.Call(func=ast.Name(id="range"), args=[ast.Name() as start, end]) if code(end) in ("0", "-1"):
                yield Diagnosis(
                    f"`{code(call)}` on line {call.lineno} counts up, so it has no numbers. To count down to 0, write:",
                    f"range({code(start)}, -1, -1)",
                )


def counted_from_zero(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `enumerate(players)` where the numbers begin with 1."""
    observed, wanted = e.failure.seen or "", e.failure.wanted_code
    ones, others = (list(map(int, re.findall(r"\d{1,9}", text))) for text in (observed, wanted))
    is_counting = len(set(ones)) > 1 or (ones[:1] == [0] and not observed.isdecimal())  # a lone 0 may be any number
    is_one_less = is_counting and [number + 1 for number in ones] == others
    for call in e.all(ast.Call) if e.failure.did == GAVE and is_one_less else ():
        if called(call) == "enumerate" and len(call.args) == 1 and not call.keywords:
            yield Diagnosis(
                f"`enumerate` on line {call.lineno} counts from 0, but the numbers here begin with 1. Write:",
                f"enumerate({code(call.args[0])}, 1)",
            )
