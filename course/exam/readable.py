"""What comes from a learner's functions, made fit to be read: as one line, and as code that can be pasted."""

from __future__ import annotations

import json
import re
from typing import Any

ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}")
MOST_JSON_PARTS = 1_000_000
FOLDERS = re.compile(r"(?<![\w.:/])/(?:[\w.@+-]+/)+(?=[\w.@+-])")

LONGEST_VALUE = 10_000


def printable(text: str, longest: int = 10_000) -> str:
    """Give a text without what does not print, nor addresses in memory, cut where nobody reads on."""
    masked = ADDRESS.sub("0x…", text[: 2 * longest])[:longest]
    line = "".join(char if char.isprintable() else "�" for char in masked)
    return line if len(text) <= longest else f"{line}…"


def one_line(text: object, longest: int = 400) -> str:
    """Give a text as one line that can be printed anywhere, cut where it is too long to read.

    >>> one_line("two \\n lines")
    'two lines'
    """
    return printable(" ".join(str(text)[: 4 * longest].split()), longest)


def from_inside(text: object, longest: int = 400) -> str:
    """Give what an answer's process says as one line, without folders: they tell where the grader is installed.

    >>> from_inside("<f at 0x7f12ab34cd56> of /usr/lib/python3/x.py, 1/2, 0xff")
    '<f at 0x…> of x.py, 1/2, 0xff'
    """
    return one_line(FOLDERS.sub("", str(text)[: 4 * longest]), longest)


def strict_json(data: bytes) -> Any:
    """Give decoded JSON; None if it is not JSON, or nested too deep or in too many parts to be an observation.

    A few megabytes of brackets would become a gigabyte of lists.
    """
    if data.count(b"[") + data.count(b"{") > MOST_JSON_PARTS:
        return None
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def code(value: object) -> str:
    """Give a value as the code that makes it; the members of sets in order, so that it is the same each time.

    >>> code(({"queen", "ace", "jack"}, {1: frozenset()}))
    "({'ace', 'jack', 'queen'}, {1: frozenset()})"
    """
    return printable(_code(value), LONGEST_VALUE)


def _code(value: object) -> str:
    kind = type(value)
    if kind in (set, frozenset) and value:
        members = f"{{{', '.join(sorted(map(_code, value)))}}}"  # type: ignore[call-overload]
        return members if kind is set else f"frozenset({members})"
    if kind is tuple and value:
        return f"({', '.join(map(_code, value))}{',' * (len(value) == 1)})"  # type: ignore[arg-type, call-overload]
    if kind is list:
        return f"[{', '.join(map(_code, value))}]"  # type: ignore[call-overload]
    if kind is dict:
        return f"{{{', '.join(f'{_code(key)}: {_code(of)}' for key, of in value.items())}}}"  # type: ignore[attr-defined]
    return repr(value)
