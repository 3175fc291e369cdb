"""Shorten long code by its structure: only complete parts are left out."""

from __future__ import annotations

import ast

from course.show.bits import MORE
from course.syntax import UNPARSED

PART_GAP = "ˍ"  # a name that stands for left-out parts until the code is text again
LOOP_HEAD = "[_ "  # turns the first line of a loop into an expression


def shortened(code: str, room: int) -> str:
    """Return code with some parts left out, in about `room` characters.

    >>> shortened("tuple(append(tile, chain, '<') for tile in turned if tile.right == left)", 55)
    "tuple(append(tile, chain, '<') for tile in turned if …)"
    >>> shortened("for place, card in enumerate(sorted(trick, key=worth))", 40)
    'for place, card in enumerate(…)'
    """
    is_head = code.startswith("for ")
    before, after = (LOOP_HEAD, "]") if is_head else ("", "")
    text = f"{before}{code}{after}"
    while len(text) > room + len(before) + len(after) and (result := _part(text, len(text) - room)):
        text = f"{text[: result[0]]}{PART_GAP}{text[result[1] :]}"
    text = text[len(before) : len(text) - len(after)].replace(PART_GAP, MORE)
    return text if len(text) <= 2 * room else f"{text[:room].rpartition(' ')[0]} {MORE}"


def _part(text: str, excess: int) -> tuple[int, int] | None:
    """Return the start and end of the part to leave out next: the smallest that saves enough, or the largest."""
    try:
        tree = ast.parse(text, mode="eval")
    except UNPARSED:  # the text is a pattern, not an expression
        return None
    nodes = [node for node in ast.walk(tree.body) if isinstance(node, ast.expr) and node is not tree.body]
    remaining = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    remaining |= {id(node.target) for node in ast.walk(tree) if isinstance(node, ast.comprehension)}
    ends = [
        _extent_of(text, node) for node in nodes if id(node) not in remaining and not isinstance(node, ast.GeneratorExp)
    ]
    parts = sorted((end - begin, begin, end) for begin, end in ends if end - begin > 1)
    chosen = next((part for part in parts if part[0] > excess), parts[-1] if parts else None)
    return chosen[1:] if chosen else None


def _extent_of(text: str, node: ast.expr) -> tuple[int, int]:
    """Return the start and end of a node in a line, in characters. (Python counts bytes.)"""
    line = text.encode()
    return len(line[: node.col_offset].decode()), len(line[: node.end_col_offset].decode())
