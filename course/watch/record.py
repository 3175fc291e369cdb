"""Record a run: put hooks into the functions that it may call, run it once, and store what the hooks report."""

from __future__ import annotations

import builtins
import gc
import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from functools import partial
from time import process_time
from types import CodeType, FrameType, FunctionType, MethodType, TracebackType

from toolz.functoolz import Compose, curry

from course import effects
from course.exam.calls import Names
from course.form.reading import word_set
from course.kernel.catalogue import unit_packages
from course.kernel.limits import exit_as_exception
from course.limits import DEEPEST_FUNCTION_SEARCH
from course.show.snapshots import SnapshotTaker
from course.values import value
from course.watch.hooked import HOOKED_FUNCTION_NODES, HOOKS_NAME, SPOTS, HookedSource, code_with_hooks, parameter_names
from course.watch.run import CallOwner, EventKind, RecordedCall, RecordedRun, RunEvent, RunState

FRAMES_FOR_HOOKS = 100  # stack frames for hooks, in addition to those for the learner's code
COMPREHENSION_CODE_NAMES = ("<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>")


@value
class RunLimits:
    """The limits of a run: how much is recorded, and how long it may compute.

    The time in which a run waits for input does not count.
    """

    steps: int = 5_000
    values: int = 100_000
    seconds: float = 5.0
    clock: Callable[[], float] = process_time


RUN_LIMITS = RunLimits()


class AlreadyRecording(Exception):
    """Raised if a run is to be recorded while another run is being recorded."""


class RunStopped(BaseException):
    """Raised when a run takes too long.

    A learner's `except Exception` does not catch this exception, because it is a BaseException.
    """


def record_run(
    function: Callable[..., object],
    args: tuple[object, ...],
    names: Names,
    *,
    title: str = "",
    limits: RunLimits = RUN_LIMITS,
) -> RecordedRun:
    """Run `function(*args)`, record the calls of functions in the namespace `names`, and return the recorded run."""
    if getattr(builtins, HOOKS_NAME) is not IDLE:
        raise AlreadyRecording
    value: object = None
    error: BaseException | None = None
    with insert_hooks(function, names) as sources:
        recorder = Recorder(limits, sources, sys._getframe())
        with pass_reports_to(recorder), exit_as_exception():
            try:
                value, state = function(*args), RunState.GAVE
            except (RunStopped, KeyboardInterrupt) as stop:
                state, error = RunState.STOPPED, stop
            except BaseException as raised:
                state, error = RunState.RAISED, raised
        recorder.over = True
        for each in (*recorder.calls, *recorder.open.values()):
            each.frame = None
        recorder.calls[0].code = next((each.__code__ for each in functions_in(function)), None)
    calls = tuple(each.as_recorded_call() for each in recorder.calls)
    return RecordedRun(title, calls, tuple(recorder.events), state, value, error, recorder.left_out)


@contextmanager
def insert_hooks(function: Callable[..., object], names: Names) -> Iterator[dict[CodeType, HookedSource]]:
    """While the `with` block runs, each function that a call may reach has hooks, if its source is known.

    Yield a dict that maps each code object with hooks to its source.
    """
    reached = functions_reached(function, names).items()
    twins = {each: twin for each, own in reached if (twin := code_with_hooks(each.__code__, each.__globals__, own))}
    plain = {each: each.__code__ for each in twins}
    try:
        for each, (code, _) in twins.items():
            each.__code__ = code
        yield {code: source for _, source in twins.values() for code in source.codes.values()}
    finally:
        for each, code in plain.items():
            each.__code__ = code


@contextmanager
def pass_reports_to(recorder: Recorder) -> Iterator[None]:
    """While the block runs, pass the reports of all hooks, and all output, to a recorder.

    In the block, the recursion limit is higher, so that the learner's code can make as many nested calls as without
    hooks.
    """
    before, limit = dict(vars(builtins)), sys.getrecursionlimit()
    with redirect_stdout(recorder.recorded_output()):
        effects.print_listener = recorder
        setattr(builtins, HOOKS_NAME, recorder)
        sys.setrecursionlimit(limit + FRAMES_FOR_HOOKS + stack_depth(sys._getframe()) - recorder.calls[0].depth)
        try:
            yield
        finally:
            sys.setrecursionlimit(limit)
            builtins.__dict__.update(before)  # the function may have removed built-in names
            effects.print_listener = None


def stack_depth(frame: FrameType | None) -> int:
    """Return the number of frames from this frame down to the bottom of the stack."""
    depth = 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1
    return depth


class IdleHooks:
    """The hooks that are used when nothing is recorded.

    A generator may exist longer than its run, so its hooks may be called when nothing is recorded.
    """

    def value(self, _spot: int, thing: object = None) -> object:
        """Return the value unchanged."""
        return thing

    test = element = return_value = leave_lambda = value

    def item(self, _spot: int, _things: object = None) -> bool:
        """Return True, because `and` joins this call to a condition whose value must not change."""
        return True

    case = no_case = bound = enter_lambda = item

    def call(self, _spot: int, _args: object) -> object:
        """Return a context manager that records nothing."""
        return UNHEARD

    given_call = call


UNHEARD, IDLE = nullcontext(), IdleHooks()  # the former is the block of a call that is not recorded
setattr(builtins, HOOKS_NAME, IDLE)


class RunningCall:
    """A call that is still running.

    The object is the context manager of the `with` block around the function's body, and reports the end of the body.
    """

    def __init__(
        self, recorder: Recorder, parent: RunningCall | None, part: CallOwner, spot: int, frame: FrameType | None
    ) -> None:
        self.recorder, self.parent, self.part, self.spot = recorder, parent, part, spot
        self.number, self.begin, self.end = -1, len(recorder.events), -1
        self.key, self.code = id(frame), frame and frame.f_code
        # Set for lambdas, which do not report an exception. While it is set, no other frame can have its id.
        self.frame: FrameType | None = None
        self.args: tuple[object, ...] = ()
        self.site, self.depth, self.end_spot = -1, 0, spot
        self.value: object = None
        self.handed: frozenset[CodeType] = frozenset()

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, trace: TracebackType | None) -> None:
        self.recorder.end_call(self, error, trace)

    def as_recorded_call(self) -> RecordedCall:
        """Return the call as an immutable record."""
        node = SPOTS[self.spot].node if self.spot >= 0 else None
        names = parameter_names(node.args) if isinstance(node, HOOKED_FUNCTION_NODES) else ()
        args = tuple(zip(names, self.args, strict=False))
        parent = self.parent.number if self.parent else -1
        name = getattr(node, "name", "λ")
        return RecordedCall(
            self.number, parent, self.part, name, args, self.spot, self.site, self.begin, self.end, self.code
        )


def recording_hook(kind: EventKind, ticks: bool = False) -> Callable[..., object]:
    """Return a hook: a method that records its argument as an event of this kind, and then returns the argument."""

    def record_and_return(self: Recorder, spot: int, thing: object = None) -> object:
        if ticks:
            self.stop_if_too_long()
        self.record_event(kind, spot, thing, sys._getframe(1))
        return thing

    return record_and_return


class Recorder:
    """An object with the methods that hooks call. The recorder stores everything that the hooks report."""

    def __init__(self, limits: RunLimits, sources: dict[CodeType, HookedSource], frame: FrameType) -> None:
        """Record the start of the run as call 0. `frame` is the frame that starts it."""
        self.limits, self.sources, self.keeper = limits, sources, SnapshotTaker()
        self.events: list[RunEvent] = []
        self.calls: list[RunningCall] = []
        self.open: dict[int, RunningCall] = {}
        self.positions: dict[CodeType, list[int]] = {}
        self.steps = self.left_out = self.ticks = 0
        self.full = self.over = self.stopping = False
        self.until, self.deepest = limits.clock() + limits.seconds, sys.getrecursionlimit()
        outermost = RunningCall(self, None, CallOwner.RUN, -1, frame)
        outermost.depth, outermost.number = stack_depth(frame) - 1, 0  # as without the frame of `record`
        self.calls.append(outermost)
        self.open[outermost.key] = outermost
        self.record_event(EventKind.CALL, -1, None, frame)

    # -------------------------------------------------------------------------------------------- events

    def record_event(self, kind: EventKind, spot: int, thing: object, frame: FrameType | None) -> None:
        """Record an event. The event belongs to the call that runs in this frame."""
        if self.full or self.over:
            self.left_out += kind is not EventKind.VALUE
        else:
            self._append_event(kind, self._call_of(frame)[0], spot, thing)

    def _append_event(self, kind: EventKind, call: RunningCall, spot: int, thing: object) -> None:
        self.events.append(RunEvent(kind, call.number, spot, self.keeper.snapshot(thing)))
        self.steps += kind is not EventKind.VALUE
        self.full = self.steps >= self.limits.steps or len(self.events) >= self.limits.values

    def _call_of(self, frame: FrameType | None) -> tuple[RunningCall, int]:
        """Return the innermost recorded call that contains a frame, and the number of frames between them."""
        steps = 0
        while frame is not None:
            if opened := self.open.get(id(frame)):
                return opened, steps
            frame, steps = frame.f_back, steps + 1
        return self.calls[0], steps

    def stop_if_too_long(self) -> None:
        """Stop the run if it takes too long."""
        self.ticks += 1
        if not self.ticks & 63 and self.limits.clock() > self.until:
            self.stopping = True
        if self.stopping and not self.over:
            raise RunStopped

    # -------------------------------------------------------------------------------------------- calls

    def call(self, spot: int, args: tuple[object, ...]) -> RunningCall:
        """Record a call of the learner's own function. Return the context manager for the function's body."""
        return self._open_call(CallOwner.OWN, spot, args, sys._getframe(1))

    def given_call(self, spot: int, args: tuple[object, ...]) -> object:
        """Record a call of a given function. Return the context manager for the function's body.

        The call is recorded only if the learner's code calls the function, or has passed it to another function.
        """
        frame = sys._getframe(1)
        caller, _ = self._call_of(frame.f_back)
        if caller.part is CallOwner.GIVEN and frame.f_code not in caller.handed:
            return UNHEARD
        made = self._open_call(CallOwner.GIVEN, spot, args, frame)
        made.handed = frozenset(each.__code__ for each in functions_in(args))
        return made

    def enter_lambda(self, spot: int, args: tuple[object, ...]) -> bool:
        """Record a call of a lambda.

        The lambda's frame is stored, because no `with` block reports exceptions in a lambda.
        """
        frame = sys._getframe(1)
        made = self._open_call(CallOwner.OWN, spot, args, frame)
        made.frame = frame
        return True

    def leave_lambda(self, spot: int, thing: object) -> object:
        """Record the value that a lambda returns."""
        if made := self.open.get(id(sys._getframe(1))):
            made.value, made.frame = thing, None
            self.end_call(made, None)
        return thing

    def _open_call(self, part: CallOwner, spot: int, args: tuple[object, ...], frame: FrameType) -> RunningCall:
        self.stop_if_too_long()
        parent, steps = self._call_of(frame.f_back)
        made = RunningCall(self, parent, part, spot, frame)
        made.depth = parent.depth + steps + 1
        if made.depth > self.deepest:
            raise RecursionError("maximum recursion depth exceeded")
        self.open[made.key] = made
        if self.full or self.over:
            self.left_out += 1
            return made
        made.number, made.args = len(self.calls), tuple(map(self.keeper.snapshot, args))
        made.site = self.spot_of_frame(frame.f_back, parent.code and self.sources.get(parent.code))
        self.calls.append(made)
        self.record_event(EventKind.CALL, spot, None, frame)
        return made

    def end_call(self, call: RunningCall, error: BaseException | None, trace: TracebackType | None = None) -> None:
        """Record the end of a call, with its result or its exception."""
        self.open.pop(call.key, None)
        if self.over or call.number < 0 or isinstance(error, GeneratorExit):  # a generator that is not used up
            return
        call.end = len(self.events)
        if error is None:
            self._append_event(EventKind.GIVES, call, call.end_spot, call.value)
        else:
            self._append_event(EventKind.RAISES, call, self._spot_of_error(trace), error)

    # -------------------------------------------------------------------------------------------- places

    def spot_of_frame(self, frame: FrameType | None, source: HookedSource | None = None) -> int:
        """Return the index in SPOTS of the syntax node that a frame is running now.

        If the frame's code has no hooks, use the nearest outer frame with hooks. Return -1 if no frame has hooks.
        """
        while frame is not None:
            hooks = self.sources.get(frame.f_code)
            if hooks is not None and hooks is (source or hooks):
                break
            frame = frame.f_back
        return self._spot_at(frame.f_code, frame.f_lasti) if frame else -1

    def _spot_of_error(self, trace: TracebackType | None) -> int:
        """Return the spot in a call's own code that raised an exception. Comprehensions in it count as its own code."""
        step = trace
        while trace := trace.tb_next if trace else None:
            code = trace.tb_frame.f_code
            if code in self.sources and code.co_name in COMPREHENSION_CODE_NAMES:
                step = trace
            elif code in self.sources:
                break
        return self._spot_at(step.tb_frame.f_code, step.tb_lasti) if step else -1

    def _spot_at(self, code: CodeType, instruction: int) -> int:
        if code not in self.sources:
            return -1
        if code not in self.positions:
            self.positions[code] = [self.sources[code].spots.get(where, -1) for where in code.co_positions()]
        return self.positions[code][instruction // 2]

    # -------------------------------------------------------------------------------------------- values and decisions

    def return_value(self, spot: int, thing: object) -> object:
        """Store the value that a function is about to return, and the spot of its `return`."""
        if made := self.open.get(id(sys._getframe(1))):
            made.end_spot, made.value = spot, thing
        return thing

    # Hooks that record what they get: an expression's value, the element that a comprehension makes, the case that was
    # taken with the values that it bound, that no case matched, and the values of names.
    value, element, case = (
        recording_hook(EventKind.VALUE),
        recording_hook(EventKind.ELEMENT),
        recording_hook(EventKind.CASE),
    )
    no_case, bound = recording_hook(EventKind.NO_CASE), recording_hook(EventKind.BOUND)
    test = recording_hook(EventKind.TEST, ticks=True)  # the condition of a loop may be tested without end

    def item(self, spot: int, things: tuple[object, ...]) -> bool:
        """Record the item that a loop or comprehension takes in a round."""
        self.stop_if_too_long()
        self.record_event(EventKind.ITEM, spot, things, sys._getframe(1))
        return True

    # -------------------------------------------------------------------------------------------- text

    def recorded_output(self, taken: io.TextIOBase | None = None) -> RecordedOutput:
        """Return a stream that records printed text.

        If a `scripted` block captures the output in `taken`, the text is also written to `taken`.
        """
        return RecordedOutput(self, taken)


class RecordedOutput(io.StringIO):
    """The output stream of a recorded run, or of a `scripted` block in the run."""

    def __init__(self, recorder: Recorder, taken: io.TextIOBase | None) -> None:
        super().__init__()
        self.recorder, self.taken = recorder, taken

    def write(self, text: str) -> int:
        """Record printed text. Several texts that are printed on the same line become one event."""
        recorder, frame, last = self.recorder, sys._getframe(1), self.recorder.events[-1]
        if last.kind is EventKind.PRINTED and not last.value.endswith("\n") and not recorder.full:
            recorder.events[-1] = last._replace(value=last.value + text)
        elif text:
            recorder.record_event(EventKind.PRINTED, recorder.spot_of_frame(frame), text, frame)
        return self.taken.write(text) if self.taken else len(text)


# ------------------------------------------------------------------------------------------------ what is recorded

UNRECORDED_FUNCTIONS = frozenset(("tail_recursive", "recur", "transcript"))
MODULES_WITHOUT_GIVEN_FUNCTIONS = word_set("check diagnoses exam form kernel learner show svg syntax tables watch")


def functions_in(thing: object, depth: int = 0) -> Iterator[FunctionType]:
    """Yield the functions in a value.

    The value itself and its items can be functions. A curried, composed or decorated function contains other functions,
    too.

    >>> def double(n): return 2 * n
    >>> [f.__name__ for f in functions_in((curry(double), Compose((double, len))))]
    ['double', 'double']
    """
    parts: tuple[object, ...] = ()
    match thing:
        case FunctionType():
            yield thing
            parts = (getattr(thing, "__wrapped__", None),)
        case MethodType():
            parts = (thing.__func__,)
        case partial() | curry():
            parts = thing.func, *thing.args
        case Compose():
            parts = thing.first, *thing.funcs
        case tuple() | list():
            parts = tuple(thing[:100])
    for part in parts if depth < DEEPEST_FUNCTION_SEARCH else ():
        yield from functions_in(part, depth + 1)


def functions_reached(function: object, names: dict[str, object]) -> dict[FunctionType, bool]:
    """Return the functions that may run when `function` is called, and for each, whether it is the learner's own.

    The learner's own functions are all functions defined in the notebook, including nested functions. The other
    functions are functions of the course that the notebook uses, and functions that `function` contains, for example
    because it was curried.
    """
    named = [each for thing in list(names.values()) for each in functions_in(thing)]
    # The search for referrers does not find frozen objects, so the functions in named values are added.
    every = (*gc.get_referrers(names), *named)
    own = (each for each in every if type(each) is FunctionType and each.__globals__ is names)
    given = (each for each in named if is_given_function(each) and each.__name__ not in UNRECORDED_FUNCTIONS)
    parts = (each for each in functions_in(function) if each.__globals__ is not names)
    return dict.fromkeys(own, True) | dict.fromkeys((*given, *parts), False)


def is_given_function(function: FunctionType) -> bool:
    """Return whether a function belongs to the course or a pack, and was not written by the learner."""
    package, _, module = (function.__module__ or "").partition(".")
    return package in unit_packages() and module.split(".")[0] not in MODULES_WITHOUT_GIVEN_FUNCTIONS
