"""Calls and their results, as code to paste."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from types import ModuleType

from course.diagnoses.failure import SLOW
from course.exam.calls import Call
from course.exam.observation import Observation
from course.exam.readable import value_code
from course.exam.wire import Wire
from course.limits import MOST_PRINTED
from course.syntax import expression_of, names_in

BY_LIMIT = {
    "time": SLOW.value,
    "printing": f"printed more than {MOST_PRINTED:,} characters",
    "size": "made a value that is too large",
    "memory": "used too much memory",
}


def call_code(wire: Wire, name: str, call: Call, prints: bool) -> str:
    """Return a call as code: `flip(Domino(1, 2))`, or a `transcript` if the call reads input or prints text."""
    if call.kind == "value":
        return name
    groups = [[value_code(wire.decode(arg)) for arg in group] for group in call.what]
    groups[-1] += [f"{keyword}={value_code(wire.decode(arg))}" for keyword, arg in call.keywords]
    code = name + "".join(f"({', '.join(group)})" for group in groups)
    if call.typed or call.chance is not None or prints:
        script = [f"typed={call.typed!r}"] * bool(call.typed)
        script += [f"chance={call.chance!r}"] * (call.chance is not None)
        function = [f"lambda: {code}"] if call.keywords else [name, *(arg for group in groups for arg in group)]
        code = f"transcript({', '.join([*function, *script])})"
    return _qualified(wire, code)


def imports_for(wire: Wire, code: str) -> tuple[str, ...]:
    """Return the imports of names in code from `call_code` that the unit does not export."""
    names = sorted(names_in(code) - wire.given.keys()) if expression_of(code) else []
    return tuple(f"from {wire.homes[name]} import {name}" for name in names if name in wire.homes)


def _qualified(wire: Wire, code: str) -> str:
    """Return code in which names of the standard library have their module in front, if the unit exports the module."""
    modules = {name: home for name, home in wire.homes.items() if isinstance(wire.given.get(home), ModuleType)}
    tree = expression_of(code) if modules else None
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in modules] if tree else []
    text = code.encode()
    for node in sorted(names, key=lambda node: -node.col_offset):
        text = b"%s%s.%s" % (text[: node.col_offset], modules[node.id].encode(), text[node.col_offset :])
    return text.decode()


def outcome(observed: Observation, prints: bool) -> str:
    """Return the result of a call as code. The call must not have raised an exception."""
    return f"({value_code(observed.value)}, {value_code(observed.printed)})" if prints else value_code(observed.value)


def arguments_code(after: Sequence[object]) -> str:
    """Return the arguments after a call as code: a single argument as it is, several as a tuple."""
    return value_code(after[0]) if len(after) == 1 else value_code(tuple(after))
