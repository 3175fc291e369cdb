"""Observes a call: its value or exception, printed text, and called probes, as plain data.

Graders and learners without references use this same code. The caller provides the limits.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from functools import cache, wraps
from types import ModuleType
from typing import Any

from course import effects
from course.exam import wire
from course.exam.calls import Call, FacetOrder

Names = dict[str, Any]
Limit = Callable[[float | None], AbstractContextManager[object]]
MOST_PRINTED = 100_000
MOST_FAULTS = 2
EXAMPLE = "<example>"  # the file that an example's code is of
NO_CELLS = ("<string>", "<stdin>", EXAMPLE)

wire_of = cache(wire.Wire)


class TimeUp(BaseException):
    """A call has used up its time, by computing or sleeping."""


class PrintedTooMuch(BaseException):
    """A call has printed more than an observation can hold."""


class PrintedByCall(io.StringIO):
    """The text that a call prints, up to a limit."""

    def write(self, text: str) -> int:
        if self.tell() + len(text) > MOST_PRINTED:
            raise PrintedTooMuch
        return super().write(text)

    def close(self) -> None:
        """Do nothing: the printed text is read later."""


# What breaks a call off, by the limit that it has reached.
FAULTS: dict[type[BaseException], str] = {
    TimeUp: "time",
    PrintedTooMuch: "printing",
    wire.TooLarge: "size",
    MemoryError: "memory",
}
ToldStory = dict[str, Any]


class Observer:
    """Makes calls, each within its limit; `references` has the one function that stands for each exercise."""

    def __init__(self, module: ModuleType, limit: Limit, seconds: float | None) -> None:
        self.limit, self.seconds = limit, seconds
        self.references: Names = {}
        self.wire = wire_of(module)
        self.log: list[Any] = []
        watched = {probe.__name__: self._watched(probe) for probe in getattr(module, "PROBES", ())}
        self.functions = self.wire.functions | watched
        self.names = {id(function): name for name, function in self.functions.items()}
        self.order = FacetOrder("", False, False, ())
        self.faults: list[list[Any]] = []

    def _watched(self, probe: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(probe)
        def watched(*args: Any) -> Any:
            self.log.append([probe.__name__, *(self._tree(arg) for arg in args)])
            return probe(*args)

        return watched

    def _tree(self, value: object) -> wire.Tree:
        return self.wire.encode(value, self._name_of)

    def _name_of(self, function: object) -> str | None:
        return self.names.get(id(function))

    def _function(self, name: str) -> object:
        return self.functions[name] if name in self.functions else self.references[name]

    def facet(self, order: FacetOrder, one_by_one: bool) -> Iterator[bytes]:
        """Yield the observations of a facet's calls and the notes on them, as two frames (or two per call)."""
        observations, notes = [], {}
        self.order = order
        for index, call in enumerate(order.calls):
            observation, note = self._observe(call)
            observations.append(observation)
            if note:
                notes[index] = note
            if one_by_one:
                yield from (wire.text_of([observation]).encode(), json.dumps([note]).encode())
            if observation[0] == "fault":
                self.faults.append(observation)
                break
        if not one_by_one:
            yield from (wire.text_of(observations).encode(), json.dumps(notes).encode())

    def _observe(self, call: Call) -> tuple[list[Any], dict[str, Any]]:
        if len(self.faults) > MOST_FAULTS:
            return self.faults[-1], {}
        self.log.clear()
        call = self._with_values(call) if self.order.changes else call
        printed, chance = PrintedByCall(), 0 if call.chance is None else call.chance
        try:
            with self.limit(self.seconds), effects.scripted(call.typed, chance, printed):
                outcome, note = self._outcome(call)
                after = self._after(call) if self.order.changes else []
        except tuple(FAULTS) as fault:
            return ["fault", _limit(fault)], {}
        except BaseException:  # from an exception's own methods
            outcome, note, after = ["raised", wire.OWN_CLASS, None], {}, []
        return self._with_effects(outcome, printed.getvalue(), after, note)

    def _outcome(self, call: Call) -> tuple[list[Any], dict[str, Any]]:
        """Return the outcome of a call: its value, or the exception as data."""
        interrupted: list[BaseException] | None = [] if self.order.iterates else None
        try:
            tree = self.wire.encode(self._run(call), self._name_of, interrupted)
            return ["ok", tree], self._note(interrupted[0]) if interrupted else {}
        except tuple(FAULTS):
            raise
        except BaseException as error:
            return self._raised(error), self._note(error)

    def _after(self, call: Call) -> list[wire.Tree]:
        """Return a call's mutable arguments as they are now."""
        if call.kind != "values":
            return []
        return list(filter(self.wire.is_mutable, map(self._tree, call.given)))

    def _note(self, error: BaseException) -> dict[str, Any]:
        return {"story": story_of(error)}

    def _with_effects(
        self, outcome: list[Any], text: str, after: list[wire.Tree], note: dict[str, Any]
    ) -> tuple[list[Any], dict[str, Any]]:
        if text and not self.order.prints:
            note, text = note | {"printed": text[:200]}, ""
        if text or self.log or after:
            outcome += [text, list(self.log)]
        if after:
            outcome.append(after)
        return outcome, note

    def _raised(self, error: BaseException) -> list[Any]:
        return ["raised", self.wire.error_name(error), self._tree(error.args) if self.order.shows_args else None]

    def with_values(self, order: FacetOrder) -> FacetOrder:
        """Return a facet's calls with their arguments decoded, except those that name undefined functions."""
        return order._replace(calls=[self._with_values(call) for call in order.calls])

    def _with_values(self, call: Call) -> Call:
        try:
            return self._decoded(call) if call.kind == "args" else call
        except wire.WireError:
            return call

    def _decoded(self, call: Call) -> Call:
        """Return a call with its arguments as values. Raises WireError if they name undefined functions."""
        keywords = tuple((name, self.wire.decode(arg, self._function)) for name, arg in call.keywords)
        return call._replace(kind="values", what=self._values(call.what), keywords=keywords)

    def _values(self, groups: Iterable[Iterable[wire.Tree]]) -> list[list[Any]]:
        return [[self.wire.decode(arg, self._function) for arg in group] for group in groups]

    def _applied(self, groups: Iterable[Iterable[Any]]) -> object:
        function = self.references[self.order.name]
        for args in groups:
            function = function(*args)
        return function

    def _applied_by_name(self, call: Call) -> object:
        """Return the result of a call with keywords: they go with the last arguments."""
        function = self.references[self.order.name]
        *groups, last = call.what
        for args in groups:
            function = function(*args)
        return function(*last, **dict(call.keywords))

    def _run(self, call: Call) -> object:
        if call.kind == "values":  # most are: thousands a second
            return self._applied_by_name(call) if call.keywords else self._applied(call.what)
        match call:
            case Call("example", [*setup, last]):
                names = dict(self.references)
                for code in setup:
                    exec(code, names)
                return eval(last, names)
            case Call("args", groups):
                return self._run(self._decoded(call)) if call.keywords else self._applied(self._values(groups))
        return self.references[self.order.name]


def story_of(error: BaseException) -> ToldStory:
    """Return an exception as data: its type, its message, and the innermost line of the learner's code."""
    if isinstance(error, tuple(FAULTS)):
        return {"limit": _limit(error)}
    lines = list(_learner_lines(error))
    return {"raised": type(error).__name__, "text": text_said(error), "place": lines[-1] if lines else None}


def text_said(error: BaseException) -> str:
    """Return the start of an exception's message, or "" if even that raises."""
    try:
        return str(error)[:2000]
    except (Exception, SystemExit):
        return ""


def _limit(error: BaseException) -> str:
    return next(limit for kind, limit in FAULTS.items() if isinstance(error, kind))


def _learner_lines(error: BaseException) -> Iterator[tuple[str, int]]:
    trace = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name[:1] == "<" and name[1:-1].isidentifier() and name not in NO_CELLS:
            yield name[1:-1], trace.tb_lineno
        trace = trace.tb_next
