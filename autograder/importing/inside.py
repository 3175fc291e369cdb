"""Record what the tests of a notebook call. `recording.py` runs the text of this module in the notebook's kernel."""

from __future__ import annotations

import builtins
import copy
import functools
import json
import random
import re
import signal
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import redirect_stdout, suppress
from importlib.util import find_spec
from io import StringIO
from itertools import count
from time import monotonic
from types import BuiltinFunctionType, FrameType, FunctionType, GeneratorType, ModuleType
from unittest import TestCase

LITERAL_TYPES = (type(None), bool, int, float, complex, str, bytes)
MOST_RECORDED, LONGEST_RECORDED, DEEPEST_PLAIN = 300, 20_000, 12
MOST_CHANGED, MOST_LEAVES, MOST_OF_VARIABLE = 12, 6, 40  # calls of a test, and leaves of a result and a variable
SECONDS_FOR_A_RUN, SECONDS_FOR_CHANGES = 2, 8  # of a test with a changed result, and of all of them
TOLERANCES = [1e-12, *(float(f"{factor}e-{power}") for power in range(10, 0, -1) for factor in range(1, 10))]
NO_RESULT = object()


def is_literal(value: object, depth: int = 0) -> bool:
    """Return whether a value is a literal: text, a number except nan and infinity, or a container of literals."""
    kind = type(value)
    if kind in LITERAL_TYPES:
        return value == value and abs(value) != float("inf") if kind in (float, complex) else True  # type: ignore[arg-type]
    if depth > DEEPEST_PLAIN:
        return False
    if kind is dict:
        return all(is_literal(part, depth + 1) for pair in value.items() for part in pair)  # type: ignore[attr-defined]
    return kind in (list, tuple, set) and all(is_literal(part, depth + 1) for part in value)  # type: ignore[attr-defined]


def code_of_value(value: object) -> str:
    """Return a literal value as code. The items of a set are sorted, because their order differs from run to run.

    >>> code_of_value({"b": {3, 1}, "a": (1,)}), code_of_value(set())
    ("{'b': {1, 3}, 'a': (1,)}", 'set()')
    """
    match value:
        case dict():
            return f"{{{', '.join(f'{code_of_value(key)}: {code_of_value(item)}' for key, item in value.items())}}}"
        case set() if value:
            return f"{{{', '.join(sorted(map(code_of_value, value), key=lambda code: (len(code), code)))}}}"
        case list():
            return f"[{', '.join(map(code_of_value, value))}]"
        case tuple():
            return f"({', '.join(map(code_of_value, value))}{',' * (len(value) == 1)})"
    return repr(value)


def value_description(value: object) -> dict[str, str]:
    """Return a value as data: its code if it is a literal, or else the name of the function or of the value's type."""
    if is_literal(value):
        code = code_of_value(value)
        return {"code": code} if len(code) <= LONGEST_RECORDED else {"type": f"{type(value).__name__} that is too long"}
    if isinstance(value, FunctionType | BuiltinFunctionType) or value in (int, float, str, bool, len):
        return {"function": value.__name__}  # type: ignore[attr-defined]
    return {"type": f"{type(value).__module__}.{type(value).__qualname__}".removeprefix("builtins.")}


def add_nose_module() -> None:
    """Make `nose.tools` importable.

    Many notebooks import this module, but `nose` does not work with new versions of Python.
    """
    tools, case = ModuleType("nose.tools"), TestCase()
    for name in (name for name in dir(case) if name.startswith("assert")):
        setattr(tools, re.sub("([A-Z])", lambda letter: f"_{letter[1].lower()}", name), getattr(case, name))
    tools.eq_, tools.ok_ = case.assertEqual, case.assertTrue  # type: ignore[attr-defined]
    sys.modules.setdefault("nose", ModuleType("nose"))
    sys.modules.setdefault("nose.tools", tools)


class MissingModule(ModuleType):
    """A stand-in for a module that is not installed here, or for a part of it.

    The stand-in can be imported, but a call of it fails.
    """

    def __getattr__(self, name: str) -> MissingModule:
        if name.startswith("__"):
            raise AttributeError(name)
        return MissingModule(self.__name__)

    def __call__(self, *_: object, **__: object) -> None:
        raise ModuleNotFoundError(f"No module named {self.__name__!r}")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = __call__


def add_missing_modules(*names: str) -> None:
    """Make stand-ins for those modules that are not installed here, so that cells can import them."""
    for name in names:
        top = name.partition(".")[0]
        if isinstance(sys.modules.get(top), MissingModule) or not (top in sys.modules or find_spec(top)):
            sys.modules[top] = sys.modules[name] = MissingModule(top)


def map_leaves(value: object, change: Callable[[object], object]) -> object:
    """Return a literal value with `change` applied to each of its leaves (the values in it that are not containers).

    The keys of dicts do not change.

    >>> map_leaves({"a": [1, (2,)]}, lambda leaf: leaf + 1)
    {'a': [2, (3,)]}
    """
    match value:
        case list() | tuple() | set():
            return type(value)([map_leaves(item, change) for item in value])
        case dict():
            return {key: map_leaves(item, change) for key, item in value.items()}
    return change(value)


def other_leaves(leaf: object) -> list[object]:
    """Return values that differ from a leaf in various ways.

    A test that compares the leaf fails with each of these values.

    >>> other_leaves("aB"), other_leaves(3), other_leaves(True), other_leaves(None)
    (['aB?', '?aB', 'aB ', 'Ab'], [7, -1], [False], [True])
    """
    match leaf:
        case str():
            return [each for each in (leaf + "?", "?" + leaf, leaf + " ", leaf.swapcase()) if each != leaf]
        case int() | float() | complex() if not isinstance(leaf, bool):
            return [leaf + step * (1 + abs(leaf)) for step in (1, -1)]
        case bytes():
            return [leaf + b"?"]
    return [not leaf]


def with_other_leaf(value: object, index: int) -> Iterator[object]:
    """Yield copies of a value in which the leaf with this index is different.

    >>> [*with_other_leaf([3, (None,)], 1)]
    [[3, (True,)]]
    """
    leaves = list[object]()
    map_leaves(value, leaves.append)
    for other in other_leaves(leaves[index]):
        numbers = count()
        yield map_leaves(value, lambda leaf, other=other, numbers=numbers: other if next(numbers) == index else leaf)  # type: ignore[misc]


def with_other_items(value: object) -> Iterator[object]:
    """Yield copies of a container: one with an additional item, and one without one of its items.

    >>> [*with_other_items([1, 2])], [*with_other_items({"a": 1})]
    ([[1, 2, 2], [1]], [{'a': 1, '?': 0}, {}])
    """
    match value:
        case list() | tuple():
            yield type(value)([*value, *(value[-1:] or [0])])
            yield value[:-1]
        case set():
            yield value | {"?"}
        case dict():
            yield {**value, "?": 0}
            yield dict([*value.items()][:-1])


def shift_numbers(value: object, distance: float) -> object:
    """Return a value with `distance` added to all numbers. For numbers above 1, the distance is relative."""
    is_number = (int, float).__contains__
    return map_leaves(value, lambda leaf: leaf + distance * max(1, abs(leaf)) if is_number(type(leaf)) else leaf)  # type: ignore[operator, arg-type, call-overload]


def compared_part(value: object, refuses: Callable[[object], bool], most: int = MOST_LEAVES) -> dict[str, object]:
    """Return which part of a value a test compares, and with what tolerance.

    `refuses(other)` returns whether the test fails if the value is `other` instead.

    >>> compared_part([3, 1], lambda other: sorted(other) != [1, 3])
    {'sees': 'any order'}
    >>> compared_part(0.25, lambda other: round(other, 2) != 0.25)
    {'sees': 'all', 'tolerance': 0.004}
    """
    leaves = list[object]()
    map_leaves(value, leaves.append)
    chosen = range(len(leaves))[:: -(-len(leaves) // most) or 1]
    refused = [all(map(refuses, with_other_leaf(value, index))) for index in chosen]
    items = [refuses(each) for each in with_other_items(value) if each != value]
    if not any(refused or items):
        return {"sees": "property" if any(items) or refuses(None if value is not None else 0) else "nothing"}
    turned = type(value)(value[::-1]) if isinstance(value, list | tuple) else value
    if all(refused) and turned != value and not refuses(turned):
        return {"sees": "any order"}
    if not all(refused) or (len(refused) < 2 and not all(items)):
        return {"sees": "items", "leaves": refused}
    tolerance = 0.0
    for distance in TOLERANCES if float in map(type, leaves) else ():
        others = [shift_numbers(value, sign * distance) for sign in (1, -1)]
        if others[0] == value or all(map(refuses, others)):
            break
        tolerance = distance
    return {"sees": "all", "tolerance": tolerance}


def recording_generator(
    generator: Generator[object, object, object], items: list[object]
) -> Generator[object, object, None]:
    """Yield the items of a generator, and add them to `items`.

    If a value was sent to the generator, NO_RESULT is added instead of the next item.
    """
    sent: object = None
    with suppress(StopIteration):
        while True:
            item = generator.send(sent)
            items.append(item if sent is None else NO_RESULT)
            sent = yield item


class NoTimeLeft(Exception):
    """Raised when the time to repeat a test with changed results is over."""


def raise_timeout(*_: object) -> None:
    """Raise TimeoutError, to stop a test that takes too long."""
    raise TimeoutError


class CallRecorder:
    """Records the calls that a test itself makes (depth 0), with the arguments before and after each call.

    After a test, the recorder runs the test many times, each time with one changed result, to find out what the test
    compares.
    """

    def __init__(self, names: dict[str, object], seed: int) -> None:
        self.names, self.seed, self.depth, self.is_testing, self.out = names, seed, 0, False, sys.stdout
        self.calls, self.results = list[dict[str, object]](), list[object]()
        self.values, self.before = dict[str, dict[str, str]](), dict[str, object]()
        self.changed: tuple[str, object] = ("", None)
        self.result = ""  # of the last expression of a test of Otter Assign
        random.seed(seed)

    def _recording_function(self, name: str, function: FunctionType) -> Callable[..., object]:
        @functools.wraps(function)
        def recording_call(*args: object, **named: object) -> object:
            return self._call_and_record(name, function, *args, **named)

        return recording_call

    def _call_and_record(self, name: str, function: FunctionType, *args: object, **named: object) -> object:
        if self.depth or not self.is_testing or len(self.calls) >= MOST_RECORDED:
            return function(*args, **named)
        given = [value_description(arg) for arg in args]
        call: dict[str, object] = {"name": name, "line": self._test_line(), "args": given}
        call["named"] = {key: value_description(arg) for key, arg in named.items()}
        new = self.changed[1] if self.changed[0] == call_key(call) else None
        self.calls.append(call)
        self.results.append(NO_RESULT)
        typing = builtins.input
        call["typed"] = lines = list[str]()
        builtins.input = lambda *prompt: [lines.append(str(typing(*prompt))), lines[-1]][1]  # type: ignore[func-returns-value, assignment, return-value]
        self.depth += 1
        try:
            if new is NO_RESULT:
                return function(*copy.deepcopy(args), **copy.deepcopy(named))
            result = function(*args, **named)
            call["result"] = value_description(result)
            if isinstance(result, GeneratorType):
                self.results[-1] = items = list[object]()
                return iter(new[0]) if new else recording_generator(result, items)  # type: ignore[index, call-overload]
            self.results[-1] = copy.deepcopy(result) if is_literal(result) else NO_RESULT
            return new[0] if new else result  # type: ignore[index]
        except BaseException as error:
            call["raised"], call["message"] = type(error).__name__, str(error)
            raise
        finally:
            builtins.input = typing
            self.depth -= 1
            call["after"] = [value_description(arg) for arg in args]

    def _test_line(self) -> int:
        """Return the line of the test cell that runs now."""
        frame: FrameType | None = sys._getframe(2)
        while frame:
            if frame.f_globals is self.names and frame.f_code.co_name == "<module>":
                return frame.f_lineno
            frame = frame.f_back
        return 0

    def begin_test(self, functions: list[str], variables: list[str]) -> None:
        """Prepare for a test: store the values of these variables, and start to record calls of these functions."""
        for name in functions:
            if isinstance(function := self.names.get(name), FunctionType) and not hasattr(function, "__wrapped__"):
                self.names[name] = self._recording_function(name, function)
        self.values = {name: value_description(self.names[name]) for name in variables if name in self.names}
        self.before = {name: copy.deepcopy(self.names[name]) for name, value in self.values.items() if "code" in value}
        self.calls, self.results, self.is_testing, self.depth = [], [], True, 0

    def end_test(self, code: str = "", *variables: str) -> None:
        """After a test, run the test's code again to find out what the test compares, and print the record as JSON."""
        self.is_testing, self.comparison = False, dict[str, object]()
        calls, results = self.calls, self.results
        with suppress(NoTimeLeft):
            self._note_comparisons(code, *variables)
        for call, items in zip(calls, results, strict=True):
            if "result" in call and value_description(items) != call["result"] and is_literal(items):
                call["items"] = code_of_value(items)
            if str(call.get("message", "")) not in code:  # the test compares no message
                call["message"] = ""
        print(
            json.dumps({"calls": calls, "values": self.values, "comparison": self.comparison}),
            file=self.out,
            flush=True,
        )

    def _note_comparisons(self, code: str, *variables: str) -> None:
        """Note which changed results of calls, and which changed values of variables, a test refuses."""
        signal.signal(signal.SIGALRM, raise_timeout)
        self.deadline = monotonic() + SECONDS_FOR_CHANGES
        calls, results, keys = self.calls, self.results, [*map(call_key, self.calls)]

        def refuses(key: str = "", *result: object, **others: object) -> bool:
            """Return whether the test makes the same calls, but fails, if a result or a variable is changed."""
            text = self._rerun_test(code, (key, result or NO_RESULT), others)
            return text != expected and [*map(call_key, self.calls)] == keys[: len(self.calls)]

        expected = self._rerun_test(code, ("", None), {}) if code else None
        if expected is None:
            return
        for call, key, result in [*zip(calls, keys, results, strict=True)][:MOST_CHANGED]:
            if is_literal(result):
                call["comparison"] = compared_part(result, functools.partial(refuses, key))
            if call["after"] != call["args"]:
                call["inspects"] = refuses(key)
        for name in (name for name in variables if name in self.before):
            self.comparison[name] = compared_part(
                self.before[name],
                lambda other, name=name: refuses(**{name: other}),  # type: ignore[misc]
                MOST_OF_VARIABLE,
            )

    def _rerun_test(self, code: str, changed: tuple[str, object], values: dict[str, object]) -> str | None:
        """Run a test again. Return the text of the test's result, or None if the test fails."""
        if monotonic() > self.deadline:
            raise NoTimeLeft
        saved, self.changed, self.result = dict(self.names), changed, ""
        self.names.update(copy.deepcopy(self.before) | copy.deepcopy(values))
        self.calls, self.results, self.is_testing, self.depth = [], [], True, 0
        random.seed(self.seed)
        signal.setitimer(signal.ITIMER_REAL, SECONDS_FOR_A_RUN)
        try:
            with redirect_stdout(StringIO()):
                exec(code, self.names)
            return self.result
        except BaseException:
            return None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self.is_testing, self.changed = False, ("", None)
            for name in self.names.keys() - saved.keys():
                del self.names[name]
            self.names.update(saved)


def call_key(call: dict[str, object]) -> str:
    """Return a text that is equal for calls of the same function with the same arguments."""
    return str((call["name"], call["args"], call["named"]))
