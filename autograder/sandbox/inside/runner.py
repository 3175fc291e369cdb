"""Run answers in a child process, one after another, and send the observations.

A child receives the inputs and all other definitions, but no expected results. A child has two namespaces, one for the
learner's helpers and answers, and one for references. Because of this, a learner's helper cannot disturb a reference.
The name of an exercise means the same function in both namespaces.
"""

from __future__ import annotations

import ast
import gc
import json
import random
import typing
from collections.abc import Callable
from functools import cache
from importlib import import_module
from time import process_time
from types import CodeType, FunctionType, ModuleType
from typing import Any
from weakref import WeakSet

from course import effects
from course.data import decoder_of
from course.exam.calls import Names
from course.exam.observing import CallLimiter, Observer, PrintedByCall, allow_nested_calls, error_data, wire_of_module
from course.values import Todo

from .frames import Connection, NameNotAvailable, load_withheld_module
from .orders import LoadStep, Request, Setup, unpacked_orders, unpacked_request
from .tickers import cpu_limit, enable_cpu_limits, exiting_cpu_limit


def prepare(modules: list[ModuleType]) -> None:
    """Build the wire formats of these modules before the first fork, so that no child has to build them again."""
    for module in modules:
        wire_of_module(module)
    decoder_of(Request)


def main(connection: Connection) -> None:
    """Load each answer's definitions, make its calls, and send the observations, facet by facet.

    Each answer starts in the same state, as if it were the first one. All arguments are decoded before the first call,
    so that no two arguments ever have the same `id`.
    """
    request = unpacked_request(Request, connection.receive())
    gc.disable()
    enable_cpu_limits()
    module = import_module(request.given)
    for setup, orders in request.runs:
        began = process_time()
        random.seed(0)
        allow_nested_calls()
        for clear in typing._cleanups:  # type: ignore[attr-defined]
            clear()  # otherwise `Dict[True]` would be the `Dict[1]` that another answer has made
        bench = AnswerObserver(module, setup, cpu_limit if request.seconds is None else exiting_cpu_limit)
        connection.send(json.dumps(bench.load(setup)).encode())
        for order in [bench.with_decoded_arguments(order) for order in unpacked_orders(orders)] if bench.loaded else ():
            connection.send(*bench.observe_facet(order))
        if request.seconds is not None:
            bench.learner.clear()
            bench.references.clear()
            connection.send(b"%f" % (process_time() - began))


class AnswerObserver(Observer):
    """An observer of an answer's calls, with the two namespaces in which the answer runs."""

    def __init__(self, module: ModuleType, setup: Setup, limit: CallLimiter = cpu_limit) -> None:
        for name, code in setup.modules:
            load_withheld_module(name, code, module)
        super().__init__(module, limit, setup.seconds)
        given = {name: getattr(module, name) for name in module.__all__}
        self.learner: Names = {"__name__": "__main__", "display": display, "clear_output": display, **given}
        self.references = {"__name__": "references", **given}
        self.loaded, self.exercises = False, setup.exercises
        self.helpers: list[list[object]] = []

    def load(self, setup: Setup) -> dict[str, Any]:
        """Load the definitions.

        Return a dictionary with the answer's error (or None) under "error", and the helpers' errors under "helpers".
        The code uses `exec(*(…))`, because Python 3.11 counts a plain `exec(…)` as a nested call only the first few
        times that it runs.
        """
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

    def _load(self, step: LoadStep) -> None:
        match step:
            case LoadStep("reference" | "support" as kind, name, CodeType() as code):
                exec(code, self.references)
                self.references[name] = as_plain_function(self.references[name], name)
                if kind == "reference":
                    self.learner[name] = self.references[name]
            case LoadStep("unwritten", name):
                self.learner[name] = UnwrittenPlaceholder(name)
                self.references.setdefault(name, self.learner[name])
            case LoadStep("helper", name, str(source)):
                for statement in parsed_statements(source):
                    self._execute(statement, name)
            case LoadStep("answer" | "own" as kind, name, str(source)):
                self._load_answer(name, source)
                if kind == "answer" or name not in self.references:
                    self.references[name] = self.learner[name]

    def _load_answer(self, name: str, source: str) -> None:
        """Run the statements of an answer.

        A statement that fails is skipped, unless other statements use a name that it would have defined.
        """
        self.learner.pop(name, None)
        missing: BaseException = NameError(f"the cell of {name} does not define {name}")
        skipped = list[list[object]]()
        for statement in parsed_statements(source):
            try:
                self._execute(statement, name, name)
            except NameNotAvailable as error:  # perhaps a line below the answer that only tries it
                missing = error
            except BaseException as error:
                if isinstance(error, MemoryError) or names_used_elsewhere(statement, source) - self.learner.keys():
                    raise
                missing = error
                skipped.append([name, error_data(error)])
        if name not in self.learner:
            raise missing
        self.helpers += skipped

    def _execute(self, statement: ast.stmt, label: str, exercise: str = "") -> None:
        """Run a statement.

        The names of all exercises except `exercise` keep their values, even if the statement defines them.
        """
        others = [name for name in self.exercises if name != exercise]
        before = {name: self.learner[name] for name in others if name in self.learner}
        try:
            with self.limit(self.seconds), effects.scripted((), 0, PrintedByCall()):
                exec(*(compiled_statement(statement, label), self.learner))
        finally:
            for name in others:
                self.learner.pop(name, None)
            self.learner.update(before)


def display(*things: object, **options: object) -> None:
    """Do nothing instead of showing things, because an answer does not run in a notebook here."""


DATACLASS_ANNOTATIONS = {"ClassVar", "InitVar", "KW_ONLY"}


@cache
def parsed_statements(source: str) -> list[ast.stmt]:
    """Return the statements of a source.

    The statements are cached, because answers that run together load the same helpers.
    """
    return ast.parse(source).body


@cache
def compiled_statement(statement: ast.stmt, label: str) -> CodeType:
    """Return the code of a statement.

    As in Python 3.14, annotations are not computed, unless a dataclass needs them.
    """
    names = (getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(statement))
    is_read = isinstance(statement, ast.ClassDef) and not DATACLASS_ANNOTATIONS.isdisjoint(names)
    flags = 0 if is_read else annotations.compiler_flag
    return compile(ast.Module([statement], []), f"<{label}>", "exec", flags, dont_inherit=True)


def names_used_elsewhere(statement: ast.stmt, source: str) -> set[str]:
    """Return the names that a definition, an import or an assignment defines and that other statements use."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            given = {name}
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            given = {(alias.asname or alias.name).partition(".")[0] for alias in names}
        case ast.Assign(targets=targets):
            given = {target.id for target in targets if isinstance(target, ast.Name)}
        case _:
            return set()
    others = (node for each in parsed_statements(source) if each is not statement for node in ast.walk(each))
    return given & {node.id for node in others if isinstance(node, ast.Name)}


_wrappers: WeakSet[Callable[..., object]] = WeakSet()


def as_plain_function(thing: object, name: str) -> object:
    """Wrap a callable object in a plain function with this name.

    Plain functions, classes, and values that are not callable are returned unchanged.

    >>> from functools import partial
    >>> at_least_three = as_plain_function(partial(max, 3), "at_least_three")
    >>> at_least_three(5), at_least_three.__name__
    (5, 'at_least_three')
    """
    if not callable(thing) or isinstance(thing, type) or (isinstance(thing, FunctionType) and thing not in _wrappers):
        return thing

    def call(*args: object, **kwargs: object) -> object:
        return as_plain_function(thing(*args, **kwargs), name)

    call.__name__ = call.__qualname__ = name
    _wrappers.add(call)
    return call


class NotWritten(NotImplementedError):
    """Raised when code uses an unwritten exercise. The exception's message is the exercise's name."""


class UnwrittenPlaceholder(Todo):
    """A placeholder for an unwritten exercise. The placeholder raises NotWritten when it is used."""

    def __init__(self, name: str) -> None:
        self._name = name

    def _error(self) -> Exception:
        return NotWritten(self._name)
