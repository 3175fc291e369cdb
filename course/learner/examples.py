"""Compare the result of a visible example with the result in the statement, and describe the difference."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

from course.diagnoses.failure import GAVE, RAISED, SLOW, ExpectedException, Failure, kind_remark, smallest_part
from course.exam.alike import alike_of, as_equal, plain_numbers, with_close_floats
from course.exam.calls import Names
from course.exam.observing import FAULTS, TimeUp, limit_of, wire_of
from course.exam.readable import BY_LIMIT, one_line, printable
from course.exam.wire import Tree, Wire, text_of, unobserved
from course.kernel import limits
from course.kernel.catalogue import StatedExample
from course.learner.answer import Answer
from course.limits import LONGEST_VALUE
from course.syntax import expression_of
from course.values import STUDENT_FUNCTION, strictly_equal

Note = Mapping[str, Any]  # what is known of an exception, as JSON


def example_failure(
    answer: Answer, example: StatedExample, tree: Tree, value: object, note: Note, location: Note
) -> Failure | None:
    """Return the failure of a visible example, or None if its result is right.

    `tree` is the observation, and `value` the returned value. For an exception, `note` has its class and its message,
    and `location` the line of the learner's own cells that raised it.
    """
    given = {name: thing for name, thing in vars(import_module(answer.requirements.module)).items() if name[:1] != "_"}
    expected = ExpectedException(example.raises) if example.raises else repr(eval(example.want, dict(given)))
    failure = Failure(example.call, setup=example.setup, wanted=expected)
    if tree[0] == "fault":
        return stopped_failure(failure, tree[1])
    if tree[0] == "raised":
        error = note.get("story", {})
        kind, text = error.get("raised", tree[1]), error.get("text", "")
        is_right = example.raises in (f"{kind}: {text}".removesuffix(": "), kind)
        return None if is_right else replace(failure, did=RAISED, error=kind, seen=one_line(text), **location)
    try:
        with limits.limited():
            observed = _writable(value, wire_of(import_module(answer.requirements.module)))
    except tuple(FAULTS) as fault:
        return stopped_failure(failure, limit_of(fault))
    if example.raises:
        return replace(failure, did=GAVE, seen=code_or_description(observed, given))
    wanted = eval(example.want, dict(given))
    observed = _as_shown(answer, wanted, observed)
    if strictly_equal(observed, wanted):
        return None
    if wanted is True and (sides := _compared(example, {**answer.names, **given})):
        return replace(failure, did=GAVE, call=sides[0], seen=code_or_description(sides[2], given), wanted=sides[1])
    call, want, got = smallest_part(failure.call, wanted, observed)
    result = code_or_description(got, given)
    expected = code_or_description(want, given)
    return replace(failure, did=GAVE, call=call, seen=result, wanted=expected, remark=kind_remark(want, got))


def stopped_failure(failure: Failure, limit: str) -> Failure:
    """Return the failure of a call that exceeded a limit. `limit` is the name of the limit."""
    return replace(failure, did=SLOW) if limit == "time" else replace(failure, words=BY_LIMIT[limit])


def _writable(value: object, wire: Wire) -> object:
    """Return a value, or a substitute if its `repr` raises. Raises TooLarge if the value is too large to show."""
    tree = wire.encode(value)
    try:
        repr(value)
    except Exception:
        return wire.decode(tree)
    return value


def _as_shown(answer: Answer, wanted: object, observed: object) -> object:
    """Return the expected value if the actual one is equal or close enough; else the actual value.

    Floats of the actual value that are close enough are replaced by the expected floats.
    """
    module, tolerance = answer.requirements.module, answer.judging.tolerance
    is_equality = alike_of(module).get(answer.name) is as_equal
    if is_equality and strictly_equal(plain_numbers(wanted), plain_numbers(observed)):
        return wanted
    wire = wire_of(import_module(module))
    trees = wire.encode(wanted), wire.encode(observed)
    if any(True for tree in trees for _ in unobserved(tree)):
        return observed
    tree = with_close_floats(*trees, tolerance) if tolerance else trees[1]
    if text_of(tree) == text_of(trees[0]):
        return wanted
    return wire.decode(tree) if tolerance else observed


def _compared(example: StatedExample, scratch: Names) -> tuple[str, str, object] | None:
    """Return the code of both sides of a comparison such as `winner(()) is None`, and the value of its left side.

    For other code, return None.
    """
    match expression_of(example.call):
        case ast.Compare(left=left, ops=[ast.Is() | ast.Eq()], comparators=[right]) if not any(
            isinstance(each, ast.Call) for each in ast.walk(right)
        ):
            try:
                with limits.limited():
                    for line in example.setup:
                        exec(line, scratch)
                    return ast.unparse(left), ast.unparse(right), eval(ast.unparse(left), scratch)
            except (Exception, TimeUp):
                return None
    return None


def code_or_description(value: object, given: Names) -> str:
    """Return a value as code, or a description of the value if it cannot be written as code."""
    if callable(value) and (name := next((name for name, thing in given.items() if thing is value), "")):
        return name
    text = repr(value)
    if type(value).__name__ in ("generator", "coroutine", "map", "filter", "zip", "reversed", "Recur"):
        return f"<{type(value).__name__} object>"
    return STUDENT_FUNCTION if " at 0x" in text and callable(value) else printable(text, LONGEST_VALUE)
