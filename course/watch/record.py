"""A run is made: hooks are put into the functions it may reach, it happens once, and the hooks are taken out again."""

from __future__ import annotations

import builtins
import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType, FunctionType
from typing import Any

from course import effects
from course.effects import Chance, scripted
from course.kernel.limits import kernel_kept
from course.watch.hooked import HOOKS, HookedSource, hooked_twin
from course.watch.reach import functions_in, given_functions, own_functions
from course.watch.recorder import IDLE, Recorder, RunLimits, Stopped
from course.watch.run import RecordedRun, State

Names = dict[str, Any]
Twins = dict[FunctionType, tuple[CodeType, HookedSource]]
ROOM_OF_ALL = 100  # frames that hooks may need above the deepest of the learner's
RUN_LIMITS = RunLimits()


class Busy(Exception):
    """A run is being recorded already."""


def record(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    names: Names,
    *,
    title: str = "",
    typed: tuple[str, ...] | None = None,
    chance: Chance = None,
    limits: RunLimits = RUN_LIMITS,
) -> RecordedRun:
    """Return the run of `function(*args)` among the functions of a namespace, as if the caller had called it.

    `typed` and `chance` are a script as `transcript` takes it; where nothing is typed by a script, a person is asked.
    """
    if getattr(builtins, HOOKS) is not IDLE:
        raise Busy
    twins = twins_of(names, function)
    with hooked(twins) as sources:
        recorder = Recorder(limits, sources, depth_of(sys._getframe(1)) - 1)
        with listening(recorder, typed, chance), more_room(recorder), kernel_kept():
            state, value, error = _outcome(function, args)
        recorder.close()
        code = next((each.__code__ for each in functions_in(function)), None)
    calls = recorder.frozen(code)
    return RecordedRun(title, calls, tuple(recorder.events), state, value, error, recorder.text, recorder.left_out)


def _outcome(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[State, Any, BaseException | None]:
    """Return what came of a call; it is made from here, two frames below the learner's."""
    try:
        return State.GAVE, function(*args), None
    except Stopped as stop:
        return State.STOPPED, None, stop
    except KeyboardInterrupt as stop:
        return State.INTERRUPTED, None, stop
    except BaseException as error:
        return State.RAISED, None, error


def twins_of(names: Names, function: Callable[..., Any]) -> Twins:
    """Return the functions that a run may reach, with their hooked code; skip those whose source is unknown."""
    given = [*given_functions(names), *(each for each in functions_in(function) if each.__globals__ is not names)]
    found = {each: hooked_twin(each.__code__, each.__globals__, True) for each in own_functions(names)}
    found |= {each: hooked_twin(each.__code__, each.__globals__, False) for each in given}
    return {each: twin for each, twin in found.items() if twin}


@contextmanager
def hooked(twins: Twins) -> Iterator[dict[CodeType, HookedSource]]:
    """Let functions run with hooks while the block runs; give the source of each hooked code."""
    plain = {each: each.__code__ for each in twins}
    try:
        for each, (code, _) in twins.items():
            each.__code__ = code
        yield {code: source for _, source in twins.values() for code in source.codes.values()}
    finally:
        for each, code in plain.items():
            each.__code__ = code


@contextmanager
def listening(recorder: Recorder, typed: tuple[str, ...] | None, chance: Chance) -> Iterator[None]:
    """Let a recorder hear all hooks, all that is printed and all that is typed, while the block runs."""
    person = sys.stdin, builtins.input
    with scripted(typed or (), chance, Heard(recorder)):
        if typed is None:
            sys.stdin, builtins.input = person
        builtins.input, effects.listener = recorder.asking(builtins.input), Listener(recorder)
        setattr(builtins, HOOKS, recorder)
        try:
            yield
        finally:
            setattr(builtins, HOOKS, IDLE)
            effects.listener = None


class Heard(io.StringIO):
    """What is printed in a run; what a script within it takes goes there as well."""

    def __init__(self, recorder: Recorder, taken: io.TextIOBase | None = None) -> None:
        super().__init__()
        self.recorder, self.taken = recorder, taken

    def write(self, text: str) -> int:
        self.recorder.heard(text, self.taken is None)
        return self.taken.write(text) if self.taken else len(text)


class Listener:
    """Reports to a recorder what scripts within the run print and read."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder, self.asking = recorder, recorder.asking

    def printing(self, taken: io.TextIOBase) -> Heard:
        """Return where to print, so that it is heard and taken."""
        return Heard(self.recorder, taken)


def depth_of(frame: FrameType | None) -> int:
    """Return how many frames there are, down from this one."""
    depth = 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1
    return depth


@contextmanager
def more_room(recorder: Recorder) -> Iterator[None]:
    """Let there be room on the stack for hooks above the deepest call of the learner's."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + ROOM_OF_ALL + depth_of(sys._getframe()) - recorder.calls[0].depth)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
