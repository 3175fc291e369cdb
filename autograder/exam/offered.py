"""Offered inputs: for an exercise whose author wrote no world, short inputs of its exam that learners can write.

Called by `impostors.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from autograder.exam.checks import left_to_teachers
from autograder.exam.model import Exam
from course.exam.calls import Args, Call, Names
from course.exam.readable import value_code
from course.exam.wire import WireError

MOST_TRIED = 100
LEAST_INPUTS, LEAST_KINDS = 4, 2
LONGEST_ARGUMENTS = 90  # letters of all arguments together


def writable_inputs(exam: Exam, name: str) -> tuple[Args, ...]:
    """Return the shortest inputs of an exercise's exam, or () if values alone don't say whether an answer is right."""
    paper, check = exam.by_name[name], exam.checks[name]
    is_judged_otherwise = check.tolerance or paper.iterates or left_to_teachers(exam.unit, exam.checks, name)
    if is_judged_otherwise or not paper.exercise.is_called:
        return ()
    names = {name: getattr(exam.unit.module, name) for name in exam.unit.module.__all__}
    by_code = {code: args for call in paper.published.calls for code, args in _written(exam, call, names)}
    shortest = sorted(by_code, key=lambda code: (len(code), code))[:MOST_TRIED]
    return tuple(by_code[code] for code in shortest) if len(shortest) >= LEAST_INPUTS else ()


def _written(exam: Exam, call: Call, names: Names) -> Iterator[tuple[str, Args]]:
    """Yield the arguments of a call with their code, if the code is short and makes the same arguments."""
    if call.kind != "args" or call.typed or call.keywords or call.chance is not None:
        return
    code = ", ".join(map(value_code, exam.case(call).args))
    try:
        if len(code) <= LONGEST_ARGUMENTS and [*map(exam.wire.encode, args := eval(f"({code},)", names))] == call.given:
            yield code, args
    except (NameError, SyntaxError, TypeError, ValueError, WireError):  # not every value has code
        return
