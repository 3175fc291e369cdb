"""Make text from a learner's functions and calls readable: as one line, or as code to paste."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from types import ModuleType
from typing import Any

from course.diagnoses.failure import SLOW
from course.exam.calls import Call
from course.exam.observation import Observation
from course.exam.standard import IteratedItems
from course.exam.wire import Wire
from course.limits import LONGEST_VALUE, MOST_JSON_PARTS, MOST_PRINTED_CHARACTERS
from course.syntax import expression_of, global_names_in

MEMORY_ADDRESS_PATTERN = re.compile(r"\b0x[0-9a-fA-F]{6,}")
FOLDERS_PATTERN = re.compile(r"(?<![\w.:/])/(?:[\w.@+-]+/)+(?=[\w.@+-])")
LIMIT_DESCRIPTIONS = {
    "time": SLOW.value,
    "printing": f"printed more than {MOST_PRINTED_CHARACTERS:,} characters",
    "size": "made a value that is too large",
    "memory": "used too much memory",
}


def printable_text(text: str, longest: int = 10_000) -> str:
    """Return a text without unprintable characters and memory addresses; a very long text is cut."""
    masked = MEMORY_ADDRESS_PATTERN.sub("0x…", text[: 2 * longest])[:longest]
    line = masked if masked.isprintable() else "".join(char if char.isprintable() else "�" for char in masked)
    return line if len(text) <= longest else f"{line}…"


def one_line(text: object, longest: int = 400) -> str:
    """Return a text as one printable line; a very long text is cut.

    >>> one_line("two \\n lines")
    'two lines'
    """
    return printable_text(" ".join(str(text)[: 4 * longest].split()), longest)


def line_without_folders(text: object, longest: int = 400) -> str:
    """Return a text from an answer's process as one line, without the names of folders.

    Folders are removed, because they show where the grader is installed.

    >>> line_without_folders("<f at 0x7f12ab34cd56> of /usr/lib/python3/x.py, 1/2, 0xff")
    '<f at 0x…> of x.py, 1/2, 0xff'
    """
    return one_line(FOLDERS_PATTERN.sub("", str(text)[: 4 * longest]), longest)


def decode_strict_json(data: bytes) -> Any:
    """Return decoded JSON, or None if it is invalid or too large.

    Brackets are counted before decoding, because a few megabytes of brackets would become lists that need a gigabyte of
    memory.
    """
    if data.count(b"[") + data.count(b"{") > MOST_JSON_PARTS:
        return None
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def value_code(value: object) -> str:
    """Return code for a value. The members of sets are sorted, so that equal values have the same code.

    >>> value_code(({"queen", "ace", "jack"}, {1: frozenset()}))
    "({'ace', 'jack', 'queen'}, {1: frozenset()})"
    >>> from datetime import date
    >>> value_code((Counter("aa"), deque((1,), 2), date(2026, 1, 1)))
    "(Counter({'a': 2}), deque([1], 2), date(2026, 1, 1))"
    >>> class Color(Enum):
    ...     RED = 1
    >>> value_code([Color.RED])
    '[Color.RED]'
    """
    return printable_text(_code_of_value(value), LONGEST_VALUE)


def _code_of_value(value: object) -> str:
    kind = type(value)
    if kind in (set, frozenset) and value:
        members = f"{{{', '.join(sorted(map(_code_of_value, value)))}}}"  # type: ignore[call-overload]
        return members if kind is set else f"frozenset({members})"
    if kind is tuple and value:
        return f"({', '.join(map(_code_of_value, value))}{',' * (len(value) == 1)})"  # type: ignore[arg-type, call-overload]
    if kind is list:
        return f"[{', '.join(map(_code_of_value, value))}]"  # type: ignore[call-overload]
    if kind is dict:
        return f"{{{', '.join(f'{_code_of_value(key)}: {_code_of_value(of)}' for key, of in value.items())}}}"  # type: ignore[attr-defined]
    if kind is IteratedItems:
        return value.as_code(_code_of_value)  # type: ignore[attr-defined, no-any-return]
    return _container_code(value, kind)


def _container_code(value: Any, kind: type) -> str:
    """Return the code of a container from `collections`, or of any other value."""
    if isinstance(value, Enum):
        return repr(value) if not repr(value).startswith("<") else f"{kind.__name__}.{value.name}"
    if is_dataclass(kind):
        names = tuple(field.name for field in fields(kind) if field.repr)
    else:
        names = tuple(getattr(kind, "_fields", ())) if issubclass(kind, tuple) else ()
    if names:
        return _instance_code(value, kind, names)
    if kind is deque:
        return f"deque({_code_of_value(list(value))}{'' if value.maxlen is None else f', {value.maxlen}'})"
    if kind is defaultdict:  # its default factory is not observed
        return f"defaultdict(None, {_code_of_value(dict(value))})"
    if kind in (Counter, OrderedDict):
        return f"{kind.__name__}({_code_of_value(dict(value))})"
    return repr(value).replace("datetime.", "") if kind.__module__ == "datetime" else repr(value)


def _instance_code(value: object, kind: type, names: tuple[str, ...]) -> str:
    """Return the code of an instance with fields. If the author of its class wrote a `repr`, return its text.

    Fields that a frozen class computes are left out, because they cannot be passed.
    """
    parts, text = {each: getattr(value, each) for each in names}, repr(value)
    if text == f"{kind.__name__}({', '.join(f'{each}={part!r}' for each, part in parts.items())})":
        is_frozen = is_dataclass(kind) and kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
        computed = {field.name for field in fields(kind) if not field.init} if is_frozen else set[str]()
        given = (f"{each}={_code_of_value(part)}" for each, part in parts.items() if each not in computed)
        return f"{kind.__name__}({', '.join(given)})"
    if text == f"{kind.__name__}({', '.join(map(repr, parts.values()))})":
        return f"{kind.__name__}({', '.join(map(_code_of_value, parts.values()))})"
    return text


# ------------------------------------------------------------------------------------------------ calls


def call_code(wire: Wire, name: str, call: Call, prints: bool) -> str:
    """Return a call as code, such as `flip(Domino(1, 2))`, or as a `transcript` if it reads input or prints text."""
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
    return _with_module_names(wire, code)


def imports_for(wire: Wire, code: str) -> tuple[str, ...]:
    """Return the imports that code from `call_code` needs for names that the unit does not export."""
    names = sorted(global_names_in(code) - wire.given.keys()) if expression_of(code) else []
    return tuple(f"from {wire.homes[name]} import {name}" for name in names if name in wire.homes)


def _with_module_names(wire: Wire, code: str) -> str:
    """Return code in which names of the standard library have their module in front, if the unit exports the module."""
    modules = {name: home for name, home in wire.homes.items() if isinstance(wire.given.get(home), ModuleType)}
    tree = expression_of(code) if modules else None
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in modules] if tree else []
    text = code.encode()
    for node in sorted(names, key=lambda node: -node.col_offset):
        text = b"%s%s.%s" % (text[: node.col_offset], modules[node.id].encode(), text[node.col_offset :])
    return text.decode()


def outcome_code(observed: Observation, prints: bool) -> str:
    """Return the result of a call as code. The call must not have raised an exception."""
    return f"({value_code(observed.value)}, {value_code(observed.printed)})" if prints else value_code(observed.value)


def arguments_code(after: Sequence[object]) -> str:
    """Return the arguments after a call as code. Several arguments are written as a tuple."""
    return value_code(after[0]) if len(after) == 1 else value_code(tuple(after))
