"""Python files of authors that are parsed and never run: solutions, mistakes and right answers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from autograder.toml import read_text
from autograder.units.pack import UnitError
from course.syntax import bound_names, docstring_behind, first_line, lines_of


def written_statements(path: Path) -> Iterator[tuple[ast.stmt, str, str]]:
    """Yield a file's top-level statements, each with docstring and text. Raises UnitError if it does not parse."""
    text = read_text(path, UnitError)
    try:
        body = ast.parse(text).body
    except SyntaxError as error:
        raise UnitError(f"{path}:{error.lineno or 1}: SyntaxError: {error.msg}") from None
    lines, behind = lines_of(text), [*body[1:], ast.Pass()]
    for node, after in zip(body, behind, strict=False):
        yield node, docstring_behind(node, after), "\n".join(lines[first_line(node) - 1 : node.end_lineno])


def location_of(path: Path, name: str) -> str:
    """Return a file with the line of the last statement that defines a name, or else its first line."""
    rows = (node.lineno for node, _, _ in written_statements(path) if name in bound_names(node))
    return f"{path}:{max(rows, default=1)}"


def location_with(path: Path, *words: str) -> str:
    """Return `file:line` for the first line with one of these words, the earlier words first; without any, line 1."""
    lines = lines_of(read_text(path, UnitError))
    rows = (row for word in words for row, line in enumerate(lines, 1) if word in line)
    return f"{path}:{next(rows, 1)}"


@dataclass(frozen=True)
class WrittenCell:
    """A cell of `solutions/`: the number of its first line, its `# %%` line, and the lines below."""

    line: int
    head: str
    lines: tuple[str, ...]

    @property
    def is_commented(self) -> bool:
        """Return whether each line of the cell must be a comment: in texts, and in cells for notebooks only."""
        is_quoted = "".join(self.lines).lstrip().startswith(('"""', 'r"""', "'''"))
        return not is_quoted and ("[markdown]" in self.head or 'active="ipynb"' in self.head)

    @property
    def bare(self) -> Iterator[tuple[int, str]]:
        """Yield the lines that have text and are no comments, with their numbers."""
        rows = enumerate(self.lines, self.line + 1)
        return ((row, line) for row, line in rows if line.strip() and not line.startswith("#"))

    @property
    def text(self) -> str:
        """Return the cell without the signs of comments. Its lines keep their order."""
        return "\n".join(line.removeprefix("#").removeprefix(" ") for line in self.lines)


def written_cells(path: Path) -> Iterator[WrittenCell]:
    """Yield the cells of a file of solutions."""
    lines = lines_of(read_text(path, UnitError))
    heads = [row for row, line in enumerate(lines) if line.startswith("# %%")]
    for head, after in pairwise([*heads, len(lines)]):
        yield WrittenCell(head + 1, lines[head], tuple(lines[head + 1 : after]))


def ensure_commented(path: Path) -> None:
    """Raise UnitError, with file and line, if a line of a text is no comment."""
    for cell in written_cells(path):
        for row, line in cell.bare if cell.is_commented else ():
            wrong = f"the cell {cell.head!r} has a line that is no comment: {line.strip()[:60]}"
            raise UnitError(f"{path}:{row}: {wrong}. Begin it with `# `, or write `# %%` above it")
