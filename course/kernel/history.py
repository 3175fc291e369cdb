"""The cells that were run: the text of each, the id that the front end gave the cell, and how the run ended.

This history shows what each cell defines *now*, and which cell has redefined a name.
"""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import inf
from traceback import walk_tb
from typing import Any
from unicodedata import normalize

from course.diagnoses.failure import UnnamedCell
from course.diagnoses.obstacle import BAD_SYNTAX, Flaw
from course.kernel.notebook import running_cell_id, shell
from course.syntax import PARSING_ERRORS, bound_names, docstring_of, names_defined_by, tree_of

UNKNOWN_END = "", "", "", 0, inf
RunEnd = tuple[str, str, str, int, float]  # the cell's id, its error with message and line, and the time
CELL_CODE_PATTERN = re.compile(r"<module>|<cell line: \d+>")  # the code of a cell; the second in IPython 7
TIMED_CODE_FILE = "<timed exec>"  # IPython's name for the code below `%%time`


@dataclass(frozen=True)
class Run:
    """One run of a cell: its number, the source as it was run and as it was typed, and the error that stopped it."""

    number: int
    source: str
    typed: str
    cell: str = ""
    error: str = ""
    message: str = ""
    line: int = 0
    ended: float = inf  # a time, if this is not the current run, nor one from before recording began

    @property
    def label(self) -> str:
        return str(UnnamedCell(self.number))

    @cached_property
    def statements(self) -> tuple[ast.stmt, ...]:
        """Return the statements that the run completed; () if the cell does not parse."""
        return tuple(each for each in statements_of(self.source) if not self.line or (each.end_lineno or 0) < self.line)

    @cached_property
    def binds(self) -> frozenset[str]:
        """Return the names to which the run assigned a value, or whose values it changed in place."""
        return frozenset(name for statement in self.statements for name in bound_names(statement))

    @cached_property
    def assigned_names(self) -> frozenset[str]:
        """Return the names to which the run assigned a value.

        Names whose values the run only changed in place are left out.
        """
        return frozenset(name for statement in self.statements for name in names_defined_by(statement))

    def is_answer_to(self, name: str, says: str) -> bool:
        """Return whether this is a run of an exercise's cell. `says` is the first line of the exercise's docstring.

        The cell is recognized by its id or its docstring. If the run failed, a cell with a statement that would define
        the exercise's name is also recognized.
        """
        begun = {each for part in statements_of(self.source) for each in bound_names(part)} if self.error else ()
        return self.is_cell_of(name, says) or name in begun

    def is_cell_of(self, name: str, says: str) -> bool:
        """Return whether the cell of the run has the id or the docstring of an exercise.

        `says` is the docstring's first line.
        """
        return self.cell == name or (bool(says) and says in docstring_first_lines(self.source))


@lru_cache(maxsize=512)
def statements_of(source: str) -> tuple[ast.stmt, ...]:
    """Return the top-level statements of a source, or () if it does not parse."""
    try:
        return tuple(tree_of(source).body)
    except PARSING_ERRORS:
        return ()


@lru_cache(maxsize=512)
def docstring_first_lines(source: str) -> frozenset[str]:
    """Return the first lines of the docstrings in a cell.

    The first line of a docstring identifies an exercise even if the learner has renamed its function.
    """
    body = statements_of(source)
    if not body:
        return frozenset(line.strip().strip('"') for line in source.splitlines() if '"""' in line)
    texts = {docstring_of(node, after) for node, after in zip(body, (*body[1:], ast.Pass()), strict=True)}
    texts |= {
        str(node.value.value) for node in body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    return frozenset(text.strip().splitlines()[0] for text in texts if text.strip())


def cell_label(past: Sequence[Run], exercises: Container[str], source: str) -> UnnamedCell | str:
    """Return the label of a cell: the name of the exercise that it defines, or else its number."""
    run = next((run for run in reversed(past) if run.source.strip() == source.strip()), None)
    own = [name for statement in statements_of(source) for name in bound_names(statement) if name in exercises]
    return next(iter(own), UnnamedCell(run.number if run else 0))


def defining_run(past: Sequence[Run], name: str) -> tuple[Run | None, Flaw | None]:
    """Return the last run of a cell that defines `name`, and the syntax error of the cell, or None.

    A cell with a syntax error counts only if it was not run again, and one of its lines starts a definition, such as
    `def name`.
    """
    last = {run.cell: run for run in past if run.cell}
    for run in reversed(past):
        # Compare identifiers in normalized form, as Python does.
        if name not in run.source and name not in normalize("NFKC", run.source):
            continue
        try:
            if name in _defined_names(run.source):
                return run, None
        except SyntaxError as error:
            begins = rf"^\s*(async\s+)?(def\s+{name}\b|{name}\s*[:=])"
            if last.get(run.cell, run) is run and re.search(begins, normalize("NFKC", run.source), re.MULTILINE):
                return run, Flaw(BAD_SYNTAX, error.msg, error.lineno)
        except ValueError:
            continue
    return None, None


@lru_cache(maxsize=1024)
def _defined_names(cell: str) -> frozenset[str]:
    """Return the names that the statements of a cell define. Raises SyntaxError or ValueError if it does not parse."""
    return frozenset().union(*map(names_defined_by, ast.parse(cell).body))


def recorded_run_ends() -> dict[int, RunEnd]:
    """Return how and when each run ended, in a dict with the numbers of the runs as keys.

    The first call of this function starts the recording.
    """
    running = shell()
    if running is None:
        return {}
    if not hasattr(running, "foldem_log"):
        running.foldem_log = {}
        running.events.register("post_run_cell", lambda end: _record_end(recorded_run_ends(), end, running_cell_id()))
    return running.foldem_log  # type: ignore[no-any-return]


def _record_end(ends: dict[int, RunEnd], result: Any, cell_known: str) -> None:
    """Record how and when a cell ended, and its id, which depends on the front end."""
    info, error = result.info, result.error_before_exec or result.error_in_exec
    if info is not None and result.execution_count:
        cell = str(getattr(info, "cell_id", None) or cell_known)
        kind = type(error).__name__ if error else ""
        ends[result.execution_count] = (cell, kind, str(error or ""), _error_line(error), time.time())


def _error_line(error: BaseException | None) -> int:
    """Return the line of the cell at which an error stopped it, or 0."""
    if isinstance(error, SyntaxError):
        return 1
    codes = [(frame.f_code, line) for frame, line in walk_tb(error.__traceback__ if error else None)]
    cells = [(code.co_filename, line) for code, line in codes if CELL_CODE_PATTERN.fullmatch(code.co_name)]
    below = [line + 1 for file, line in cells if file == TIMED_CODE_FILE]
    return next(iter([*below, *(line for _, line in cells)]), 0)
