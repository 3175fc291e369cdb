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
import os
import random
import signal
from collections.abc import Callable, Iterator
from functools import cache, reduce, wraps
from importlib import import_module
from types import CodeType, ModuleType
from typing import Any, Protocol

from course import effects

from . import wire
from .orders import Call, FacetOrder, Setup, Step, request_of
from .withheld import NotHere, bring

try:
    import resource
except ModuleNotFoundError:  # Windows: nothing is graded there, but what learners run imports this, too
    resource = None  # type: ignore[assignment]

Names = dict[str, Any]
MOST_PRINTED = 100_000
MOST_FAULTS, MOST_RINGS = 2, 10
IGNORED_THE_LIMIT = 124  # the exit status of a process whose answer goes on however often it is told to stop
OWN_CLASS = "a class of their own"


wire_of = cache(wire.Wire)


def prepare(modules: list[ModuleType]) -> None:
    """Do once, in the process that children are forked from, what every child would do again."""
    for module in modules:
        wire_of(module)


class Channel(Protocol):
    def receive(self) -> bytes: ...
    def send(self, data: bytes) -> None: ...


class CallTimeUp(BaseException):
    """A call has used up its time, or has slept it away."""


class PrintedTooMuch(BaseException):
    """A call has printed more than an observation holds."""


class PrintedByCall(io.StringIO):
    """What a call prints, up to a limit."""

    def write(self, text: str) -> int:
        if self.tell() + len(text) > MOST_PRINTED:
            raise PrintedTooMuch
        return super().write(text)

    def close(self) -> None:
        """Do nothing: what was printed is still to be read."""


# What breaks a call off, by the limit that it has reached.
FAULTS: dict[type[BaseException], str] = {
    CallTimeUp: "time",
    PrintedTooMuch: "printing",
    wire.TooLarge: "size",
    MemoryError: "memory",
}
ToldStory = dict[str, Any]


def main(connection: Channel) -> None:
    """Load what the request says, make its calls, and send the observations, facet by facet."""
    request = request_of(connection.receive())
    gc.disable()
    random.seed(0)
    heed_alarms()
    bench = Bench(import_module(request.given), request.setup)
    connection.send(json.dumps(bench.load()).encode())
    if bench.loaded:
        for order in request.orders:
            for frame in bench.facet(order, request.one_by_one):
                connection.send(frame)


def heed_alarms() -> None:
    """Have `cpu_limit` heard, for good."""
    for alarm in ("SIGPROF", "SIGALRM"):
        if hasattr(signal, alarm):
            signal.signal(getattr(signal, alarm), _time_is_up)


class cpu_limit:
    """Raise CallTimeUp in the block once it has used `seconds` of CPU time, and again soon if it goes on.

    The clock on the wall is far more patient, and there for what sleeps: who never gave up the processor of their own
    accord has waited for it, since the machine is busy, and is waited for.
    """

    rings = gave_up = 0

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds if hasattr(signal, "setitimer") else None

    def __enter__(self) -> None:
        if self.seconds is not None:
            cpu_limit.rings, cpu_limit.gave_up = 0, times_given_up()
            signal.setitimer(signal.ITIMER_PROF, self.seconds, 0.05)
            signal.setitimer(signal.ITIMER_REAL, 3 * self.seconds + 1, 0.05)

    def __exit__(self, *_: object) -> None:
        if self.seconds is not None:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)


def times_given_up() -> int:
    """Give how often this process has waited for anything but the processor."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw


def _time_is_up(rung: int, _frame: object) -> None:
    if rung == signal.SIGALRM and times_given_up() == cpu_limit.gave_up:
        return
    cpu_limit.rings += 1
    if cpu_limit.rings > MOST_RINGS:
        os._exit(IGNORED_THE_LIMIT)
    raise CallTimeUp


class Bench:
    """The two namespaces, and the answer under observation."""

    def __init__(self, module: ModuleType, setup: Setup) -> None:
        self.setup = setup
        for name, code in setup.modules:
            bring(name, code, module)
        given = {name: getattr(module, name) for name in module.__all__}
        self.learner: Names = {"__name__": "__main__", **given}
        self.references: Names = {"__name__": "references", **given}
        self.wire = wire_of(module)
        self.log: list[Any] = []
        watched = {probe.__name__: self._watched(probe) for probe in getattr(module, "PROBES", ())}
        self.functions = self.wire.functions | watched
        self.names = {id(function): name for name, function in self.functions.items()}
        self.order = FacetOrder("", False, False, ())
        self.loaded = False
        self.faults: list[list[Any]] = []

    def load(self) -> dict[str, Any]:
        """Give what went wrong in loading: the answer's own error under "error", a story per helper under "helpers"."""
        report: dict[str, Any] = {"error": None, "helpers": []}
        for step in self.setup.plan:
            try:
                with cpu_limit(self.setup.seconds), effects.scripted((), 0, PrintedByCall()):
                    self._load(step)
            except BaseException as error:
                if step.kind == "answer" and step.name == self.setup.answer:
                    return report | {"error": story_of(error)}
                report["helpers"].append([step.name, story_of(error)])
        self.loaded = True
        self.names |= {id(self.references[name]): name for name in self.setup.exercises if name in self.references}
        return report

    def _load(self, step: Step) -> None:
        match step:
            case Step("reference", name, CodeType() as code):
                exec(code, self.references)
                self.learner[name] = self.references[name]
            case Step("helper", name, str(source)):
                exec(compile(source, f"<{name}>", "exec", dont_inherit=True), self.learner)
            case Step("answer", name, str(source)):
                self._load_answer(name, source)

    def _load_answer(self, name: str, source: str) -> None:
        self.learner.pop(name, None)
        missing: BaseException = NameError(f"the cell of {name} does not define {name}")
        for statement in ast.parse(source).body:
            try:
                self._load_statement(name, statement)
            except NotHere as error:  # a trial behind the answer, perhaps
                missing = error
        if name not in self.learner:
            raise missing
        self.references[name] = self.learner[name]

    def _load_statement(self, name: str, statement: ast.stmt) -> None:
        if not _is_trial(statement, name):
            part = ast.Module([statement], [])
            exec(compile(part, f"<{name}>", "exec", dont_inherit=True), self.learner)

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

    def facet(self, order: FacetOrder, one_by_one: bool) -> Iterator[bytes]:
        """Give the observations of a facet's calls and the notes on them, as two frames (or two for each call)."""
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
        printed, chance = PrintedByCall(), 0 if call.chance is None else call.chance
        try:
            with cpu_limit(self.setup.seconds), effects.scripted(call.typed, chance, printed):
                seen, note = self._outcome(call)
        except tuple(FAULTS) as fault:
            return ["fault", _limit(fault)], {}
        except BaseException:  # from an exception's own methods
            seen, note = ["raised", OWN_CLASS, None], {}
        return self._with_effects(seen, printed.getvalue(), note)

    def _outcome(self, call: Call) -> tuple[list[Any], dict[str, Any]]:
        """Give what came of a call: its value, or the exception with a story."""
        try:
            return ["ok", self._tree(self._run(call))], {}
        except tuple(FAULTS):
            raise
        except BaseException as error:
            return self._raised(error), {"story": story_of(error)}

    def _with_effects(self, seen: list[Any], text: str, note: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        if text and not self.order.prints:
            note, text = note | {"printed": text[:200]}, ""
        if text or self.log:
            seen += [text, list(self.log)]
        return seen, note

    def _raised(self, error: BaseException) -> list[Any]:
        cls = type(error)
        name = cls.__name__ if self.wire.errors.get(cls.__name__) is cls else OWN_CLASS
        return ["raised", name, self._tree(error.args) if self.order.shows_args else None]

    def _run(self, call: Call) -> object:
        match call:
            case Call("example", [*setup, last]):
                names = dict(self.references)
                for code in setup:
                    exec(code, names)
                return eval(last, names)
            case Call("args", groups):
                values = [[self.wire.decode(arg, self._function) for arg in group] for group in groups]
                return reduce(lambda function, args: function(*args), values, self.references[self.order.name])
        return self.references[self.order.name]


def story_of(error: BaseException) -> ToldStory:
    """Give an exception as data: what it is and says, and the innermost line of the learner's own that it came from."""
    if isinstance(error, tuple(FAULTS)):
        return {"limit": _limit(error)}
    lines = list(_learner_lines(error))
    return {"raised": type(error).__name__, "text": _text(error), "place": lines[-1] if lines else None}


def _is_trial(statement: ast.stmt, name: str) -> bool:
    """Tell whether a statement only tries something out: an expression, save a call such as `penalty.register(...)`."""
    match statement:
        case ast.Expr(ast.Call(func=ast.Attribute(value=ast.Name(id=owner)))):
            return owner != name
        case ast.Expr():
            return True
    return False


def _text(error: BaseException) -> str:
    try:
        return str(error)[:2000]
    except Exception:
        return ""


def _limit(error: BaseException) -> str:
    return next(limit for kind, limit in FAULTS.items() if isinstance(error, kind))


def _learner_lines(error: BaseException) -> Iterator[tuple[str, int]]:
    trace = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name[:1] == "<" and name[1:-1].isidentifier() and name not in ("<string>", "<stdin>"):
            yield name[1:-1], trace.tb_lineno
        trace = trace.tb_next
