"""The visible examples of an exercise, run here and now: each within its time, and what is printed caught."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from types import TracebackType
from typing import Any

from course import effects
from course.diagnoses.failure import GAVE, RAISED, SLOW, Failure, ToBeRaised, kind_remark, smallest_part
from course.exam.closeness import snapped
from course.exam.observing import FAULTS, PrintedByCall, TimeUp, story_of, text_said, wire_of
from course.exam.readable import LONGEST_VALUE, one_line, printable
from course.exam.told import BY_LIMIT
from course.exam.wire import Wire, text_of, unobserved
from course.kernel import limits
from course.kernel.history import label_of
from course.kernel.notebook import Names
from course.learner.answer import Answer
from course.syntax import expression_of
from course.values import STUDENT_FUNCTION, strictly_equal

AsShown = Callable[[object, object], object]


@dataclass(frozen=True)
class Tried:
    """What came of the examples: how many there are, those that failed, and whether anything was printed.

    What is `unsure` is not as shown, but may be right all the same.
    """

    count: int
    failures: tuple[Failure, ...]
    prints: bool
    unsure: tuple[Failure, ...] = ()


def tried(answer: Answer) -> Tried:
    """Return what comes of the visible examples of an exercise, among the names that the answer runs among."""
    home, examples, judging = import_module(answer.asked.module), answer.stated["examples"], answer.judging
    given = {name: thing for name, thing in vars(home).items() if not name.startswith("_")}
    prints, failures = False, list[Failure]()
    for example in examples:
        is_endless = any(not failure.is_done for failure in failures)
        with effects.scripted((), None, printed := PrintedByCall()):
            seconds = limits.SECONDS / (10 if is_endless else 1)
            like = partial(_as_shown, wire_of(home), judging.get("tolerance", 0.0))
            failures += _failed(example, answer.names, given, seconds, wire_of(home), like)
        prints = prints or bool(printed.getvalue())
    unsure = [failure for failure in failures if failure.did == GAVE] if judging.get("several") else []
    wrong = tuple(failure for failure in failures if failure not in unsure)
    return Tried(len(examples), wrong, prints, tuple(unsure))


def _failed(
    example: dict[str, Any], names: Names, given: Names, seconds: float, wire: Wire, like: AsShown
) -> Iterator[Failure]:
    """Yield the failure of an example, nothing if it is right; given names mean what is given."""
    scratch = {**names, **given}
    failure = Failure(example["call"], setup=tuple(example["setup"]), wanted=_wanted(example, given))
    try:
        with limits.limited(seconds):
            for line in example["setup"]:
                exec(line, scratch)
            seen = _writable(eval(example["call"], scratch), wire)
    except TimeUp:
        yield replace(failure, did=SLOW)
    except tuple(FAULTS) as fault:
        yield replace(failure, words=BY_LIMIT[story_of(fault)["limit"]])
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # who calls `exit` does not mean the check
        yield from _raised(failure, example, error, names)
    else:
        yield from _gave(failure, example, seen, given, scratch, like)


def _writable(value: object, wire: Wire) -> object:
    """Return a value, or what stands for it where Python does not write it out; TooLarge if nobody could read it."""
    tree = wire.encode(value)
    try:
        repr(value)
    except Exception:
        return wire.decode(tree)
    return value


def _wanted(example: dict[str, Any], given: Names) -> ToBeRaised | str:
    if example["raises"]:
        return ToBeRaised(example["raises"])
    return repr(eval(example["want"], dict(given)))


def _as_shown(wire: Wire, tolerance: float, wanted: object, seen: object) -> object:
    """Return what was seen with the wanted numbers where its own are close, and what is wanted if it is just that."""
    trees = wire.encode(wanted), wire.encode(seen)
    if any(True for tree in trees for _ in unobserved(tree)):
        return seen
    tree = snapped(*trees, tolerance) if tolerance else trees[1]
    if text_of(tree) == text_of(trees[0]):
        return wanted
    return wire.decode(tree) if tolerance else seen


def _gave(
    failure: Failure, example: dict[str, Any], seen: object, given: Names, scratch: Names, like: AsShown
) -> Iterator[Failure]:
    if example["raises"]:
        yield replace(failure, did=GAVE, seen=described(seen, given))
        return
    wanted = eval(example["want"], dict(given))
    if strictly_equal(seen := like(wanted, seen), wanted):
        return
    if wanted is True and (sides := _compared(failure.call, scratch)):
        yield replace(failure, did=GAVE, call=sides[0], seen=described(sides[2], given), wanted=sides[1])
        return
    call, want, got = smallest_part(failure.call, wanted, seen)
    told = replace(failure, did=GAVE, call=call, wanted=described(want, given), remark=kind_remark(want, got))
    yield replace(told, seen=described(got, given))


def _compared(call: str, scratch: Names) -> tuple[str, str, object] | None:
    """Return both sides of a comparison, as `winner(()) is None`, and what the left gives; None if it is no such."""
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


def described(value: object, given: Names) -> str:
    """Return a value as code, and what has none by what it is."""
    if callable(value) and (name := next((name for name, thing in given.items() if thing is value), "")):
        return name
    text = repr(value)
    if type(value).__name__ in ("generator", "coroutine", "map", "filter", "zip", "reversed", "Recur"):
        return f"<{type(value).__name__} object>"
    return STUDENT_FUNCTION if " at 0x" in text and callable(value) else printable(text, LONGEST_VALUE)


def _raised(failure: Failure, example: dict[str, Any], error: BaseException, names: Names) -> Iterator[Failure]:
    kind, text = type(error).__name__, text_said(error)
    story, wanted = f"{kind}: {text}".removesuffix(": "), example["raises"]
    if wanted and (story == wanted or (":" not in wanted and kind == wanted)):
        return
    yield replace(failure, did=RAISED, error=kind, seen=one_line(text), **own_line(error.__traceback__, names))


def own_line(trace: TracebackType | None, names: Names) -> dict[str, Any]:
    """Return the innermost line of the learner's own that an error came from; our frames are none of their business."""
    last = None
    while trace:
        last = trace if trace.tb_frame.f_globals is names else last
        trace = trace.tb_next
    if last is None:
        return {}
    file = last.tb_frame.f_code.co_filename
    text = linecache.getline(file, last.tb_lineno).strip()
    return {"label": label_of(names, "".join(linecache.getlines(file))), "line": last.tb_lineno, "code": text}
