"""Python files of authors that are parsed and never run: solutions, mistakes and right answers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from autograder.toml import read_text
from autograder.units.pack import UnitError
from course.syntax import docstring_behind, first_line, lines_of


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
