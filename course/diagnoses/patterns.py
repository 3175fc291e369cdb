"""Diagnoses of patterns and conditions that do not mean what they seem to mean. They need only the answer's text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from course.diagnoses.evidence import CORRECTION_ROOM, Diagnosis, Evidence, called, code
from course.diagnoses.kinds import fields_captured, kinds_written
from course.form.given import field_names, members_of

MAKERS = ("map", "filter", "zip", "reversed", "iter", "enumerate")


# ------------------------------------------------------------------------------------------------ patterns


def parameter_captured(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `case Crd(_, color)` where `color` is a parameter: the pattern overwrites the parameter."""
    for case in e.all(ast.match_case):
        for name, kind in fields_captured(e, ast.walk(case.pattern)):
            if name not in e.parameters:
                continue
            given = e.requirements.policy.compare_with  # the unit may require a function for the comparison
            types = (each for each in given if members_of(kind) <= members_of(e.given.types.get(each)))
            function = given.get(next(types, ""), "")
            test = f"{function}(other_{name}, {name})" if function else f"other_{name} == {name}"
            # alternatives without the name become separate cases
            pattern = case.pattern
            choices = [*map(ast.unparse, pattern.patterns if isinstance(pattern, ast.MatchOr) else [pattern])]
            renamed = {choice: re.sub(rf"\b{name}\b", f"other_{name}", choice) for choice in choices}
            testing = " | ".join(new for old, new in renamed.items() if new != old)
            plain = " | ".join(old for old, new in renamed.items() if new == old)
            yield Diagnosis(
                f"On line {case.pattern.lineno}, the pattern gives `{name}` a new value, so it matches every "
                f"`{name}`. Use another name, and compare:",
                f"case {testing} if {test}:" + (f"\ncase {plain}:" if plain else ""),
            )


def bare_capture(e: Evidence) -> Iterator[Diagnosis]:
    """Detect patterns that consist only of a given name, and so match anything.

    The example corrects all lines with such a pattern.
    """
    classes = {name for name in e.given.names if isinstance(e.given.types.get(name), type)}
    given = classes | e.given.values.keys()
    bare = [node for node in e.all(ast.MatchAs) if node.pattern is None and node.name in given]
    if bare:
        says = f"On line {bare[0].lineno}, the name `{bare[0].name}` matches anything. To compare, write:"
        lines = dict.fromkeys(f"case {_comparing(node.name, node.lineno, e)}:" for node in bare)
        yield Diagnosis(says, "\n".join(lines))


def _comparing(name: str, line: int, e: Evidence) -> str:
    """Return the pattern on a line, with each bare name replaced by its probable meaning."""
    meant = _meant_pattern(name, e)
    patterns = [case.pattern for case in e.all(ast.match_case)]
    pattern = next((each for each in patterns if each.lineno <= line <= each.end_lineno), None)
    if pattern is None:
        return meant
    text = " ".join((ast.get_source_segment(e.source, pattern) or code(pattern, 80)).split())  # as it was written
    if " if " in meant:
        other = "other" if name != "other" else "value"
        return f"{re.sub(rf'(?<![.]){name}', other, text)} if {other} == {name}"
    bare = {node.name for node in ast.walk(pattern) if isinstance(node, ast.MatchAs) and node.name}
    for each in sorted(bare & ({*e.given.values, *e.given.types} | {name})):
        text = re.sub(rf"(?<![\w.]){each}\b(?![\w(.=])", _meant_pattern(each, e), text)
    return text


def _meant_pattern(name: str, e: Evidence) -> str:
    """Return the pattern for the probable meaning of a bare name."""
    kind = e.given.values.get(name)
    if isinstance(e.given.types.get(name), type):
        return f"{name}()"
    if kind is not None and hasattr(kind, name):
        return f"{kind.__name__}.{name}"
    return f"{kind.__name__}()" if kind is not None else f"value if value == {name}"


# ------------------------------------------------------------------------------------------------ conditions


def unlike_one_of_two(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `tile != one or tile != other`, which is always true."""
    for node in e.all(ast.BoolOp):
        tests = [each for each in node.values if isinstance(each, ast.Compare)]
        same = {code(test.left) for test in tests}
        unequal = all(isinstance(test.ops[0], ast.NotEq | ast.IsNot) and len(test.ops) == 1 for test in tests)
        if isinstance(node.op, ast.Or) and tests == node.values and len(same) == 1 and unequal:
            yield Diagnosis(
                f"The `or` on line {node.lineno} is always true, because at least one of its sides is always "
                "true. If all of them must be true, write:",
                code(ast.BoolOp(ast.And(), node.values), CORRECTION_ROOM),
            )


def always_true(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `suit == HEARTS or DIAMONDS`, which is always true."""
    for node in e.all(ast.BoolOp):
        word = "or" if isinstance(node.op, ast.Or) else "and"
        for first, bare in pairwise(node.values):
            match first:
                case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() | ast.Is() as op], comparators=[right]) if (
                    _is_fixed(bare, e) and not _is_fixed(left, e)
                ):
                    way = "not in" if isinstance(op, ast.NotEq) else "in"
                    yield Diagnosis(
                        f"On line {node.lineno}, `{code(bare)}` after `{word}` is not compared with anything. Write:",
                        f"{code(left)} {way} ({code(right)}, {code(bare)})",
                    )


def _is_fixed(node: ast.expr, e: Evidence) -> bool:
    match node:
        case ast.Constant(value=value):
            return not isinstance(value, bool) and value is not None
        case ast.Name(id=name):
            return name in e.given.values or (name.isupper() and name in e.given.names - e.bound)
        case ast.Attribute(value=ast.Name(id=name), attr=attr):
            return isinstance(e.given.types.get(name), type) and attr.isupper()
    return False


def text_against_number(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `text[0] == left`, where `left` is a number."""
    captured = dict(fields_captured(e, e.nodes))

    def kind_of(node: ast.expr) -> object:
        return e.given.fields.get(node.attr) if isinstance(node, ast.Attribute) else captured.get(code(node))

    for node in e.all(ast.Compare):
        for one, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
            match one, other:
                case ast.Subscript(value=text), ast.Name() | ast.Attribute():
                    if kind_of(text) is str and kind_of(other) is int and len(node.ops) == 1:
                        yield Diagnosis(
                            f"`{code(one)}` on line {node.lineno} is a string, which never equals the number"
                            f" `{code(other)}`. Convert it to a number:",
                            f"int({code(one)})",
                        )


def same_object(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `is` between values that can be equal and still be different objects."""
    made_again = {"tuple", "list", "int", "str"} | {name for name, cls in e.given.types.items() if field_names(cls)}
    for node in e.all(ast.Compare):
        match node:
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() as op], comparators=[right]):
                is_single = any(
                    code(side) in {"None", "True", "False", "..."} | {*e.given.values} for side in (left, right)
                )
                if not is_single and any(kinds_written(e, side) & made_again for side in (left, right)):
                    sign, word = ("==", "is") if isinstance(op, ast.Is) else ("!=", "is not")
                    yield Diagnosis(
                        f"`{word}` on line {node.lineno} tests whether both sides are the same object. To compare "
                        "values, write:",
                        f"{code(left)} {sign} {code(right)}",
                    )


def exhausted_iterator(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an iterator that is used twice."""
    for node in e.all(ast.Assign):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if (
                isinstance(value, ast.GeneratorExp) or called(value) in MAKERS
            ):
                reads = [n for n in e.all(ast.Name) if n.id == name and isinstance(n.ctx, ast.Load)]
                if len(reads) > 1 and not any(called(e.parents.get(n)) == "next" for n in reads):
                    yield Diagnosis(
                        f"`{name}` on line {node.lineno} produces its items only once, but line "
                        f"{reads[1].lineno} uses it again. Wrap it in `tuple(…)`."
                    )
