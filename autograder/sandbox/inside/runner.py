"""Runs one exercise's answer, in a child process of its own, and says what was observed.

It is told the inputs and how everything but the answer is defined; it is never told what should come out.
There are two namespaces, so that a learner's helper cannot disturb a reference: the learner's (helpers and
answers) and the references'. In both, an exercise's name means the one function that stands for it.
"""

from __future__ import annotations

import ast
import gc
import io
import json
import marshal
import random
import re
import signal
from collections.abc import Callable, Iterator
from functools import cache, reduce, wraps
from importlib import import_module
from types import CodeType, ModuleType
from typing import Any, Protocol

from course import effects

from . import wire

Names = dict[str, Any]
MOST_PRINTED = 100_000
ADDRESS = re.compile(r"0x[0-9a-fA-F]+")


wire_of = cache(wire.Wire)


def prepare(modules: list[ModuleType]) -> None:
    """Do once, in the process that children are forked from, what every child would do again."""
    for module in modules:
        wire_of(module)


class Connection(Protocol):
    def receive(self) -> bytes: ...
    def send(self, data: bytes) -> None: ...


class TimeUp(BaseException):
    """A call has used up its time."""


class PrintedTooMuch(BaseException):
    """A call has printed more than an observation holds."""


class Printed(io.StringIO):
    """What a call prints, up to a limit."""

    def write(self, text: str) -> int:
        if self.tell() + len(text) > MOST_PRINTED:
            raise PrintedTooMuch
        return super().write(text)


FAULTS = {
    TimeUp: "took too long",
    PrintedTooMuch: f"printed more than {MOST_PRINTED:,} characters",
    wire.TooLarge: "gave a value that is too large",
}


def main(connection: Connection) -> None:
    """Load what the request says, make its calls, and send the observations, facet by facet."""
    request = marshal.loads(connection.receive())
    gc.disable()
    random.seed(0)
    if hasattr(signal, "SIGPROF"):
        signal.signal(signal.SIGPROF, _time_is_up)
    bench = Bench(import_module(request["given"]), request)
    connection.send(json.dumps(bench.load(request["plan"])).encode())
    if bench.loaded:
        for facet in request["facets"]:
            for frame in bench.facet(facet, request["one_by_one"]):
                connection.send(frame)


class cpu_limit:
    """Raise TimeUp in the block once it has used `seconds` of CPU time, and again soon if it goes on."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds if hasattr(signal, "setitimer") else None

    def __enter__(self) -> None:
        if self.seconds is not None:
            signal.setitimer(signal.ITIMER_PROF, self.seconds, 0.05)

    def __exit__(self, *_: object) -> None:
        if self.seconds is not None:
            signal.setitimer(signal.ITIMER_PROF, 0)


def _time_is_up(_signal: int, _frame: object) -> None:
    raise TimeUp


class Bench:
    """The two namespaces, and the answer under observation."""

    def __init__(self, module: ModuleType, request: dict[str, Any]) -> None:
        self.name, self.request = request["answer"], request
        given = {name: getattr(module, name) for name in module.__all__}
        self.learner: Names = {"__name__": "__main__", **given}
        self.references: Names = {"__name__": "references", **given}
        self.wire = wire_of(module)
        self.log: list[Any] = []
        watched = {probe.__name__: self._watched(probe) for probe in getattr(module, "PROBES", ())}
        self.functions = self.wire.functions | watched
        self.names = {id(function): name for name, function in self.functions.items()}
        self.facet_of: dict[str, Any] = {}
        self.loaded = False
        self.late = 0

    def load(self, plan: list[tuple[Any, ...]]) -> dict[str, Any]:
        """Give what went wrong in loading: the answer's own error under "error", a line per helper under "helpers"."""
        report: dict[str, Any] = {"error": None, "helpers": []}
        for kind, name, source in plan:
            try:
                with cpu_limit(self.request["seconds"]), effects.scripted((), 0, Printed()):
                    getattr(self, f"_load_{kind}")(name, source)
            except BaseException as error:
                if kind == "answer" and name == self.name:
                    return report | {"error": self._story(error)}
                report["helpers"].append([name, self._story(error)])
        self.loaded = True
        self.names |= {id(self.references[name]): name for name in self.request["exercises"] if name in self.references}
        return report

    def _load_reference(self, name: str, code: CodeType) -> None:
        exec(code, self.references)
        self.learner[name] = self.references[name]

    def _load_helper(self, name: str, source: str) -> None:
        exec(compile(source, f"<{name}>", "exec", dont_inherit=True), self.learner)

    def _load_answer(self, name: str, source: str) -> None:
        self.learner.pop(name, None)
        for statement in ast.parse(source).body:
            if not isinstance(statement, ast.Expr):
                part = ast.Module([statement], [])
                exec(compile(part, f"<{name}>", "exec", dont_inherit=True), self.learner)
        if name not in self.learner:
            raise NameError(f"the cell of {name} does not define {name}")
        self.references[name] = self.learner[name]

    def _watched(self, probe: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(probe)
        def watched(*args: Any) -> Any:
            self.log.append([probe.__name__, *(self._tree(arg) for arg in args)])
            return probe(*args)

        return watched

    def _tree(self, value: object) -> wire.Tree:
        return self.wire.encode(value, lambda function: self.names.get(id(function)))

    def _function(self, name: str) -> object:
        return self.functions[name] if name in self.functions else self.references[name]

    def facet(self, facet: dict[str, Any], one_by_one: bool) -> Iterator[bytes]:
        """Give the observations of a facet's calls and the notes on them, as two frames (or two for each call)."""
        observations, notes = [], {}
        self.facet_of, calls = facet, facet["calls"]
        for index, call in enumerate(calls):
            observation, note = self._observe(call)
            observations.append(observation)
            if note:
                notes[index] = note
            if one_by_one:
                yield from (wire.text_of([observation]).encode(), json.dumps([note]).encode())
            if observation[0] == "fault" and observation[1] == FAULTS[TimeUp]:
                self.late += 1
                break
        if not one_by_one:
            yield from (wire.text_of(observations).encode(), json.dumps(notes).encode())

    def _observe(self, call: tuple[Any, ...]) -> tuple[list[Any], dict[str, Any]]:
        kind, what, typed, chance = call
        if self.late > 2:
            return ["fault", FAULTS[TimeUp]], {}
        self.log.clear()
        printed, note = Printed(), {}
        run = getattr(self, f"_run_{kind}")
        try:
            with cpu_limit(self.request["seconds"]), effects.scripted(typed, 0 if chance is None else chance, printed):
                seen = ["ok", self._tree(run(what))]
        except tuple(FAULTS) as fault:
            return ["fault", FAULTS[type(fault)]], {}
        except BaseException as error:
            seen, note = self._raised(error), {"story": self._story(error)}
        return self._with_effects(seen, printed.getvalue(), note)

    def _with_effects(self, seen: list[Any], text: str, note: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        if text and not self.facet_of["prints"]:
            note, text = note | {"printed": text[:200]}, ""
        if text or self.log:
            seen += [text, list(self.log)]
        return seen, note

    def _raised(self, error: BaseException) -> list[Any]:
        cls = type(error)
        name = cls.__name__ if self.wire.errors.get(cls.__name__) is cls else "a class of their own"
        return ["raised", name, self._tree(error.args) if self.facet_of["shows_args"] else None]

    def _run_value(self, _: object) -> object:
        return self.references[self.facet_of["name"]]

    def _run_args(self, groups: list[list[wire.Tree]]) -> object:
        values = [[self.wire.decode(arg, self._function) for arg in group] for group in groups]
        return reduce(lambda function, args: function(*args), values, self.references[self.facet_of["name"]])

    def _run_example(self, codes: list[CodeType]) -> object:
        names = dict(self.references)
        for code in codes[:-1]:
            exec(code, names)
        return eval(codes[-1], names)

    def _story(self, error: BaseException) -> str:
        """Give one line: the exception, and the innermost line of the learner's own that it came from."""
        text = ADDRESS.sub("0x…", str(error)[:300]).replace("\n", " ")
        lines = list(_learner_lines(error))
        where = f" (line {lines[-1][1]} of the cell of {lines[-1][0]})" if lines else ""
        return f"{type(error).__name__}{': ' if text else ''}{text}{where}"


def _learner_lines(error: BaseException) -> Iterator[tuple[str, int]]:
    if isinstance(error, TimeUp):
        return
    trace = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name[:1] == "<" and name[1:-1].isidentifier() and name not in ("<string>", "<stdin>"):
            yield name[1:-1], trace.tb_lineno
        trace = trace.tb_next
