"""Authors' Python files that are parsed and never run: solutions, mistakes and right answers.

Solutions also contain helpers, which are private definitions that references use, and predictions, which learners see
again when they practise.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from textwrap import dedent

from autograder.toml import read_text
from autograder.units.pack import UnitError
from course.kernel.catalogue import PredictionQuestion
from course.syntax import bound_names, docstring_of, first_line_number, lines_of

SOURCE_INDENT = " " * 4


def written_statements(path: Path) -> Iterator[tuple[ast.stmt, str, str]]:
    """Yield a file's top-level statements, each with its docstring and its text.

    Raises UnitError if the file cannot be parsed.
    """
    text = read_text(path, UnitError)
    try:
        body = ast.parse(text).body
    except SyntaxError as error:
        raise UnitError(f"{path}:{error.lineno or 1}: SyntaxError: {error.msg}") from None
    lines, behind = lines_of(text), [*body[1:], ast.Pass()]
    for node, after in zip(body, behind, strict=False):
        yield node, docstring_of(node, after), "\n".join(lines[first_line_number(node) - 1 : node.end_lineno])


def location_of(path: Path, name: str) -> str:
    """Return `file:line` of the last statement in a file that defines a name, or of line 1 if no statement does."""
    rows = (node.lineno for node, _, _ in written_statements(path) if name in bound_names(node))
    return f"{path}:{max(rows, default=1)}"


def location_of_words(path: Path, *words: str) -> str:
    """Return `file:line` of the first line that contains the first of these words, or `file:1` if no line matches.

    If a word does not occur in the file, search for the next word.
    """
    lines = lines_of(read_text(path, UnitError))
    rows = (row for word in words for row, line in enumerate(lines, 1) if word in line)
    return f"{path}:{next(rows, 1)}"


@dataclass(frozen=True)
class WrittenCell:
    """A cell of `solutions/`: the number of its first line, its `# %%` line (`head`), and the lines below."""

    line: int
    head: str
    lines: tuple[str, ...]

    @property
    def is_commented(self) -> bool:
        """Return whether every line of the cell must be a comment.

        In text cells, and in code cells for notebooks only (`active="ipynb"`), every line must be a comment.
        """
        is_quoted = "".join(self.lines).lstrip().startswith(('"""', 'r"""', "'''"))
        return not is_quoted and ("[markdown]" in self.head or 'active="ipynb"' in self.head)

    @property
    def uncommented_lines(self) -> Iterator[tuple[int, str]]:
        """Yield each line of the cell that is neither empty nor a comment, with its line number."""
        rows = enumerate(self.lines, self.line + 1)
        return ((row, line) for row, line in rows if line.strip() and not line.startswith("#"))

    @property
    def text(self) -> str:
        """Return the lines of the cell without the `# ` at their beginning."""
        return "\n".join(line.removeprefix("#").removeprefix(" ") for line in self.lines)


def written_cells(path: Path) -> Iterator[WrittenCell]:
    """Yield the cells of a file in `solutions/`."""
    lines = lines_of(read_text(path, UnitError))
    heads = [row for row, line in enumerate(lines) if line.startswith("# %%")]
    for head, after in pairwise([*heads, len(lines)]):
        yield WrittenCell(head + 1, lines[head], tuple(lines[head + 1 : after]))


def ensure_commented(path: Path) -> None:
    """Raise UnitError, with file and line, if a line of a text cell is not a comment."""
    for cell in written_cells(path):
        for row, line in cell.uncommented_lines if cell.is_commented else ():
            wrong = f"the cell {cell.head!r} has a line that is no comment: {line.strip()[:60]}"
            raise UnitError(f"{path}:{row}: {wrong}. Begin it with `# `, or write `# %%` above it")


# ------------------------------------------------------------------------------------------------ predictions


def predictions_in(path: Path, exercises: Container[str]) -> dict[str, tuple[PredictionQuestion, ...]]:
    """Map each exercise in a file of `solutions/` to the multiple-choice predictions just before it."""
    waiting, by_name = list[PredictionQuestion](), dict[str, tuple[PredictionQuestion, ...]]()
    for cell in written_cells(path):
        if cell.is_commented:
            waiting += cell_predictions(cell.text)
        elif waiting:
            bound = (name for node in ast.parse("\n".join(cell.lines)).body for name in bound_names(node))
            if name := next((name for name in bound if name in exercises), ""):
                by_name[name], waiting = tuple(waiting), []
    return by_name


def cell_predictions(code: str) -> Iterator[PredictionQuestion]:
    """Yield the predictions in a cell. If the cell cannot be parsed, yield no predictions.

    Leave out each prediction with a text that is not a literal string.
    """
    if "predict(" not in code:
        return
    try:
        calls = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    except SyntaxError:
        return
    for call in calls:
        match call:
            case ast.Call(func=ast.Name("predict"), args=args, keywords=[ast.keyword("why", why)]) if len(args) > 1:
                try:
                    code, *choices = map(ast.literal_eval, args)
                    yield PredictionQuestion(dedent(code).strip("\n"), tuple(choices), ast.literal_eval(why))
                except ValueError:
                    continue


# ------------------------------------------------------------------------------------------------ helpers


def helper_name(node: ast.stmt) -> str:
    """Return the name of the helper that a top-level statement defines, or "" if it defines none.

    >>> [helper_name(node) for node in ast.parse("def _rank(card): return 1\\n_ACES = 4\\ndeck = ()").body]
    ['_rank', '_ACES', '']
    """
    is_definition = isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign)
    names = [name for name in bound_names(node) if name.startswith("_") and name.strip("_")] if is_definition else []
    return names[0] if len(names) == 1 else ""


def names_in_tree(node: ast.AST | None) -> set[str]:
    """Return the names of variables and functions in a syntax tree."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} if node else set()


def with_helpers(node: ast.FunctionDef, source: str, helpers: list[str]) -> str:
    """Return the source of a function with its helpers inside it, after its docstring.

    Helpers inside a function are available wherever the reference is used, but no answer can call them. Lines inside a
    string are not indented.

    >>> source = "def f(x):\\n    'Return x.'\\n    return _g(x)"
    >>> print(with_helpers(ast.parse(source).body[0], source, ["def _g(x):\\n    return x"]))
    def f(x):
        'Return x.'
    <BLANKLINE>
        def _g(x):
            return x
    <BLANKLINE>
        return _g(x)
    """
    lines, last = lines_of(source), (node.body[0].end_lineno or 0) - first_line_number(node) + 1
    inside = list[str]()
    for text in helpers:
        strings = (part for part in ast.walk(ast.parse(text)) if isinstance(part, ast.Constant | ast.JoinedStr))
        within = {line for part in strings for line in range(part.lineno + 1, (part.end_lineno or 0) + 1)}
        numbered = enumerate(lines_of(text), 1)
        inside += ["", *(line if number in within or not line else SOURCE_INDENT + line for number, line in numbered)]
    return "\n".join([*lines[:last], *inside, "", *lines[last + (lines[last : last + 1] == [""]) :]])
