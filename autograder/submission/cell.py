"""A cell's text as statements. The text is parsed, with IPython's own lines blanked, and never run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from course.diagnoses.obstacle import BAD_SYNTAX, NO_TEXT, TOO_DEEP, TOO_LONG, UNPARSABLE, Flaw
from course.syntax import branch, children, first_line, tree_of

LARGEST_CELL = 25_000
MOST_LINES = 5_000
MOST_BRACES = 5_000
MOST_DEPTH = 150


# These quantifiers are possessive. Otherwise a line of 99,000 spaces would be tried in every possible split.
MAGIC = re.compile(r"^(\s*+)(?:[%!?].*|\w[\w.]*+\?{1,2}\s*+|[\w, ]++=\s*+[%!].*)$")
PASTED_PROMPT = re.compile(r"^(?:>>>|\.\.\.)(?: |$)")
ALLOWED_CELL_MAGICS = ("%%time", "%%timeit", "%%capture", "%%prun")
LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class Parsed:
    """A cell's statements and lines (with IPython's own lines blanked), or the flaw that makes it unreadable."""

    statements: Sequence[ast.stmt] = ()
    lines: Sequence[str] = ()
    flaw: Flaw | None = None

    def text(self, statements: Iterable[ast.stmt]) -> str:
        """Return the text of some statements, each on the line where it is in the cell."""
        rows: dict[int, str] = {}
        for node in statements:
            pieces = list(self.lines[first_line(node) - 1 : node.end_lineno])  # maybe with other statements around it
            pieces[-1] = pieces[-1].encode()[: node.end_col_offset].decode()
            pieces[0] = pieces[0].encode()[node.col_offset :].decode()
            for row, piece in enumerate(pieces, first_line(node)):
                rows[row] = f"{rows[row]}; {piece}" if row in rows else piece
        return "\n".join(rows.get(row, "") for row in range(1, max(rows, default=0) + 1))


def parse_cell(source: object) -> Parsed:
    """Return a parsed cell; never raises."""
    if not isinstance(source, str):
        return Parsed(flaw=Flaw(NO_TEXT))
    lines = LINE_END.split(source)
    if len(source) > LARGEST_CELL or len(lines) > MOST_LINES or has_too_many_braces(source):
        return Parsed(flaw=Flaw(TOO_LONG))
    if lines[0].startswith("%%") and not lines[0].startswith(ALLOWED_CELL_MAGICS):
        return Parsed()
    flaw: Flaw | None = None
    for attempt in _attempts(lines):
        try:
            tree = tree_of("\n".join(attempt))
        except SyntaxError as error:
            flaw = Flaw(BAD_SYNTAX, error.msg, error.lineno)
        except (ValueError, RecursionError, MemoryError) as error:
            flaw = Flaw(UNPARSABLE, type(error).__name__)
        else:
            is_large = any(len(branch(statement).nodes) >= MOST_DEPTH for statement in tree.body)
            if not is_large or _depth(tree) <= MOST_DEPTH:  # a small tree cannot be deep
                return Parsed(tree.body, attempt)
            flaw = Flaw(TOO_DEEP)
    return Parsed(flaw=flaw)


def has_too_many_braces(source: str) -> bool:
    """Return whether a text may take minutes to parse.

    Python 3.11 parses an f-string again for each brace in it.
    """
    return source.count("{") > MOST_BRACES


def _attempts(lines: list[str]) -> Iterator[list[str]]:
    """Yield the lines unchanged, then without IPython's lines at the margin, then without all IPython lines.

    The margin comes first, since `%` is also an operator. Like IPython, remove the first line's indentation or prompt
    from all lines.
    """
    yield lines
    first = next(filter(str.strip, lines), "")
    indentation = first[: len(first) - len(first.lstrip(" \t"))]
    lines = [line.removeprefix(indentation) for line in lines]
    if first.lstrip(" \t").startswith(">>>"):
        lines = [PASTED_PROMPT.sub("", line) for line in lines]
    yield [MAGIC.sub("pass", line) if line[:1].strip() else line for line in lines]
    yield [MAGIC.sub(r"\1pass", line) for line in lines]


def _depth(tree: ast.AST) -> int:
    depth, level = 0, [tree]
    while level:
        depth, level = depth + 1, [part for node in level for part in children(node)]
    return depth
