"""Observe a call: its value or exception, the printed text, and calls of probes, as plain data.

A probe is a function that an exam passes to an answer, and that records its calls. The grader and the check in
notebooks share this code. Their code sets the limits.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import cache, wraps
from types import FrameType, ModuleType, TracebackType

from course import effects
from course.exam import wire
from course.exam.calls import Call, FacetRequest, Names
from course.limits import DEEPEST_CALLS, MOST_ENDLESS_CALLS, MOST_PRINTED_CHARACTERS, MOST_SHOWN_ARGUMENTS


def allow_nested_calls() -> None:
    """Set the recursion limit so that DEEPEST_CALLS more nested calls are possible from the current depth."""
    frame, height = sys._getframe(), 1
    while frame.f_back is not None:
        frame, height = frame.f_back, height + 1
    while True:
        try:
            sys.setrecursionlimit(height)
            break
        except RecursionError:  # Python 3.11 also counts calls of functions written in C
            height += 1
    sys.setrecursionlimit(height + DEEPEST_CALLS)


CallLimiter = Callable[[float | None], AbstractContextManager[object]]
EXAMPLE_FILE_NAME = "<example>"  # the file name for the code of an example
TYPES_WITH_ITEMS = ("tuple", "list")
NON_CELL_FILE_NAMES = ("<string>", "<stdin>", EXAMPLE_FILE_NAME)

wire_of_module = cache(wire.Wire)


class TimeUp(BaseException):
    """Raised when a call has used up its time, by computing or sleeping."""


class PrintedTooMuch(BaseException):
    """Raised when a call has printed more than an observation can hold."""


class PrintedByCall(io.StringIO):
    """The text that a call prints. If the text exceeds a limit, PrintedTooMuch is raised."""

    def write(self, text: str) -> int:
        if self.tell() + len(text) > MOST_PRINTED_CHARACTERS:
            raise PrintedTooMuch
        return super().write(text)

    def close(self) -> None:
        """Do nothing, because the printed text is read later."""


# The exceptions that stop a call, with the names of the limits behind them.
LIMITS_BY_EXCEPTION: dict[type[BaseException], str] = {
    TimeUp: "time",
    PrintedTooMuch: "printing",
    wire.TooLargeValue: "size",
    MemoryError: "memory",
}
ErrorData = dict[str, object]


class Observer:
    """An object that makes and observes calls. It stops each call that exceeds a limit.

    `references` maps the names of exercises to their references.
    """

    def __init__(self, module: ModuleType, limit: CallLimiter, seconds: float | None) -> None:
        self.limit, self.seconds = limit, seconds
        self.references: Names = {}
        self.wire = wire_of_module(module)
        self.log: list[list[wire.Tree]] = []
        watched = {probe.__name__: self._recording_probe(probe) for probe in getattr(module, "PROBES", ())}
        self.functions = self.wire.functions | watched
        self.names = {id(function): name for name, function in self.functions.items()}
        self.order = FacetRequest("", False, False, ())
        self.faults: list[list[object]] = []

    def _recording_probe(self, probe: Callable[..., object]) -> Callable[..., object]:
        @wraps(probe)
        def recording(*args: object) -> object:
            self.log.append([probe.__name__, *(self._encoded(arg) for arg in args)])
            return probe(*args)

        return recording

    def _encoded(self, value: object) -> wire.Tree:
        return self.wire.encode(value, self._function_name)

    def _function_name(self, function: object) -> str | None:
        return self.names.get(id(function))

    def _function_named(self, name: str) -> object:
        return self.functions[name] if name in self.functions else self.references[name]

    def observe_facet(self, order: FacetRequest) -> tuple[bytes, bytes]:
        """Make the calls of a facet. Return two messages: the observations of the calls, and notes on the calls."""
        observations, notes = [], {}
        self.order = order
        for index, call in enumerate(order.calls):
            observation, note = self._observe_call(call)
            observations.append(observation)
            if note:
                notes[index] = note
            if observation[0] == "fault":
                self.faults.append(observation)
                break
        return wire.text_of(observations).encode(), json.dumps(notes).encode()

    def _observe_call(self, call: Call) -> tuple[list[object], dict[str, object]]:
        if len(self.faults) > MOST_ENDLESS_CALLS:
            return self.faults[-1], {}
        self.log.clear()
        call = self._call_with_decoded_arguments(call) if self.order.changes else call
        printed, chance = PrintedByCall(), 0 if call.chance is None else call.chance
        try:
            with effects.scripted(call.typed, chance, printed), self.limit(self.seconds):
                outcome, note = self._outcome_of_call(call)
                is_observed = self.order.changes and call.kind == "values"
                after = [*filter(self.wire.is_mutable, map(self._encoded, call.given))] if is_observed else []
        except tuple(LIMITS_BY_EXCEPTION) as fault:
            return ["fault", exceeded_limit(fault)], {}
        except BaseException:  # an exception's own methods may raise anything
            outcome, note, after = ["raised", wire.OWN_CLASS, None], {}, []
        text = printed.getvalue()
        if text and not self.order.prints:
            note, text = note | {"printed": text[:200]}, ""
        if text or self.log or after:
            outcome += [text, list(self.log)]
        if after:
            outcome.append(after)
        return outcome, note

    def _outcome_of_call(self, call: Call) -> tuple[list[object], dict[str, object]]:
        """Return the outcome of a call: its value, or the exception as data."""
        interrupted: list[BaseException] | None = [] if self.order.iterates else None
        try:
            tree = self.wire.encode(self._run_call(call), self._function_name, interrupted)
            return ["ok", tree], self._exception_note(interrupted[0]) if interrupted else {}
        except tuple(LIMITS_BY_EXCEPTION):
            raise
        except BaseException as error:
            args = self._encoded(error.args) if self.order.shows_args else None
            return ["raised", self.wire.error_name(error), args], self._exception_note(error)

    def _exception_note(self, error: BaseException) -> dict[str, object]:
        """Return an exception as data, with the function that raised it when the learner called it."""
        frames = [trace.tb_frame for trace in _tracebacks(error)]
        own = [index for index, frame in enumerate(frames) if _is_learner_frame(frame)]
        after = frames[own[-1] + 1 :] if own else []
        inner = next((frame for frame in after if callable(self.references.get(frame.f_code.co_name))), None)
        return {"story": error_data(error) | ({"inside": call_in_frame(inner)} if inner else {})}

    def with_decoded_arguments(self, order: FacetRequest) -> FacetRequest:
        """Return a facet's calls with decoded arguments.

        A call with the name of an undefined function is left unchanged.
        """
        return order._replace(
            calls=[self._call_with_decoded_arguments(call) if call.kind == "args" else call for call in order.calls]
        )

    def _call_with_decoded_arguments(self, call: Call) -> Call:
        try:
            return self._decode_arguments(call) if call.kind == "args" else call
        except wire.WireError:
            return call

    def _decode_arguments(self, call: Call) -> Call:
        """Return a call with its arguments as values. Raises WireError if they name undefined functions."""
        keywords = tuple((name, self.wire.decode(arg, self._function_named)) for name, arg in call.keywords)
        groups = [[self.wire.decode(arg, self._function_named) for arg in group] for group in call.what]
        return call._replace(kind="values", what=groups, keywords=keywords)

    def _apply(self, call: Call) -> object:
        """Return the result of a call. Keyword arguments are passed with the last group of arguments."""
        function = self.references[self.order.name]
        *groups, last = call.what
        for args in groups:
            function = function(*args)
        return function(*last, **dict(call.keywords))

    def _run_call(self, call: Call) -> object:
        if call.kind == "values":  # the most frequent case, thousands of times per second
            return self._apply(call)
        match call:
            case Call("example", [*setup, last]):
                names = dict(self.references)
                for code in setup:
                    exec(code, names)
                return eval(*(last, names))  # so Python 3.11 always counts it as a nested call, not only at first
            case Call("args"):
                return self._apply(self._decode_arguments(call))
        return self.references[self.order.name]


def error_data(error: BaseException) -> ErrorData:
    """Return an exception as data: its type, its message, and the innermost line of the learner's code."""
    if isinstance(error, tuple(LIMITS_BY_EXCEPTION)):
        return {"limit": exceeded_limit(error)}
    own = [trace for trace in _tracebacks(error) if _is_learner_frame(trace.tb_frame)]
    location = (own[-1].tb_frame.f_code.co_filename[1:-1], own[-1].tb_lineno) if own else None
    return {"raised": type(error).__name__, "text": error_message(error), "place": location}


def call_in_frame(frame: FrameType) -> tuple[str, tuple[str, ...]]:
    """Return the name of the function that a frame runs, and the types of its arguments."""
    code = frame.f_code
    names = code.co_varnames[: min(code.co_argcount, MOST_SHOWN_ARGUMENTS)]
    return code.co_name, tuple(type_name(frame.f_locals[name]) for name in names if name in frame.f_locals)


def type_name(value: object) -> str:
    """Return the name of a value's type. For a tuple or list, add the type of the items if all have the same type.

    >>> type_name(2), type_name((2, 3)), type_name((2, "a"))
    ('int', 'tuple[int]', 'tuple')
    """
    kind = type(value).__name__
    kinds = (
        {type(item).__name__ for item in value}
        if isinstance(value, tuple | list) and kind in TYPES_WITH_ITEMS
        else set()
    )
    return f"{kind}[{kinds.pop()}]" if len(kinds) == 1 else kind


def error_message(error: BaseException) -> str:
    """Return the beginning of an exception's message, or "" if the exception's own methods raise another exception."""
    try:
        return str(error)[:2000]
    except (Exception, SystemExit):
        return ""


def exceeded_limit(error: BaseException) -> str:
    """Return the name of the limit that a call has exceeded."""
    return next(limit for kind, limit in LIMITS_BY_EXCEPTION.items() if isinstance(error, kind))


def _tracebacks(error: BaseException) -> Iterator[TracebackType]:
    trace = error.__traceback__
    while trace is not None:
        yield trace
        trace = trace.tb_next


def _is_learner_frame(frame: FrameType) -> bool:
    name = frame.f_code.co_filename
    return name[:1] == "<" and name[1:-1].isidentifier() and name not in NON_CELL_FILE_NAMES
