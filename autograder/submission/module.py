"""Convert a Python file, submitted instead of a notebook, to cells. Each top-level statement is a cell."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path, PurePath

from autograder.submission.cell import has_too_many_braces
from autograder.submission.notebook import LARGEST_CODE, TOO_MUCH_CODE, Cell, Notebook, NotebookError, demand_few_cells
from course.syntax import UNPARSED, first_line, lines_of, tree_of

BEGINS = re.compile(r"^(?=(?:@|def |async |class |from |import |[A-Za-z_]\w*\s*[:=]))", re.MULTILINE)
MARIMO = re.compile(r"^@\w+\.cell\b[^\n]*\n(?:async )?def ", re.MULTILINE)
DECORATED = "def ", "async ", "class "


def module_notebook(path: Path, text: str) -> Notebook:
    """Return a file's text as a notebook. The unit follows from the file's name or its imports."""
    if len(text) > LARGEST_CODE:
        raise NotebookError(TOO_MUCH_CODE)
    if MARIMO.search(text):
        raise NotebookError(
            "the answers are inside marimo's functions. Export them: marimo export ipynb FILE -o NAME.ipynb"
        )
    cells = tuple(Cell("code", piece, {}) for piece in pieces(text))
    return demand_few_cells(Notebook(cells, {"foldem": {"unit": unit_named(path)}}, is_module=True))


def unit_named(path: PurePath) -> str:
    """Return the unit that a file's name would name."""
    return re.sub(r"^\d+_", "", path.stem)


def pieces(text: str) -> list[str]:
    """Return the statements of a file.

    A file that does not parse, or is too long, is split at lines without indentation.

    >>> pieces("from course.uno import Card\\n\\ndef f(x):\\n    return x\\n")
    ['from course.uno import Card\\n', 'def f(x):\\n    return x']
    """
    if has_too_many_braces(text):
        return _by_sight(text)
    try:
        starts = [first_line(node) - 1 for node in tree_of(text).body]
    except UNPARSED:
        return _by_sight(text)
    lines = lines_of(text)
    return ["\n".join(lines[start:end]) for start, end in pairwise([*starts, len(lines)])]


def _by_sight(text: str) -> list[str]:
    joined: list[list[str]] = []
    is_open = False
    for part in (part for part in BEGINS.split(text) if part.strip()):
        if is_open:  # a decorator belongs to the next statement
            joined[-1].append(part)
        else:
            joined.append([part])
        is_open = part.startswith("@") or (is_open and not part.startswith(DECORATED))
    return ["".join(parts) for parts in joined]
