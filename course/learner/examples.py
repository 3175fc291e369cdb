"""Run the visible examples of an exercise, each within a time limit, and with printed text captured."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import Any

from course import effects
from course.diagnoses.failure import GAVE, RAISED, SLOW, ExpectedException, Failure, kind_remark, smallest_part
from course.exam.alike import alike_of, as_equal, plain_numbers
from course.exam.calls import Names
from course.exam.closeness import with_close_floats
from course.exam.observing import FAULTS, PrintedByCall, TimeUp, error_message, limit_of, wire_of
from course.exam.readable import one_line, printable
from course.exam.snippets import BY_LIMIT
from course.exam.wire import Wire, text_of, unobserved
from course.kernel import limits
from course.kernel.catalogue import StatedExample
from course.learner.answer import Answer
from course.learner.raised import own_line
from course.limits import LONGEST_VALUE, SECONDS_PER_EXAMPLE
from course.syntax import expression_of
from course.values import STUDENT_FUNCTION, strictly_equal

AsShown = Callable[[object, object], object]
LineOfError = Callable[[BaseException], dict[str, Any]]


@dataclass(frozen=True)
class ExamplesOutcome:
    """The outcome of the visible examples: how many there are, which failed, and whether the answer printed anything.

    Results in `unsure` differ from the examples, but may still be right.
    """

    count: int
    failures: tuple[Failure, ...]
    prints: bool
    unsure: tuple[Failure, ...] = ()

    @property
    def headline(self) -> str:
        right = self.count - len(self.failures)
        return f"{right} of {self.count} example{'' if self.count == 1 else 's'} right"


def run_examples(answer: Answer) -> ExamplesOutcome:
    """Run the visible examples of an exercise with the answer's names, and return the outcome."""
    home, examples, judging = import_module(answer.requirements.module), answer.stated.examples, answer.judging
    given = {name: thing for name, thing in vars(home).items() if not name.startswith("_")}
    prints, failures = False, list[Failure]()

    def located(error: BaseException) -> dict[str, Any]:
        return own_line(error.__traceback__, answer.names, answer.name)

    for example in examples:
        is_endless = any(not failure.is_done for failure in failures)
        with effects.scripted((), None, printed := PrintedByCall()):
            seconds = SECONDS_PER_EXAMPLE / (10 if is_endless else 1)
            is_equality = alike_of(home.__name__).get(answer.name) is as_equal
            as_shown = partial(_as_shown, wire_of(home), judging.tolerance, is_equality)
            failures += _failed(example, {**answer.names, **given}, given, seconds, wire_of(home), as_shown, located)
        prints = prints or bool(printed.getvalue())
    unsure = [failure for failure in failures if failure.did == GAVE] if judging.several else []
    wrong = tuple(failure for failure in failures if failure not in unsure)
    return ExamplesOutcome(len(examples), wrong, prints, tuple(unsure))


def _failed(
    example: StatedExample,
    scratch: Names,
    given: Names,
    seconds: float,
    wire: Wire,
    as_shown: AsShown,
    located: LineOfError,
) -> Iterator[Failure]:
    """Yield the failure of an example that fails; `scratch` contains the names that the example uses."""
    failure = Failure(example.call, setup=example.setup, wanted=_wanted(example, given))
    try:
        with limits.limited(seconds):
            for line in example.setup:
                exec(line, scratch)
            observed = _writable(eval(example.call, scratch), wire)
    except TimeUp:
        yield replace(failure, did=SLOW)
    except tuple(FAULTS) as fault:
        yield replace(failure, words=BY_LIMIT[limit_of(fault)])
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # an answer that calls `exit` must not end the check
        yield from _raised(failure, example, error, located)
    else:
        yield from _gave(failure, example, observed, given, scratch, as_shown)


def _writable(value: object, wire: Wire) -> object:
    """Return a value, or a substitute if its `repr` raises. Raises TooLarge if it is too large to show."""
    tree = wire.encode(value)
    try:
        repr(value)
    except Exception:
        return wire.decode(tree)
    return value


def _wanted(example: StatedExample, given: Names) -> ExpectedException | str:
    if example.raises:
        return ExpectedException(example.raises)
    return repr(eval(example.want, dict(given)))


def _as_shown(wire: Wire, tolerance: float, is_equality: bool, wanted: object, observed: object) -> object:
    """Return the expected value if the actual one is equal or close enough; else the actual value.

    Close floats in the actual value are replaced by the expected ones.
    """
    if is_equality and strictly_equal(plain_numbers(wanted), plain_numbers(observed)):
        return wanted
    trees = wire.encode(wanted), wire.encode(observed)
    if any(True for tree in trees for _ in unobserved(tree)):
        return observed
    tree = with_close_floats(*trees, tolerance) if tolerance else trees[1]
    if text_of(tree) == text_of(trees[0]):
        return wanted
    return wire.decode(tree) if tolerance else observed


def _gave(
    failure: Failure, example: StatedExample, observed: object, given: Names, scratch: Names, as_shown: AsShown
) -> Iterator[Failure]:
    if example.raises:
        yield replace(failure, did=GAVE, seen=code_or_description(observed, given))
        return
    wanted = eval(example.want, dict(given))
    if strictly_equal(observed := as_shown(wanted, observed), wanted):
        return
    if wanted is True and (sides := _compared(failure.call, scratch)):
        yield replace(failure, did=GAVE, call=sides[0], seen=code_or_description(sides[2], given), wanted=sides[1])
        return
    call, want, got = smallest_part(failure.call, wanted, observed)
    wrong = replace(
        failure, did=GAVE, call=call, wanted=code_or_description(want, given), remark=kind_remark(want, got)
    )
    yield replace(wrong, seen=code_or_description(got, given))


def _compared(call: str, scratch: Names) -> tuple[str, str, object] | None:
    """Return the code of both sides of a comparison such as `winner(()) is None`, and the value of its left side.

    For other code, return None.
    """
    match expression_of(call):
        case ast.Compare(left=left, ops=[ast.Is() | ast.Eq()], comparators=[right]) if not _calls(right):
            try:
                with limits.limited():
                    return ast.unparse(left), ast.unparse(right), eval(ast.unparse(left), scratch)
            except (Exception, TimeUp):
                return None
    return None


def _calls(node: ast.expr) -> bool:
    return any(isinstance(each, ast.Call) for each in ast.walk(node))


def code_or_description(value: object, given: Names) -> str:
    """Return a value as code, or a description if it has no code."""
    if callable(value) and (name := next((name for name, thing in given.items() if thing is value), "")):
        return name
    text = repr(value)
    if type(value).__name__ in ("generator", "coroutine", "map", "filter", "zip", "reversed", "Recur"):
        return f"<{type(value).__name__} object>"
    return STUDENT_FUNCTION if " at 0x" in text and callable(value) else printable(text, LONGEST_VALUE)


def _raised(failure: Failure, example: StatedExample, error: BaseException, located: LineOfError) -> Iterator[Failure]:
    kind, text = type(error).__name__, error_message(error)
    error_text, wanted = f"{kind}: {text}".removesuffix(": "), example.raises
    if wanted and (error_text == wanted or (":" not in wanted and kind == wanted)):
        return
    yield replace(failure, did=RAISED, error=kind, seen=one_line(text), **located(error))
