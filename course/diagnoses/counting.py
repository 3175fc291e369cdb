"""Diagnoses of the order of execution, and of results that are off by one: unreachable lines, loops, indexes, scans."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from enum import Enum
from itertools import pairwise

from course.diagnoses.evidence import WIDEST, Diagnosis, Evidence, called, code
from course.diagnoses.failure import GAVE, Failure

ENDS_BLOCK = {ast.Return: "return", ast.Raise: "raise", ast.Break: "break", ast.Continue: "continue"}


# ------------------------------------------------------------------------------------------------ lines that never run


def never_runs(e: Evidence) -> Diagnosis | None:
    """Detect lines below a `return` in the same block, which never run."""
    for owner, block in _blocks(e):
        for leaving, after in pairwise(block):
            if type(leaving) in ENDS_BLOCK and not _is_harmless(after):
                word = ENDS_BLOCK[type(leaving)]
                says = f"Line {after.lineno} never runs, because line {leaving.lineno} is a `{word}`."
                return _moved(e, owner, leaving, block[block.index(after) :], says)
    return None


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


def standing_still(e: Evidence) -> Diagnosis | None:
    """Detect a `while` whose condition never changes, so that the loop never ends."""
    for node in e.all(ast.While):
        if unchanged := _unchanged(node):
            says = f"The loop on line {node.lineno} never changes {' or '.join(f'`{name}`' for name in unchanged)}, "
            step = _counted_up(node.test)
            way_out = "Add at its end, inside the loop:" if step else "Which line in the loop should change it?"
            return Diagnosis(f"{says}so it never ends. {way_out}", step)
    return None


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


# ------------------------------------------------------------------------------------------------ indexes


def chance_from_one(e: Evidence) -> Diagnosis | None:
    """Detect a random number that begins at 1 and is used as an index."""
    for node in e.all(ast.Assign):
        match node:
            case ast.Assign(targets=[ast.Name(id=index)], value=ast.Call() as call) if _counts_from_one(e, call):
                if _indexed_by(e, index) and not _is_lessened(e, index):
                    says = f"`{code(call)}` on line {node.lineno} counts from 1, but indexes start at 0. Write:"
                    return Diagnosis(says, f"{index} = {code(call, WIDEST)} - 1")
    return None


def chance_too_high(e: Evidence) -> Diagnosis | None:
    """Detect a random index with a fixed upper limit, for a tuple that gets shorter."""
    for node in e.all(ast.Assign) if e.error == "IndexError" else ():
        for call in ast.walk(node.value):
            match node, call:
                case ast.Assign(targets=[ast.Name(id=index)]), ast.Call(args=[ast.Constant(value=int() as highest)]):
                    if _counts_from_one(e, call) and (items := next(iter(_indexed_by(e, index)), "")):
                        says = f"`{items}` on line {node.lineno} can have fewer than {highest} items. Write its length:"
                        return Diagnosis(says, f"{called(call)}(len({items}))")
    return None


def _counts_from_one(e: Evidence, call: ast.AST) -> bool:
    """Return whether a call uses a given function whose numbers begin at 1."""
    function = e.given.functions.get(called(call))
    return function is not None and bool(re.search(r"\bfrom 1 to\b", inspect.getdoc(function) or ""))


def _indexed_by(e: Evidence, index: str) -> list[str]:
    """Return the code of the values that a name indexes, or whose slices begin at that name."""
    nodes = e.all(ast.Subscript)
    return [code(n.value) for n in nodes if isinstance(n.slice, ast.Name) and n.slice.id == index] or [
        code(n.value) for n in nodes if isinstance(n.slice, ast.Slice) and code(n.slice.lower or n) == index
    ]


def _is_lessened(e: Evidence, index: str) -> bool:
    """Return whether the answer subtracts something from a name, or changes the name by `+=` or a similar operator."""
    less = [node.left for node in e.all(ast.BinOp) if isinstance(node.op, ast.Sub)]
    return index in map(code, [*less, *(node.target for node in e.all(ast.AugAssign))])


def one_past_in_a_loop(e: Evidence) -> Diagnosis | None:
    """Detect `cards[i + 1]` in a loop over all indexes, which goes past the end."""
    for node in e.here if e.error == "IndexError" else ():
        match node:
            case ast.Subscript(
                value=items,
                slice=ast.BinOp(left=ast.Name(id=index), op=ast.Add(), right=ast.Constant(value=int() as n)),
            ):
                wanted = f"range(len({code(items)}))"
                if wanted in (code(loop.iter) for loop in e.all(ast.For, ast.comprehension)):
                    says = f"For the last `{index}`, `{code(node)}` does not exist. Stop earlier:"
                    return Diagnosis(says, f"range(len({code(items)}) - {n})")
    return None


# ------------------------------------------------------------------------------------------------ off by one


def one_too_many(e: Evidence) -> Diagnosis | None:
    """Detect `+ 1` in an answer whose results are all too large by 1, and `- 1` if they are too small."""
    values = [failure for failure in e.failures if failure.did == GAVE]
    offs = {_off_by(e, failure) for failure in values}
    if len(offs) != 1 or len(values) != len(e.failures) or not (off := offs.pop()):
        return None
    kinds, verb, size = (ast.Add, "adds", "large") if off > 0 else (ast.Sub, "subtracts", "small")
    for node in e.all(ast.BinOp):
        match node:
            case ast.BinOp(left=left, op=op, right=ast.Constant(value=1)) if isinstance(op, kinds):
                outer = e.parents.get(node)
                if isinstance(outer, ast.Return | ast.Call | ast.IfExp):
                    what = f"too {size} by 1" if e.failure.wanted_code.lstrip("-").isdigit() else "one place too far"
                    says = f"Every answer is {what}, and line {node.lineno} {verb} 1. Leave that out:"
                    return Diagnosis(says, code(left, WIDEST))
    return None


def _off_by(e: Evidence, failure: Failure) -> int:
    """Return how far a result is too large: as a number, or in members of an enumeration; 0 if unknown."""
    wanted, observed = failure.wanted_code, failure.seen or ""
    kind = e.given.values.get(wanted)
    if kind is not None and issubclass(kind, Enum) and {observed, wanted} <= {*kind.__members__}:
        names = [*kind.__members__]
        off = (names.index(observed) - names.index(wanted)) % len(names)
        return {1: 1, len(names) - 1: -1}.get(off, 0)
    is_number = observed.lstrip("-").isdigit() and wanted.lstrip("-").isdigit()
    off = int(observed) - int(wanted) if is_number else 0
    return off if off in (1, -1) else 0


def an_end_twice(e: Evidence) -> Diagnosis | None:
    """Detect `(hand[-1], *hand[1:], hand[0])`, where the slice also has the last item."""
    for node in e.all(ast.Tuple) if e.failure.did == GAVE else ():
        written = {code(part) for part in node.elts}
        for part in node.elts:
            match part:
                case ast.Starred(
                    value=ast.Subscript(value=items, slice=ast.Slice(lower=lower, upper=upper, step=None))
                ):
                    first, last = f"{code(items)}[0]", f"{code(items)}[-1]"
                    at_front, at_end = first in written and _is_open(lower), last in written and _is_open(upper)
                    if at_front or at_end:
                        says = f"`{code(part)}` on line {node.lineno} already has `{last if at_end else first}`, so the"
                        begin = ast.Constant(1) if at_front else lower
                        inner = ast.Slice(begin, ast.UnaryOp(ast.USub(), ast.Constant(1)) if at_end else upper)
                        return Diagnosis(f"{says} result has it twice. Write:", f"*{code(ast.Subscript(items, inner))}")
    return None


def _is_open(end: ast.expr | None) -> bool:
    """Return whether a slice begins or ends where its items do."""
    return end is None or code(end) == "0"


# ------------------------------------------------------------------------------------------------ scans


def scan_with_its_start(e: Evidence) -> Diagnosis | None:
    """Detect a `zip` of items with the results of a scan over them, which begin with the start value."""
    if not (e.failure.did == GAVE or (e.error == "ValueError" and e.raised(r"zip\(\) argument"))):
        return None
    for node in e.all(ast.Assign):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if scan := _scan_in(value):
                step = code(scan.args[1]) if len(scan.args) > 1 else ""
                for call in e.all(ast.Call):
                    if called(call) == "zip" and name in map(code, call.args) and not _steps_again(e, call, step):
                        start = code(next(part.value for part in scan.keywords if part.arg == "initial"))
                        says = (
                            f"`{name}` on line {node.lineno} begins with the start value `{start}`, one item too many."
                        )
                        return Diagnosis(f"{says} Leave it out:", f"_, *{name} = {code(scan, WIDEST)}")
    return None


def _scan_in(node: ast.expr) -> ast.Call | None:
    """Return the scan with a start value in an expression: the scan alone, or inside `tuple` or `list`."""
    match node:
        case ast.Call(func=ast.Name(id="tuple" | "list"), args=[inner]):
            return _scan_in(inner)
        case ast.Call(func=ast.Name(id="accumulate"), keywords=keywords) if any(k.arg == "initial" for k in keywords):
            return node
    return None


def _steps_again(e: Evidence, call: ast.Call, step: str) -> bool:
    """Return whether the loop around a `zip` repeats the step of the scan."""
    outer = next((n for n in e.above(call) if isinstance(n, ast.For | ast.GeneratorExp | ast.ListComp)), None)
    return outer is not None and step in map(called, ast.walk(outer))
