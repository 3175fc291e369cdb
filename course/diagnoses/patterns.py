"""Diagnoses of patterns that match too much or never (captured parameters, tuples), and of numbers after `or`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from course.diagnoses.evidence import Diagnosis, Evidence, code
from course.diagnoses.kinds import fields_captured, kinds_written
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


def constant_in_or(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `card.value == DRAW_TWO or WILD`, where `WILD` is a number."""
    numbers = {name for name in e.given.names if name.isupper() and kinds_written(e, ast.Name(name)) & {"int", "str"}}
    for node in e.all(ast.BoolOp):
        compared = [part for part in node.values if isinstance(part, ast.Compare)]
        bare = [part.id for part in node.values if isinstance(part, ast.Name) and part.id in numbers - e.bound]
        if compared and bare and isinstance(node.op, ast.Or):
            left = code(compared[-1].left)
            yield Diagnosis(
                f"On line {node.lineno}, `{bare[0]}` after `or` is not compared with anything, so it counts as true. "
                "Write:",
                f"{left} == {bare[0]}" if len(bare) == 1 else f"{left} in ({', '.join(bare)})",
            )


PATTERNS = (
    parameter_captured,
    constant_in_or,
)
