"""Run one exercise's answer in a child process, and send the observations.

A child receives the inputs and all other definitions, but no expected results. A child has two namespaces, so that a
learner's helper cannot disturb a reference: one for the learner's helpers and answers, one for references. The name of
an exercise means the same function in both.
"""

from __future__ import annotations

import ast
import gc
import json
import random
import typing
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from time import process_time
from types import CodeType, ModuleType
from typing import Any, Protocol, TypeAlias

from course import effects
from course.data import decoder
from course.exam.calls import FacetOrder, Names
from course.exam.depth import allow_calls
from course.exam.observing import Observer, PrintedByCall, error_data, wire_of

from .answer_cell import compiled, parsed_body, used_elsewhere
from .masked import masked
from .orders import ChildRequest, Common, Request, Rest, Setup, StationRequest, Step, request_in
from .stand_in import StandIn
from .tickers import cpu_limit, heed_alarms, last_limit
from .withheld import NotHere, bring


def prepare(modules: list[ModuleType]) -> None:
    """Do the work once, in the process that children are forked from, that every child would otherwise repeat."""
    for module in modules:
        wire_of(module)
    for kind in (Request, ChildRequest):
        decoder(kind)


class Channel(Protocol):
    def receive(self) -> bytes: ...
    def send(self, *messages: bytes) -> None: ...


RequestedRun: TypeAlias = "tuple[Bench, Setup, Sequence[FacetOrder], bool]"  # the last one: each call by itself


def main(connection: Channel, station: Mapping[str, Loaded] | None = None) -> None:
    """Load the request's definitions, make its calls, and send the observations, facet by facet.

    In a child of a station, much of it has already been loaded. Such a child may run a group of answers.
    """
    received = connection.receive()
    gc.disable()
    heed_alarms()
    runs = requested_runs(connection, received) if station is None else group_runs(connection, received, station)
    for bench, setup, orders, one_by_one in runs:
        if setup.plan:
            begin_run(connection, bench, setup)
        send_observations(connection, bench, orders, one_by_one)


def requested_runs(connection: Channel, received: bytes) -> Iterator[RequestedRun]:
    """Yield one run after another. A request without definitions has more facets for the same run.

    Only plain answers share a process for their runs.
    """
    bench = None
    with suppress(EOFError):  # the grader has no more requests
        while True:
            request = request_in(Request, received)
            if bench is None or request.setup.plan:
                if bench:
                    bench.forget()
                    gc.collect()  # cycles could hold much memory
                bench = Bench(import_module(request.given), request.setup)
            orders = [bench.with_values(order) for order in request.orders]
            yield bench, request.setup, orders, request.one_by_one
            received = connection.receive()


def group_runs(connection: Channel, received: bytes, station: Mapping[str, Loaded]) -> Iterator[RequestedRun]:
    """Yield the runs of a station's child. After each run of a group, send its time."""
    answers, seconds = request_in(ChildRequest, received)
    for rest in answers:
        began, loaded = process_time(), station[rest.answer]
        loaded.begin(seconds)
        yield loaded.bench, loaded.setup(rest), loaded.orders, False
        loaded.bench.forget()
        if seconds is not None:
            connection.send(b"%f" % (process_time() - began))


def begin_run(connection: Channel, bench: Bench, setup: Setup) -> None:
    """Load the definitions of a run as if it were the first one, and send the errors."""
    random.seed(0)
    allow_calls()
    forget_types()
    connection.send(json.dumps(bench.load(setup)).encode())


def send_observations(
    connection: Channel, bench: Bench, orders: Sequence[FacetOrder], one_by_one: bool = False
) -> None:
    """Send the observations of facets, if the answer has been loaded.

    All arguments are decoded before the first call. So no two of them ever have the same `id`, as in a station's child.
    """
    if bench.loaded:
        for order in [bench.with_values(order) for order in orders]:
            frames = bench.facet(order, one_by_one)
            for observations, notes in zip(frames, frames, strict=True):
                connection.send(observations, notes)


def forget_types() -> None:
    """Empty the caches of `typing`. With them, `Dict[True]` would be the `Dict[1]` that another answer has made."""
    for clear in typing._cleanups:  # type: ignore[attr-defined]
        clear()


def common(packed: bytes) -> dict[str, Loaded]:
    """Load a station's request, by exercise."""
    random.seed(0)
    return {str(each.setup.answer): Loaded(each) for each in request_in(StationRequest, packed).exercises}


class Loaded:
    """The things loaded for all answers to an exercise: references, and calls with their arguments.

    The process that has it runs no answers. Each forked child changes only its own copy.
    """

    def __init__(self, common: Common) -> None:
        self.common, self.bench = common.setup, Bench(import_module(common.given), common.setup)
        self.later = {step[:2]: step for step in common.later}
        self.bench.load(common.setup)
        self.orders = [self.bench.with_values(order) for order in common.orders]

    def begin(self, seconds: float | None) -> None:
        """Prepare for an answer. In a group, a call has these seconds."""
        if seconds is not None:
            self.bench.limit, self.bench.seconds = last_limit, seconds

    def setup(self, rest: Rest) -> Setup:
        """Return the definitions that remain to be loaded."""
        plan = [self.later.get(step[:2], step) for step in rest.plan]
        return self.common._replace(plan=plan, answer=rest.answer)


class Bench(Observer):
    """The two namespaces, and the answer under observation."""

    def __init__(self, module: ModuleType, setup: Setup) -> None:
        for name, code in setup.modules:
            bring(name, code, module)
        super().__init__(module, cpu_limit, setup.seconds)
        given = {name: getattr(module, name) for name in module.__all__}
        self.learner: Names = {"__name__": "__main__", "display": display, "clear_output": display, **given}
        self.references = {"__name__": "references", **given}
        self.loaded, self.exercises = False, setup.exercises
        self.helpers: list[list[object]] = []

    def forget(self) -> None:
        """Remove all definitions."""
        self.learner.clear()
        self.references.clear()

    def load(self, setup: Setup) -> dict[str, Any]:
        """Load the definitions, and return errors: the answer's under "error", those of helpers under "helpers".

        `exec(*(…))` is counted as a nested call each time. Python 3.11 counts a plain `exec(…)` only the first times.
        """
        self.loaded, self.exercises = False, setup.exercises
        for step in setup.plan:
            try:
                self._load(step)
            except BaseException as error:
                if step.kind == "answer" and step.name == setup.answer:
                    return {"error": error_data(error), "helpers": self.helpers}
                self.helpers.append([step.name, error_data(error)])
        self.loaded = True
        known = [name for name in setup.exercises if name in self.references]
        self.names |= {id(self.references[name]): name for name in reversed(known)}  # the first name of an alias counts
        return {"error": None, "helpers": self.helpers}

    def _load(self, step: Step) -> None:
        match step:
            case Step("reference" | "support" as kind, name, CodeType() as code):
                exec(code, self.references)
                self.references[name] = masked(self.references[name], name)
                if kind == "reference":
                    self.learner[name] = self.references[name]
            case Step("unwritten", name):
                self.learner[name] = StandIn(name)
            case Step("helper", name, str(source)):
                for statement in parsed_body(source):
                    self._execute(statement, name)
            case Step("answer" | "own" as kind, name, str(source)):
                self._load_answer(name, source)
                if kind == "answer" or name not in self.references:
                    self.references[name] = self.learner[name]

    def _load_answer(self, name: str, source: str) -> None:
        """Run the statements of an answer. One that fails is skipped, unless others use what it would have defined."""
        self.learner.pop(name, None)
        missing: BaseException = NameError(f"the cell of {name} does not define {name}")
        for statement in parsed_body(source):
            try:
                self._execute(statement, name, name)
            except NotHere as error:  # perhaps a line below the answer that only tries it
                missing = error
            except BaseException as error:
                if isinstance(error, MemoryError) or used_elsewhere(statement, source) - self.learner.keys():
                    raise
                self.helpers.append([name, error_data(error)])
        if name not in self.learner:
            raise missing

    def _execute(self, statement: ast.stmt, label: str, exercise: str = "") -> None:
        """Run a statement. The names of all exercises but this one keep their values, whatever it binds."""
        others = [name for name in self.exercises if name != exercise]
        before = {name: self.learner[name] for name in others if name in self.learner}
        try:
            with self.limit(self.seconds), effects.scripted((), 0, PrintedByCall()):
                exec(*(compiled(statement, label), self.learner))
        finally:
            for name in others:
                self.learner.pop(name, None)
            self.learner.update(before)


def display(*things: object, **options: object) -> None:
    """Show nothing, as there is no notebook."""
