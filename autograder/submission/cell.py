"""A cell's text as statements: parsed, with IPython's own lines blanked, and never run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.text import one_line
from course.syntax import first_line, tree_of

LARGEST_CELL = 100_000
MOST_LINES = 5_000
MOST_DEPTH = 150


# What was matched is never given back: 99,000 blanks would be tried in every way to share them.
MAGIC = re.compile(r"^(\s*+)(?:[%!?].*|\w[\w.]*+\?{1,2}\s*+|[\w, ]++=\s*+[%!].*)$")
KEPT_CELL_MAGICS = ("%%time", "%%timeit", "%%capture", "%%prun")
LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class Parsed:
    """A cell's statements and lines (IPython's own blanked), or the problem that keeps it from parsing."""

    statements: Sequence[ast.stmt] = ()
    lines: Sequence[str] = ()
    problem: str = ""

    def text(self, kept: Iterable[ast.stmt]) -> str:
        """Give the text of some statements, each on the line that it has in the cell."""
        rows: dict[int, str] = {}
        for node in kept:
            for row, piece in enumerate(self._pieces(node), first_line(node)):
                rows[row] = f"{rows[row]}; {piece}" if row in rows else piece
        return "\n".join(rows.get(row, "") for row in range(1, max(rows, default=0) + 1))

    def _pieces(self, node: ast.stmt) -> list[str]:
        """Give the lines of a statement, without others that stand on them."""
        pieces = list(self.lines[first_line(node) - 1 : node.end_lineno])
        pieces[-1] = pieces[-1].encode()[: node.end_col_offset].decode()
        pieces[0] = pieces[0].encode()[node.col_offset :].decode()
        return pieces


def parsed(source: Any) -> Parsed:
    """Give a cell, parsed; never an exception."""
    if not isinstance(source, str):
        return Parsed(problem="the cell holds no text")
    lines = LINE_END.split(source)
    if len(source) > LARGEST_CELL or len(lines) > MOST_LINES:
        return Parsed(problem="the cell is too long")
    if lines[0].startswith("%%") and not lines[0].startswith(KEPT_CELL_MAGICS):
        return Parsed()
    found = Parsed()
    for attempt in _attempts(lines):
        found = _parsed(attempt)
        if not found.problem:
            break
    return found


def _attempts(lines: list[str]) -> Iterator[list[str]]:
    """Give the lines as they are, then without IPython's own: at the margin only (`%` is an operator too), or all."""
    yield lines
    yield [MAGIC.sub("pass", line) if line[:1].strip() else line for line in lines]
    yield [MAGIC.sub(r"\1pass", line) for line in lines]


def _parsed(lines: list[str]) -> Parsed:
    try:
        tree = tree_of("\n".join(lines))
    except SyntaxError as error:
        return Parsed(problem=one_line(f"{error.msg}, line {error.lineno}"))
    except (ValueError, RecursionError, MemoryError) as error:
        return Parsed(problem=f"it cannot be read ({type(error).__name__})")
    return Parsed(problem="it is nested too deep") if _depth(tree) > MOST_DEPTH else Parsed(tree.body, lines)


def _depth(tree: ast.AST) -> int:
    depth, level = 0, [tree]
    while level:
        depth, level = depth + 1, [part for node in level for part in ast.iter_child_nodes(node)]
    return depth
