"""Record a run: put hooks into the functions that it may call, run it once, and remove the hooks again."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from types import CodeType, FrameType, FunctionType

from course import effects
from course.exam.calls import Names
from course.kernel.limits import kernel_protected
from course.watch.hooked import HOOKS, HookedSource, hooked_twin
from course.watch.reach import functions_in, given_functions, own_functions
from course.watch.recorder import IDLE, Recorder, RunLimits, Stopped
from course.watch.run import RecordedRun, State

Twins = dict[FunctionType, tuple[CodeType, HookedSource]]
ROOM_OF_ALL = 100  # stack frames for hooks, in addition to those for the learner's code
RUN_LIMITS = RunLimits()


class AlreadyRecording(Exception):
    """Raised if another run is already being recorded."""


def record(
    function: Callable[..., object],
    args: tuple[object, ...],
    names: Names,
    *,
    title: str = "",
    limits: RunLimits = RUN_LIMITS,
) -> RecordedRun:
    """Run `function(*args)` among the functions of a namespace, and return the recorded run."""
    if getattr(builtins, HOOKS) is not IDLE:
        raise AlreadyRecording
    twins = twins_of(names, function)
    with hooked(twins) as sources:
        recorder = Recorder(limits, sources, depth_of(sys._getframe(1)) - 1)
        with listening(recorder), more_room(recorder), kernel_protected():
            state, value, error = _outcome(function, args)
        recorder.close()
        code = next((each.__code__ for each in functions_in(function)), None)
    calls = recorder.frozen(code)
    return RecordedRun(title, calls, tuple(recorder.events), state, value, error, recorder.left_out)


def _outcome(function: Callable[..., object], args: tuple[object, ...]) -> tuple[State, object, BaseException | None]:
    """Call a function, and return how it ended, its value and its exception.

    The frame of the call is two above this one.
    """
    try:
        return State.GAVE, function(*args), None
    except Stopped as stop:
        return State.STOPPED, None, stop
    except KeyboardInterrupt as stop:
        return State.INTERRUPTED, None, stop
    except BaseException as error:
        return State.RAISED, None, error


def twins_of(names: Names, function: Callable[..., object]) -> Twins:
    """For each function that a run may call, return its code with hooks.

    Functions without known source are left out.
    """
    given = [*given_functions(names), *(each for each in functions_in(function) if each.__globals__ is not names)]
    results = {each: hooked_twin(each.__code__, each.__globals__, True) for each in own_functions(names)}
    results |= {each: hooked_twin(each.__code__, each.__globals__, False) for each in given}
    return {each: twin for each, twin in results.items() if twin}


@contextmanager
def hooked(twins: Twins) -> Iterator[dict[CodeType, HookedSource]]:
    """Run the block with hooks in the functions. Yield a dict that has the source of each code with hooks."""
    plain = {each: each.__code__ for each in twins}
    try:
        for each, (code, _) in twins.items():
            each.__code__ = code
        yield {code: source for _, source in twins.values() for code in source.codes.values()}
    finally:
        for each, code in plain.items():
            each.__code__ = code


@contextmanager
def listening(recorder: Recorder) -> Iterator[None]:
    """Let a recorder receive all hooks, all output and all input while the block runs."""
    before = dict(vars(builtins))
    with redirect_stdout(recorder.printing()):
        builtins.input, effects.listener = recorder.asking(builtins.input), recorder
        setattr(builtins, HOOKS, recorder)
        try:
            yield
        finally:
            builtins.__dict__.update(before)  # the function may have removed built-in names
            effects.listener = None


def depth_of(frame: FrameType | None) -> int:
    """Return the number of frames from this frame down to the bottom of the stack."""
    depth = 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1
    return depth


@contextmanager
def more_room(recorder: Recorder) -> Iterator[None]:
    """Raise the recursion limit while the block runs, so that hooks do not use up the learner's frames."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + ROOM_OF_ALL + depth_of(sys._getframe()) - recorder.calls[0].depth)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
