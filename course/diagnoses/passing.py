"""Diagnoses of arguments of the wrong kind, such as a tuple of cards where one card is needed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from course.diagnoses.calls import is_spread
from course.diagnoses.evidence import Diagnosis, Evidence
from course.diagnoses.kinds import (
    FUNCTION_KINDS,
    annotation_words,
    item_kinds_of,
    kind_words,
    kinds_of,
    kinds_written,
    signature_of,
)


def another_kind_passed(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an argument of the wrong kind that made a right function raise an exception."""
    inside = e.failure.inside
    if inside is None:
        return
    for index, (wanted, received) in enumerate(zip(_kinds_wanted(e, inside.name), inside.kinds, strict=False)):
        plain = received.split("[")[0]
        kind = e.given.types.get(plain)
        is_tuple = isinstance(kind, type) and issubclass(kind, tuple)
        if wanted and plain not in wanted and not (is_tuple and "tuple" in wanted):
            if wanted >= FUNCTION_KINDS and inside.name not in e.requirements.exercises:
                return  # the folds have their own diagnoses
            yield _explained(e, e.failure.line, inside.name, index, received)


def another_kind_written(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an argument that is certainly of the wrong kind, whatever the call returns."""
    for call in e.all(ast.Call):
        match call.func:  # a composition passes its arguments to its last function
            case ast.Name(id=name) | ast.Call(func=ast.Name(id="compose"), args=[*_, ast.Name(id=name)]):
                pairs = [*zip(_kinds_wanted(e, name), call.args, strict=False)]
                for index, (wanted, argument) in enumerate(pairs):
                    kinds = kinds_written(e, argument)
                    if wanted and kinds and not kinds & wanted and name not in e.bound and not is_spread(call.args):
                        received = "function" if kinds >= FUNCTION_KINDS else min(kinds)
                        yield _explained(e, call.lineno, name, index, received)


def _kinds_wanted(e: Evidence, name: str) -> list[frozenset[str]]:
    return [kinds_of(annotation, e.requirements.module) for _, annotation in signature_of(e, name)]


def _explained(e: Evidence, line: int, name: str, index: int, received: str) -> Diagnosis:
    """Return a message about the argument at an index: it has the kind `received`, but the function takes another."""
    parameter, annotation = signature_of(e, name)[index]
    module = e.requirements.module
    kinds = kinds_of(annotation, module)
    items = {received.partition("[")[2][:-1]}.union(*(item_kinds_of(a, module) for _, a in e.requirements.parameters))
    is_each = received.startswith(("tuple", "list")) and bool(items & kinds)
    how = "Call it once for each item" if is_each else "Call it like this"
    return Diagnosis(
        f"Line {line or next((top.lineno for top in e.tops), 1)} passes {kind_words(received)} to `{name}`, but its "
        f"parameter `{parameter}` must be {annotation_words(annotation, kinds)}. {how}:",
        f"{name}({', '.join(each for each, _ in signature_of(e, name))})",
    )


def raised_by_a_call(e: Evidence) -> Iterator[Diagnosis]:
    """Yield a message that a right function raised an exception, because of the arguments that the answer passes."""
    if e.is_raised_inside and e.failure.inside is not None:
        what = f"Line {e.failure.line} calls `{e.failure.inside.name}`, which raises `{e.failure.error}` for"
        yield Diagnosis(f"{what} these arguments. {e.facts()}".strip())
