"""Text that comes from outside, made fit for a table, a page or a terminal."""

from __future__ import annotations

import re

ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}")
FOLDERS = re.compile(r"(?<![\w.:/])/(?:[\w.@+-]+/)+(?=[\w.@+-])")


def one_line(text: object, longest: int = 400) -> str:
    """Give a text as one line that can be printed anywhere, cut where it is too long to read."""
    words = " ".join(str(text)[: 4 * longest].split())
    line = "".join(char if char.isprintable() else "�" for char in words)
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def without_places(text: str) -> str:
    """Give a text without addresses in memory and without folders: they differ from run to run and tell secrets.

    >>> without_places("<f at 0x7f12ab34cd56> of /usr/lib/python3/x.py, 1/2, 0xff")
    '<f at 0x…> of x.py, 1/2, 0xff'
    """
    return FOLDERS.sub("", ADDRESS.sub("0x…", text))
