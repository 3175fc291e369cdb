"""The rule `repeated-calls`: in one run, an answer calls an exercise's function twice with the same arguments."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from course.form.names import local_bindings
from course.form.reading import Reading, Violation, root_name, text
from course.syntax import unparsed

ENDS = ast.Return, ast.Raise, ast.Continue, ast.Break


def repeated_calls(reading: Reading) -> Iterator[Violation]:
    """Find calls that compute what an earlier call has computed.

    Only calls of exercises count, because other functions may be cheap, or use chance.
    """
    bound = Counter((reading.function_of(node), name) for name, node in local_bindings(reading))
    bound += Counter((reading.function_of(arg), arg.arg) for arg in reading.all(ast.arg))
    alike: dict[object, list[ast.Call]] = defaultdict(list)
    for call in reading.all(ast.Call):
        if root_name(call.func) in reading.requirements.exercises and (call.args or call.keywords):
            where, names = reading.function_of(call), [n.id for n in ast.walk(call) if isinstance(n, ast.Name)]
            is_part = getattr(reading.parents.get(call), "func", None) is call  # `f(1)` in `f(1)(2)`
            if not is_part and max(bound[where, name] for name in names) <= 1:
                alike[where, unparsed(call)].append(call)
    for first, again in (pair for calls in alike.values() for pair in pairwise(calls)):
        if _can_both_run(reading, first, again):
            code = text(again)
            example = f"result = {code}\n…   # use `result` in both places"
            yield Violation(
                again, f"`{code}` is computed again", "compute it once, and give the result a name", example
            )


def _can_both_run(reading: Reading, first: ast.AST, again: ast.AST) -> bool:
    """Return whether one run may evaluate both nodes, the first one earlier."""
    after = [again, *reading.above(again)]
    path = [first, *takewhile(lambda node: node not in after, reading.above(first))]
    fork = reading.parents[path[-1]]
    other = next(node for node in after if reading.parents.get(node) is fork)
    return not _are_alternatives(fork, path, other) and not any(
        _leaves_after(reading.parents[node], node) for node in path[:-1]
    )


def _are_alternatives(fork: ast.AST, path: Sequence[ast.AST], other: ast.AST) -> bool:
    """Return whether a path and another node are in different branches of `fork`, the node that contains both."""
    branch = path[-1]
    match fork:
        case ast.If():
            return fork.test is not branch and (branch in fork.body) != (other in fork.body)
        case ast.IfExp():
            return fork.test is not branch
        case ast.Match() if isinstance(branch, ast.match_case):
            return branch.guard not in path
    return False


def _leaves_after(parent: ast.AST, node: ast.AST) -> bool:
    """Return whether the block that contains a statement always leaves the function."""
    blocks = (getattr(parent, field, None) for field in ("body", "orelse"))
    return any(isinstance(block, list) and node in block and _leaves(block[-1]) for block in blocks)


def _leaves(statement: ast.AST) -> bool:
    match statement:
        case ast.If(body=[*_, yes], orelse=[*_, no]):
            return _leaves(yes) and _leaves(no)
        case ast.Match(cases=cases):
            return all(_leaves(case.body[-1]) for case in cases)
    return isinstance(statement, ENDS)
