"""Run a program with hooks on the calls of an exercise, within limits, and return what the hooks reported."""

from __future__ import annotations

import sys
from collections.abc import Sequence, Sized
from dataclasses import dataclass
from math import inf
from types import FrameType, FunctionType

from course import effects
from course.exam.calls import Names
from course.exam.observing import PrintedByCall
from course.exam.readable import value_code
from course.kernel.limits import limited
from course.limits import MOST_FUNCTION_CALLS, MOST_LIMITED_CALLS, MOST_TICKS, SECONDS_FOR_EXTRAS
from course.syntax import UNPARSED
from course.viva.program import HOOK, Program

ITEMS_SHOWN, SHORT_VALUE_ROOM, OUTCOME_ROOM = 12, 100, 5_000
UNCOUNTED = "<listcomp>", "<setcomp>", "<dictcomp>"  # calls in Python 3.11 only
MASKED_ADDRESS = "0x…"


class OutOfTicks(BaseException):
    """Raised when a run has reported too much. It is a BaseException, so an `except Exception` does not catch it."""


class OverLimit(Exception):
    """Raised for a call that takes too many steps, too much time or too much memory."""


@dataclass(frozen=True)
class Entered:
    """The start of a function's body or of a loop's round: its number, and the values of its names, as code."""

    number: int
    values: dict[str, str]


@dataclass(frozen=True)
class Trace:
    """The record of a run: its lines, branches, entered functions and rounds, and its outcome as text."""

    lines: tuple[int, ...]
    arms: tuple[int, ...]
    entered: tuple[Entered, ...]
    outcome: str


class Hook:
    """The object whose methods the hooks in a program call. Each returns True, so that the program goes on."""

    def __init__(self, program: Program) -> None:
        self.names = {each.number: each.names for each in program.repeated}
        self.lines: list[int] = []
        self.arms: list[int] = []
        self.entered: list[Entered] = []
        self.function_calls = 0

    def line(self, number: int) -> bool:
        """Report that the statement on a line runs."""
        self.lines.append(number)
        return self._tick()

    def arm(self, number: int) -> bool:
        """Report that a branch was taken."""
        self.arms.append(number)
        return self._tick()

    def enter(self, number: int, names: Names) -> bool:
        """Report the start of a function's body, or of a loop's round."""
        wanted = self.names.get(number, ())
        self.entered.append(Entered(number, {name: _short(names[name]) for name in wanted if name in names}))
        return self._tick()

    def profile(self, frame: FrameType, event: str, _: object) -> None:
        """Count a call of a function, wherever the function is defined, except in installed modules."""
        if event == "call" and "__file__" not in frame.f_globals and frame.f_code.co_name not in UNCOUNTED:
            self.function_calls += 1
            self._tick()

    def _tick(self) -> bool:
        ticks = len(self.lines) + len(self.arms) + len(self.entered)
        if ticks > MOST_TICKS or self.function_calls > MOST_FUNCTION_CALLS:
            raise OutOfTicks
        return True


def _short(value: object) -> str:
    """Return a short value as code; "" for any other value, and for functions."""
    try:
        text = "" if callable(value) or (isinstance(value, Sized) and len(value) > ITEMS_SHOWN) else value_code(value)
    except Exception:  # a learner's own class may have a `__repr__` that fails
        return ""
    return "" if len(text) > SHORT_VALUE_ROOM or MASKED_ADDRESS in text or " at " in text else text


def traces_of(program: Program, calls: Sequence[str], names: Names) -> tuple[Trace, ...] | None:
    """Return what each call does, or None if one of the calls is unsuitable for questions."""
    attempts = attempts_of(program, calls, names, most_limits=1)
    traces = tuple(each for each in attempts if each is not None)
    return traces if len(traces) == len(calls) else None


def attempts_of(
    program: Program, calls: Sequence[str], names: Names, most_limits: int = MOST_LIMITED_CALLS
) -> tuple[Trace | None, ...]:
    """For each call, return what it does, or None if it is unsuitable for questions.

    After `most_limits` calls that exceed a limit, the other calls are not made. During the calls, the program's
    definitions replace those in `names`, so that other functions call them.
    """
    try:
        program.code  # noqa: B018
    except UNPARSED:
        return (None,) * len(calls)
    before, limits, traces = dict(names), 0, list[Trace | None]()
    try:
        with limited(inf) as watched:
            for call in calls:
                trace = None
                try:
                    if limits < most_limits:
                        trace = _one_run(program, call, names, watched, 1)
                    if trace and trace != _one_run(program, call, names, watched, 2):  # it depends on chance
                        trace = None
                except OverLimit:
                    limits, trace = limits + 1, None
                traces.append(trace)
    finally:
        names.update(before)
        for name in names.keys() - before.keys():
            del names[name]
    return tuple(traces)


def _one_run(program: Program, call: str, names: Names, watched: limited, chance: int) -> Trace | None:
    """Return the trace of a run, or None if it is unsuitable for questions. Raises OverLimit if it takes too long."""
    hook = names[HOOK] = Hook(program)
    is_free = sys.getprofile() is None  # otherwise, another tool observes calls
    try:
        with effects.scripted((), chance, PrintedByCall()), watched.renewed(SECONDS_FOR_EXTRAS):
            if is_free:
                sys.setprofile(hook.profile)
            exec(program.code, names)
            value = eval(call, dict(names))
            outcome = value.__name__ if isinstance(value, FunctionType) else value_code(value)
    except KeyboardInterrupt:
        raise
    except (NameError, NotImplementedError):
        return None
    except (MemoryError, RecursionError):  # they depend on the machine, and on who makes the call
        raise OverLimit from None
    except Exception as error:
        outcome = type(error).__name__
    except BaseException:  # a limit, or an answer that calls `exit`
        raise OverLimit from None
    finally:
        if is_free:
            sys.setprofile(None)
    is_plain = len(outcome) <= OUTCOME_ROOM and MASKED_ADDRESS not in outcome and not outcome.startswith("<")
    return Trace(tuple(hook.lines), tuple(hook.arms), tuple(hook.entered), outcome) if is_plain else None
