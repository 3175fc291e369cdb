"""What comes from a learner's process, made fit to be read: data decoded, text for a table, a page or a terminal."""

from __future__ import annotations

import json
import re
from typing import Any
from unicodedata import normalize

ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}")
FORMULA = frozenset("=+-@")
MOST_JSON_PARTS = 1_000_000
FOLDERS = re.compile(r"(?<![\w.:/])/(?:[\w.@+-]+/)+(?=[\w.@+-])")


def printable(text: str, longest: int = 10_000) -> str:
    """Give a text without what does not print, nor addresses in memory, cut where nobody reads on."""
    masked = ADDRESS.sub("0x…", text[: 2 * longest])[:longest]
    line = "".join(char if char.isprintable() else "�" for char in masked)
    return line if len(text) <= longest else f"{line}…"


def shown_name(name: str) -> str:
    """Give the name of a file as it is shown wherever one is: what neither prints nor is text is replaced.

    >>> shown_name("a\\x1b[2J\\udcff.py")
    'a�[2J?.py'
    """
    return printable(name.encode(errors="replace").decode())


def one_line(text: object, longest: int = 400) -> str:
    """Give a text as one line that can be printed anywhere, cut where it is too long to read.

    >>> one_line("two \\n lines")
    'two lines'
    """
    return printable(" ".join(str(text)[: 4 * longest].split()), longest)


def counted(count: int, thing: str) -> str:
    """Give a number of things in words.

    >>> counted(1, "call"), counted(2402, "call")
    ('1 call', '2,402 calls')
    """
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


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


def safe_cell(item: object) -> object:
    """Give what can stand in a cell of a spreadsheet, where a text that begins like a formula would be one.

    >>> safe_cell("= 1"), safe_cell("\uff1d1"), safe_cell("a = 1"), safe_cell(-1)
    ("'= 1", "'＝1", 'a = 1', -1)
    """
    return f"'{item}" if isinstance(item, str) and normalize("NFKC", item.lstrip())[:1] in FORMULA else item
