"""What was run in a notebook: each run of a cell with its text, the front end's id of the cell, and how it ended.

From this it is known what a cell defines *now*, and which cell gave a name another meaning.
"""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any
from unicodedata import normalize

from course.diagnoses.failure import UnnamedCell
from course.diagnoses.obstacle import BadSyntax
from course.kernel.catalogue import statements
from course.kernel.notebook import Names, cell_now, cells_run, cells_typed, shell, units_imported
from course.syntax import UNPARSED, bound_names, docstring_behind, meant_names, tree_of

UNKNOWN_END = "", "", "", 0
BELOW_A_MAGIC = "<timed exec>"  # what IPython calls the text below `%%time`


@dataclass(frozen=True)
class Run:
    """One run of a cell: the number in its brackets, what was run and what was typed, and the error it stopped with."""

    number: int
    source: str
    typed: str
    cell: str = ""
    error: str = ""
    told: str = ""
    line: int = 0
    began: float = 0.0
    has_ended: bool = True  # so far as is known: of what ran before this was noted, it is not

    @property
    def label(self) -> str:
        return str(UnnamedCell(self.number))

    @cached_property
    def statements(self) -> tuple[ast.stmt, ...]:
        """Its statements, as far as they were run; none if it does not parse."""
        return tuple(each for each in statements_of(self.source) if not self.line or (each.end_lineno or 0) < self.line)

    @cached_property
    def binds(self) -> frozenset[str]:
        """The names that it bound before it ended."""
        return frozenset(name for statement in self.statements for name in bound_names(statement))

    @cached_property
    def means(self) -> frozenset[str]:
        """The names that it gave a meaning before it ended."""
        return frozenset(name for statement in self.statements for name in meant_names(statement))

    def answers(self, name: str, says: str) -> bool:
        """Return whether this is the cell of an exercise: by its id, its statement, or what it was about to define."""
        begun = {each for part in statements_of(self.source) for each in bound_names(part)} if self.error else ()
        return self.cell == name or (bool(says) and says in stated_in(self.source)) or name in begun


@lru_cache(maxsize=512)
def statements_of(source: str) -> tuple[ast.stmt, ...]:
    """Return the top-level statements of a source, none if it does not parse."""
    try:
        return tuple(tree_of(source).body)
    except UNPARSED:
        return ()


def defined_at(source: str) -> list[tuple[int, str]]:
    """Return the line and the name of each function that a cell defines, in order."""
    return [(node.lineno, node.name) for node in statements_of(source) if isinstance(node, ast.FunctionDef)]


@lru_cache(maxsize=512)
def stated_in(source: str) -> frozenset[str]:
    """Return the first lines of the docstrings in a cell, which stay whatever a learner renames."""
    body = statements_of(source)
    if not body:
        return frozenset(line.strip().strip('"') for line in source.splitlines() if '"""' in line)
    texts = {docstring_behind(node, after) for node, after in zip(body, (*body[1:], ast.Pass()), strict=True)}
    texts |= {
        str(node.value.value) for node in body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    return frozenset(text.strip().splitlines()[0] for text in texts if text.strip())


def label_of(names: Names, source: str) -> UnnamedCell | str:
    """Return what a cell is called by: the exercise that it defines, else its number."""
    run = next((run for run in reversed(runs(names)) if run.source.strip() == source.strip()), None)
    known = {exercise["name"] for unit in units_imported(names)[:1] for exercise in statements(unit)["exercises"]}
    own = [name for statement in statements_of(source) for name in bound_names(statement) if name in known]
    return next(iter(own), UnnamedCell(run.number if run else 0))


def runs(names: Names) -> list[Run]:
    """Return all runs so far, the one that is going on included, in order; [] where nobody keeps them."""
    ends, began = log(), begin_times()
    pairs = zip(cells_run(names) or [], cells_typed(names), strict=False)
    return [
        Run(number, source, typed, *ends.get(number, UNKNOWN_END), began.get(typed.strip(), began[""]), number in ends)
        for number, (source, typed) in enumerate(pairs)
        if number
    ]


def defining_run(past: Sequence[Run], name: str) -> tuple[Run | None, BadSyntax | None]:
    """Return the last run that defines `name`, or tries to, and what keeps it from parsing.

    What Python cannot read at all is passed over.
    """
    for run in reversed(past):
        if name not in run.source and name not in normalize("NFKC", run.source):  # as Python reads names
            continue
        try:
            if name in _defined_by(run.source):
                return run, None
        except SyntaxError as error:
            begins = rf"^\s*(async\s+)?(def\s+{name}\b|{name}\s*[:=])"
            if re.search(begins, normalize("NFKC", run.source), re.MULTILINE):
                return run, BadSyntax(error.msg, error.lineno)
        except ValueError:
            continue
    return None, None


@lru_cache(maxsize=1024)
def _defined_by(cell: str) -> frozenset[str]:
    """Return the names that the statements of a cell define; SyntaxError or ValueError if it does not parse."""
    return frozenset().union(*map(meant_names, ast.parse(cell).body))


def begin_times() -> dict[str, float]:
    """Return when each cell was last begun, by its text; under "" stands since when this is known."""
    running = shell()
    if running is None:
        return {"": time.time()}
    if not hasattr(running, "foldem_runs"):
        running.foldem_runs = {"": time.time()}
        running.events.register("pre_run_cell", _note_run)
    return running.foldem_runs  # type: ignore[no-any-return]


def _note_run(info: Any) -> None:
    begin_times()[str(info.raw_cell).strip()] = time.time()


def log() -> dict[int, tuple[str, str, str, int]]:
    """Return each cell's id and the error that stopped it, with the line, by the number of the run."""
    running = shell()
    if running is None:
        return {}
    if not hasattr(running, "foldem_log"):
        running.foldem_log = {}
        if before := getattr(running, "last_execution_result", None):
            _note(running.foldem_log, before, "")  # a newcomer may begin with an answer, and then check it
        running.events.register("post_run_cell", _note_end)
    return running.foldem_log  # type: ignore[no-any-return]


def _note_end(result: Any) -> None:
    _note(log(), result, cell_now())


def _note(ends: dict[int, tuple[str, str, str, int]], result: Any, cell_known: str) -> None:
    """Note how a cell ended; its front end may have another way to say which cell it is."""
    info, error = result.info, result.error_before_exec or result.error_in_exec
    if info is not None and result.execution_count:
        cell = str(getattr(info, "cell_id", None) or cell_known)
        ends[result.execution_count] = (cell, type(error).__name__ if error else "", str(error or ""), _line_of(error))


def _line_of(error: BaseException | None) -> int:
    """Return the line of the cell at which an error stopped it, 0 if it did not."""
    if isinstance(error, SyntaxError):
        return 1
    trace = error.__traceback__ if error else None
    codes = [(part.tb_frame.f_code, part.tb_lineno) for part in _frames(trace)]
    below = [line + 1 for code, line in codes if code.co_filename == BELOW_A_MAGIC and code.co_name == "<module>"]
    return next(iter([*below, *(line for code, line in codes if code.co_name == "<module>")]), 0)


def _frames(trace: Any) -> Iterator[Any]:
    while trace:
        yield trace
        trace = trace.tb_next
