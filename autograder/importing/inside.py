"""Record what the tests of a notebook call. `recording.py` runs the text of this module in the notebook's kernel."""

from __future__ import annotations

import functools
import json
import random
import re
import sys
from collections.abc import Callable
from importlib.util import find_spec
from types import BuiltinFunctionType, FrameType, FunctionType, ModuleType
from unittest import TestCase

PLAIN_TYPES = (type(None), bool, int, float, complex, str, bytes)
MOST_RECORDED, LONGEST_RECORDED, DEEPEST_PLAIN = 300, 20_000, 12


def is_plain(value: object, depth: int = 0) -> bool:
    """Return whether a value is a literal: numbers but nan and infinity, text, and containers of such values."""
    kind = type(value)
    if kind in PLAIN_TYPES:
        return value == value and abs(value) != float("inf") if kind in (float, complex) else True  # type: ignore[arg-type]
    if depth > DEEPEST_PLAIN:
        return False
    if kind is dict:
        return all(is_plain(part, depth + 1) for pair in value.items() for part in pair)  # type: ignore[attr-defined]
    return kind in (list, tuple, set) and all(is_plain(part, depth + 1) for part in value)  # type: ignore[attr-defined]


def described(value: object) -> dict[str, str]:
    """Return a value as data: its code, or the name of a function, or the name of its type."""
    if is_plain(value) and len(code := repr(value)) <= LONGEST_RECORDED:
        return {"code": code}
    if isinstance(value, FunctionType | BuiltinFunctionType) or value in (int, float, str, bool, len):
        return {"function": value.__name__}  # type: ignore[attr-defined]
    return {"type": f"{type(value).__module__}.{type(value).__qualname__}".removeprefix("builtins.")}


def offer_nose() -> None:
    """Offer `nose.tools`, which many notebooks import, although nose does not work with new versions of Python."""
    tools, case = ModuleType("nose.tools"), TestCase()
    for name in (name for name in dir(case) if name.startswith("assert")):
        setattr(tools, re.sub("([A-Z])", lambda letter: f"_{letter[1].lower()}", name), getattr(case, name))
    tools.eq_, tools.ok_ = case.assertEqual, case.assertTrue  # type: ignore[attr-defined]
    sys.modules.setdefault("nose", ModuleType("nose"))
    sys.modules.setdefault("nose.tools", tools)


class MissingModule(ModuleType):
    """A module that is not installed here, or a part of it. Its import works, and calling it fails."""

    def __getattr__(self, name: str) -> MissingModule:
        if name.startswith("__"):
            raise AttributeError(name)
        return MissingModule(self.__name__)

    def __call__(self, *_: object, **__: object) -> None:
        raise ModuleNotFoundError(f"No module named {self.__name__!r}")


def offer_missing(*names: str) -> None:
    """Offer the modules among these that are not installed here, so that a cell runs that only imports them."""
    for name in names:
        top = name.partition(".")[0]
        if isinstance(sys.modules.get(top), MissingModule) or not (top in sys.modules or find_spec(top)):
            sys.modules[top] = sys.modules[name] = MissingModule(top)


class CallRecorder:
    """Records calls at depth 0 while a test runs, with the arguments before and after each call."""

    def __init__(self, names: dict[str, object], seed: int) -> None:
        self.names, self.depth, self.is_testing, self.out = names, 0, False, sys.stdout
        self.calls = list[dict[str, object]]()
        self.values = dict[str, dict[str, str]]()
        random.seed(seed)

    def wrap(self, *names: str) -> None:
        """Record the calls of functions from now on."""
        for name in names:
            if isinstance(function := self.names.get(name), FunctionType) and not hasattr(function, "__wrapped__"):
                self.names[name] = self._recorded(name, function)

    def _recorded(self, name: str, function: FunctionType) -> Callable[..., object]:
        @functools.wraps(function)
        def recorded(*args: object, **named: object) -> object:
            return self._call(name, function, *args, **named)

        return recorded

    def _call(self, name: str, function: FunctionType, *args: object, **named: object) -> object:
        if self.depth or not self.is_testing or len(self.calls) >= MOST_RECORDED:
            return function(*args, **named)
        given = [described(arg) for arg in args]
        call: dict[str, object] = {"name": name, "line": self._line(), "args": given}
        call["named"] = {key: described(arg) for key, arg in named.items()}
        self.calls.append(call)
        self.depth += 1
        try:
            result = function(*args, **named)
            call["result"] = described(result)
            return result
        except BaseException as error:
            call["raised"] = type(error).__name__
            raise
        finally:
            self.depth -= 1
            call["after"] = [described(arg) for arg in args]

    def _line(self) -> int:
        """Return the line of the test cell that runs now."""
        frame: FrameType | None = sys._getframe(2)
        line = 0
        while frame:
            if frame.f_globals is self.names and frame.f_code.co_name == "<module>":
                return frame.f_lineno
            frame = frame.f_back
        return line

    def begin(self, *names: str) -> None:
        """Begin a test: note the values of variables, and record calls."""
        self.values = {name: described(self.names[name]) for name in names if name in self.names}
        self.calls, self.is_testing, self.depth = [], True, 0

    def end(self) -> None:
        """End a test, and print what was recorded."""
        self.is_testing = False
        print(json.dumps({"calls": self.calls, "values": self.values}), file=self.out, flush=True)
