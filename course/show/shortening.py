"""Long code, shortened by its structure: whole parts of it are left out, and never half a word."""

from __future__ import annotations

import ast

from course.show.bits import MORE
from course.syntax import UNPARSED

PART_GAP = "ˍ"  # a name that stands for what is left out, until all is text
LOOP_HEAD = "[_ "  # makes an expression of the head of a loop


def shortened(code: str, room: int) -> str:
    """Return code without some of its parts, in about `room` characters.

    >>> shortened("tuple(append(tile, chain, '<') for tile in turned if tile.right == left)", 55)
    "tuple(append(tile, chain, '<') for tile in turned if …)"
    >>> shortened("for place, card in enumerate(sorted(trick, key=worth))", 40)
    'for place, card in enumerate(…)'
    """
    is_head = code.startswith("for ")
    before, after = (LOOP_HEAD, "]") if is_head else ("", "")
    text = f"{before}{code}{after}"
    while len(text) > room + len(before) + len(after) and (found := _part(text, len(text) - room)):
        text = f"{text[: found[0]]}{PART_GAP}{text[found[1] :]}"
    text = text[len(before) : len(text) - len(after)].replace(PART_GAP, MORE)
    return text if len(text) <= 2 * room else f"{text[:room].rpartition(' ')[0]} {MORE}"


def _part(text: str, excess: int) -> tuple[int, int] | None:
    """Return from where to where the part stands that is left out next: the smallest that is enough, or the largest."""
    try:
        tree = ast.parse(text, mode="eval")
    except UNPARSED:  # a pattern
        return None
    nodes = [node for node in ast.walk(tree.body) if isinstance(node, ast.expr) and node is not tree.body]
    kept = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    kept |= {id(node.target) for node in ast.walk(tree) if isinstance(node, ast.comprehension)}
    ends = [_extent_of(text, node) for node in nodes if id(node) not in kept and not isinstance(node, ast.GeneratorExp)]
    parts = sorted((end - begin, begin, end) for begin, end in ends if end - begin > 1)
    chosen = next((part for part in parts if part[0] > excess), parts[-1] if parts else None)
    return chosen[1:] if chosen else None


def _extent_of(text: str, node: ast.expr) -> tuple[int, int]:
    """Return from where to where a node stands in a line: Python counts in bytes."""
    line = text.encode()
    return len(line[: node.col_offset].decode()), len(line[: node.end_col_offset].decode())
