"""Run a program with hooks on the calls of an exercise, within limits, and return what the hooks reported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Sized
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from types import FunctionType

from course import effects
from course.exam.calls import Names
from course.exam.observing import PrintedByCall
from course.exam.readable import value_code
from course.kernel.limits import limited
from course.syntax import UNPARSED
from course.viva.program import HOOK, Program

MOST_TICKS, ITEMS_SHOWN, LONGEST_SHOWN, LONGEST_OUTCOME, SECONDS_PER_RUN, MOST_LIMITS = 1_500, 12, 100, 5_000, 0.15, 5
MASKED_ADDRESS = "0x…"


class OutOfTicks(BaseException):
    """Raised when a run has reported too much. It is a BaseException, so an `except Exception` does not catch it."""


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

    def _tick(self) -> bool:
        if len(self.lines) + len(self.arms) + len(self.entered) > MOST_TICKS:
            raise OutOfTicks
        return True


def _short(value: object) -> str:
    """Return a short value as code; "" for any other value, and for functions."""
    try:
        text = "" if callable(value) or (isinstance(value, Sized) and len(value) > ITEMS_SHOWN) else value_code(value)
    except Exception:  # a learner's own class may have a `__repr__` that fails
        return ""
    return "" if len(text) > LONGEST_SHOWN or MASKED_ADDRESS in text or " at " in text else text


def traces_of(program: Program, calls: Sequence[str], names: Names) -> tuple[Trace | None, ...]:
    """Return what each call does; None for a call that takes too long, or whose outcome depends on chance.

    The program's definitions take the place of those in `names` meanwhile, so that other functions call them.
    """
    try:
        program.code  # noqa: B018
    except UNPARSED:
        return (None,) * len(calls)
    with _restored(names), limited(inf) as watched:
        return tuple(_traces(program, calls, names, watched))


@contextmanager
def _restored(names: Names) -> Iterator[None]:
    before = dict(names)
    try:
        yield
    finally:
        names.update(before)
        for name in names.keys() - before.keys():
            del names[name]


def _traces(program: Program, calls: Sequence[str], names: Names, watched: limited) -> Iterator[Trace | None]:
    """Yield what each call does; after some calls that ended in a limit, the others are not made."""
    limits = 0
    for call in calls:
        trace = _trace(program, call, names, watched) if limits < MOST_LIMITS else None
        limits += trace is None
        yield trace


def _trace(program: Program, call: str, names: Names, watched: limited) -> Trace | None:
    """Run a call twice, with different random numbers, and return its trace if both runs are the same."""
    first, second = (_one_run(program, call, names, watched, chance) for chance in (1, 2))
    return first if first == second else None


def _one_run(program: Program, call: str, names: Names, watched: limited, chance: int) -> Trace | None:
    hook = names[HOOK] = Hook(program)
    try:
        with effects.scripted((), chance, PrintedByCall()), watched.renewed(SECONDS_PER_RUN):
            exec(program.code, names)
            value = eval(call, dict(names))
            outcome = value.__name__ if isinstance(value, FunctionType) else value_code(value)
    except KeyboardInterrupt:
        raise
    except (NameError, NotImplementedError):  # a helper is not here, or not written
        return None
    except Exception as error:
        outcome = type(error).__name__
    except BaseException:  # a limit, or an answer that calls `exit`
        return None
    is_plain = len(outcome) <= LONGEST_OUTCOME and MASKED_ADDRESS not in outcome and not outcome.startswith("<")
    return Trace(tuple(hook.lines), tuple(hook.arms), tuple(hook.entered), outcome) if is_plain else None
