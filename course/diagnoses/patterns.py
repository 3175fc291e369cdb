"""Diagnoses of patterns that match too much or never (captured parameters, tuples), and of numbers after `or`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy

from course.diagnoses.evidence import Diagnosis, Evidence, code
from course.diagnoses.kinds import kinds_written
from course.form.given import members_of

# ------------------------------------------------------------------------------------------------ captured parameters


def parameter_captured(e: Evidence) -> Diagnosis | None:
    """Detect `case Crd(_, color)` where `color` is a parameter. The pattern overwrites it."""
    for case in e.all(ast.match_case):
        if names := _captured_parameters(e, case.pattern):
            name, line = next(iter(names)), case.pattern.lineno
            says = f"On line {line}, the pattern gives `{name}` a new value, so it matches every `{name}`."
            return Diagnosis(f"{says} Use another name, and compare:", _with_guard(case.pattern, names))
    return None


def _captured_parameters(e: Evidence, pattern: ast.pattern) -> dict[str, str]:
    """Return the parameters that a pattern captures, each with the condition that compares it."""
    names: dict[str, str] = {}
    for node in ast.walk(pattern):
        for part, kind in _parts(e, node):
            match part:
                case ast.MatchAs(pattern=None, name=str(name)) if name in e.parameters:
                    names[name] = _test(e, name, kind)
    return names


def _parts(e: Evidence, node: ast.AST) -> Iterator[tuple[ast.pattern, object]]:
    """Yield the parts of a class pattern, each with its type, or None if the type is not known."""
    if isinstance(node, ast.MatchClass):
        fields = getattr(e.given.types.get(code(node.cls)), "__match_args__", ())
        kinds = [e.given.fields.get(field) for field in fields]
        yield from zip(node.patterns, [*kinds, *[None] * len(node.patterns)], strict=False)


def _test(e: Evidence, name: str, kind: object) -> str:
    """Return a condition that compares a captured value with a parameter, in the way that the unit requires."""
    given = e.requirements.policy.compare_with
    function = next((given[each] for each in given if members_of(kind) <= members_of(e.given.types.get(each))), "")
    return f"{function}(other_{name}, {name})" if function else f"other_{name} == {name}"


def _with_guard(pattern: ast.pattern, names: dict[str, str]) -> str:
    """Return the pattern with other names and a guard. Alternatives without these names become separate cases."""
    choices = pattern.patterns if isinstance(pattern, ast.MatchOr) else [pattern]
    renamed = [_Renamed(names).visit(deepcopy(choice)) for choice in choices]
    pairs = [*zip(map(ast.unparse, choices), map(ast.unparse, renamed), strict=True)]
    asking, plain = [new for old, new in pairs if new != old], [old for old, new in pairs if new == old]
    lines = [f"case {' | '.join(asking)} if {' and '.join(names.values())}:"]
    return "\n".join([*lines, *([f"case {' | '.join(plain)}:"] if plain else [])])


class _Renamed(ast.NodeTransformer):
    """A transformer that renames captured names."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_MatchAs(self, node: ast.MatchAs) -> ast.AST:
        return ast.MatchAs(node.pattern, f"other_{node.name}") if node.name in self.names else self.generic_visit(node)


# ------------------------------------------------------------------------------------------------ tuples


def tuple_matched_as_item(e: Evidence) -> Diagnosis | None:
    """Detect `match desk.pile: case Crd(…)`, where the pile is a tuple of cards."""
    for node in e.all(ast.Match):
        subjects = node.subject.elts if isinstance(node.subject, ast.Tuple) else [node.subject]
        for case in node.cases:
            patterns = _patterns_by_index(case.pattern, len(subjects), isinstance(node.subject, ast.Tuple))
            for index, (subject, pattern) in enumerate(zip(subjects, patterns, strict=False)):
                if kinds_written(e, subject) == {"tuple"} and (kind := _class_matched(e, pattern)):
                    says = f"`{code(subject)}` is a tuple, so `{kind}(…)` on line {pattern.lineno} never matches it."
                    items = [*subjects[:index], ast.Name(f"{code(subject)}[0]"), *subjects[index + 1 :]]
                    return Diagnosis(f"{says} Match its first item:", f"match {', '.join(map(code, items))}:")
    return None


def _patterns_by_index(pattern: ast.pattern, count: int, is_tuple: bool) -> list[ast.pattern]:
    if not is_tuple:
        return [pattern]
    is_split = isinstance(pattern, ast.MatchSequence) and len(pattern.patterns) == count
    return pattern.patterns if is_split and isinstance(pattern, ast.MatchSequence) else []


def _class_matched(e: Evidence, pattern: ast.pattern) -> str:
    """Return the class that a pattern matches; "" for a tuple or any other pattern."""
    if isinstance(pattern, ast.MatchOr):
        return next(filter(None, (_class_matched(e, part) for part in pattern.patterns)), "")
    name = code(pattern.cls) if isinstance(pattern, ast.MatchClass) else ""
    kind = e.given.types.get(name)
    return name if isinstance(kind, type) and not issubclass(kind, tuple) else ""


# ------------------------------------------------------------------------------------------------ constants behind `or`


def constant_in_or(e: Evidence) -> Diagnosis | None:
    """Detect `card.value == DRAW_TWO or WILD`, where `WILD` is a number."""
    numbers = {name for name in e.given.names if name.isupper() and kinds_written(e, ast.Name(name)) & {"int", "str"}}
    for node in e.all(ast.BoolOp):
        compared = [part for part in node.values if isinstance(part, ast.Compare)]
        bare = [part.id for part in node.values if isinstance(part, ast.Name) and part.id in numbers - e.bound]
        if compared and bare and isinstance(node.op, ast.Or):
            left = code(compared[-1].left)
            says = f"On line {node.lineno}, `{bare[0]}` after `or` is not compared with anything, so it counts as true."
            example = f"{left} == {bare[0]}" if len(bare) == 1 else f"{left} in ({', '.join(bare)})"
            return Diagnosis(f"{says} Write:", example)
    return None


PATTERNS = (parameter_captured, tuple_matched_as_item, constant_in_or)
