"""Diagnoses of exceptions from the learner's own `raise`: a wrong exception, or one that is not needed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from course.diagnoses.evidence import CORRECTION_ROOM, Diagnosis, Evidence, called, code
from course.diagnoses.failure import ExpectedException
from course.syntax import expression_of


def raised_on_purpose(e: Evidence) -> Iterator[Diagnosis]:
    """Detect the wrong exception in a `raise`, and wrong arguments of it."""
    line, wanted = _raise_here(e), e.failure.wanted
    if line is None or not isinstance(wanted, ExpectedException):
        return
    passed = [name for name, kind in e.requirements.parameters if kind == "Exception" and name in e.parameters]
    if len(passed) == 1 and code(line.exc) != passed[0]:  # type: ignore[arg-type]
        yield Diagnosis(
            f"Line {e.failure.line} raises `{e.error}`, but the exception to raise is passed as `{passed[0]}`. Write:",
            f"raise {passed[0]}",
        )
    if wanted.kind != e.error:
        yield Diagnosis(f"Raising an exception is right here, but it must be `{wanted.kind}`.")
    yield _arguments_of(e, line)


def raised_needlessly(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a `raise` where there is an answer."""
    if _raise_here(e) is None or not isinstance(e.failure.wanted, str):
        return
    if {*e.failure.wanted.strip("()").replace(",", " ").split()} == {"None"}:  # of one call, or of several
        yield Diagnosis(
            f"Line {e.failure.line} raises `{e.error}`, but the answer is `None` here. Write:", "return None"
        )


def _raise_here(e: Evidence) -> ast.Raise | None:
    """Return the `raise` that raised the exception, or None. The `raise` in an exercise's stub does not count."""
    raises = [node for node in e.here if isinstance(node, ast.Raise) and _raises(node, e.error)]
    return raises[0] if raises and e.error != "NotImplementedError" else None


def _raises(node: ast.Raise, error: str) -> bool:
    """Return whether a statement raises this exception. For `raise name`, any class may be right."""
    if isinstance(node.exc, ast.Call):
        return called(node.exc) == error
    return isinstance(node.exc, ast.Name) and error not in ("NameError", "UnboundLocalError", "TypeError")


def _arguments_of(e: Evidence, line: ast.Raise) -> Diagnosis:
    """Return advice on the right exception with the wrong arguments."""
    made = [call for call in e.all(ast.Call) if called(call) == e.error]
    if isinstance(line.exc, ast.Name) and line.exc.id == e.error:
        return Diagnosis(
            f"Line {e.failure.line} raises the right exception, but without the arguments in the statement. Write:",
            f"raise {code(made[-1], CORRECTION_ROOM) if made else f'{e.error}(…)'}",
        )
    if made and (in_order := _in_order(e, made[-1])):
        return Diagnosis(
            f"Line {made[-1].lineno} makes the right exception, but its arguments are in the wrong order. Write:",
            in_order,
        )
    return Diagnosis(f"`{e.error}` is the right exception, but its message is wrong. Copy it from the statement.")


def _in_order(e: Evidence, call: ast.Call) -> str:
    """Return a call with its arguments in the expected order, or "" if other arguments are expected."""
    wanted = e.failure.wanted.error.partition(": ")[2] if isinstance(e.failure.wanted, ExpectedException) else ""
    match expression_of(e.message), expression_of(wanted):
        case ast.Tuple(elts=some), ast.Tuple(elts=others) if len(some) == len(others) == len(call.args):
            observed, right = [*map(ast.unparse, some)], [*map(ast.unparse, others)]
            if sorted(observed) == sorted(right) != observed and len({*observed}) == len(observed):
                args = [call.args[observed.index(each)] for each in right]
                return code(ast.Call(call.func, args, call.keywords), CORRECTION_ROOM)
    return ""
