"""A submission as data: which cell answers which exercise, what else the notebook defines, and what is odd about it.

Nothing of a submission is run here, nor compiled to code: its text is only parsed.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.notebooks import Cell, Notebook, NotebookError, read_notebook
from autograder.unit import Unit, UnitError, first_line, read_unit, unit_names

LARGEST_CELL = 100_000
CHECK = "-check"
Lines = tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """What answers an exercise: its source if it can be run, else the one line that says why not."""

    name: str
    source: str = ""
    problem: str = ""
    remarks: Lines = ()

    @property
    def is_written(self) -> bool:
        return not self.problem


@dataclass(frozen=True)
class Helper:
    """A definition, import or assignment outside the exercises' cells, behind the exercise of a number (or 0)."""

    label: str
    source: str
    behind: int
    binds: frozenset[str]
    uses: frozenset[str]


@dataclass(frozen=True)
class Submission:
    """A notebook, read: answers by exercise, helpers in order, remarks on what is odd."""

    unit: Unit
    answers: dict[str, Answer]
    helpers: tuple[Helper, ...] = ()
    remarks: Lines = ()
    assigned: tuple[str, ...] = ()


@dataclass
class _Cells:
    """The code of a notebook while it is being sorted out."""

    answers: dict[str, tuple[int, Any]] = field(default_factory=dict)
    others: list[tuple[int, Any]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def told_by(notebook: Any) -> dict[str, Any]:
    """Give what a notebook says of itself in our part of its metadata."""
    found = notebook.metadata.get("foldem") if isinstance(notebook.metadata, dict) else None
    return found if isinstance(found, dict) else {}


def unit_of(notebook: Any) -> Unit:
    """Give the unit that a notebook belongs to; NotebookError if it is none of ours."""
    name = told_by(notebook).get("unit")
    if name in unit_names():
        return read_unit(name)
    counts: Counter[str] = Counter()
    for cell in notebook.cells:
        counts.update(re.findall(r"^from course\.(\w+) import", str(cell.source), re.MULTILINE))
    for name, _ in counts.most_common():
        if name in unit_names():
            return read_unit(name)
    raise NotebookError("the notebook belongs to no unit (no unit in its metadata, no `from course.… import`)")


def read_submission(path: Path, unit: Unit | None = None) -> Submission:
    """Give the submission in a notebook file; NotebookError if there is none to be graded."""
    return submission_of(read_notebook(path), unit)


def submission_of(notebook: Any, unit: Unit | None = None) -> Submission:
    """Give a notebook as a submission to its unit (or to `unit`; NotebookError if it belongs to another)."""
    try:
        own = unit_of(notebook)
    except UnitError as error:
        raise NotebookError(str(error)) from None
    if unit is not None and own.name != unit.name:
        raise NotebookError(f"the notebook belongs to the unit {own.name}, not to {unit.name}")
    to_solve = assigned(notebook, own)
    cells = _sort_out(notebook, own, to_solve)
    answers = {exercise.name: _answer(own, exercise.name, cells) for exercise in own.exercises}
    helpers = tuple(_helpers(own, cells, to_solve))
    return Submission(own, answers, helpers, tuple(_odd(notebook, own, to_solve) + cells.remarks), to_solve)


def assigned(notebook: Any, unit: Unit) -> tuple[str, ...]:
    """Give the exercises that a notebook sets: all of the unit, unless its metadata names a part of them."""
    told = told_by(notebook).get("exercises")
    return tuple(name for name in unit.by_name if isinstance(told, list) and name in told) or tuple(unit.by_name)


def _odd(notebook: Any, unit: Unit, to_solve: Lines) -> list[str]:
    original = notebook.metadata.get("orig_nbformat")
    part = len(to_solve) < len(unit.exercises)
    return [f"the notebook was in the old format {original}: it was converted"] * bool(original) + [
        f"a part of the unit: {len(to_solve)} of {len(unit.exercises)} exercises, {to_solve[0]} to {to_solve[-1]}"
    ] * part


def grade_id(cell: Any) -> str:
    """Give a cell's grade id, "" if it has none."""
    found = cell.metadata.get("nbgrader", {}) if isinstance(cell.metadata, dict) else {}
    name = found.get("grade_id", "") if isinstance(found, dict) else ""
    return name if isinstance(name, str) else ""


def _sort_out(notebook: Any, unit: Unit, to_solve: Lines) -> _Cells:
    cells = _Cells()
    for number, cell in enumerate(notebook.cells, 1):
        name = grade_id(cell)
        if name in unit.by_name:
            if name in cells.answers:
                first = cells.answers[name][0]
                cells.remarks.append(f"{name}: its cell is there twice (cells {first} and {number}): the last counts")
            cells.answers[name] = number, cell
        elif cell.cell_type == "code" and not name.endswith(CHECK):
            cells.others.append((number, cell))
    for name in to_solve:
        if name not in cells.answers:
            _adopt(name, cells)
    return cells


def _adopt(name: str, cells: _Cells) -> None:
    """Take, for an exercise whose cell is gone, the last other cell that defines it."""
    for place in reversed(cells.others):
        number, cell = place
        if name in {bound for statement in parsed(cell.source).statements for bound in bound_names(statement)}:
            cells.remarks.append(f"{name}: its own cell is gone: cell {number}, which defines it, counts instead")
            cells.answers[name] = place
            cells.others.remove(place)
            return


def _answer(unit: Unit, name: str, cells: _Cells) -> Answer:
    if name not in cells.answers:
        return Answer(name, problem=f"the cell of {name} is missing")
    number, cell = cells.answers[name]
    remarks: Lines = (
        () if cell.cell_type == "code" else (f"cell {number} was turned into {cell.cell_type}: read as code",)
    )
    found = parsed(cell.source)
    if found.problem:
        return Answer(name, problem=f"the cell does not parse: {found.problem}", remarks=remarks)
    bound = {bound for statement in found.statements for bound in bound_names(statement)}
    others = sorted(bound & set(unit.by_name) - {name})
    remarks += tuple(f"{other} is also bound in the cell of {name}: ignored there" for other in others)
    kept = [statement for statement in found.statements if not bound_names(statement) & set(others)]
    if name not in bound:
        what = f"it defines {', '.join(sorted(bound))}" if bound else "it defines nothing"
        return Answer(name, problem=f"the cell of {name} does not define {name} ({what})", remarks=remarks)
    if is_unwritten(kept, name):
        return Answer(name, problem="not written yet", remarks=remarks)
    return Answer(name, found.text(kept), remarks=remarks)


def is_unwritten(statements: Iterable[ast.stmt], name: str) -> bool:
    """Tell whether what binds `name` is still the stub: a bare `raise NotImplementedError`, or `= TODO`."""
    for statement in statements:
        match statement:
            case ast.FunctionDef(name=bound, body=[*_, ast.Raise(exc=error)] as body) if bound == name:
                rest = [part for part in body[:-1] if not isinstance(part, ast.Expr)]
                if not rest and error is not None and "NotImplementedError" in ast.unparse(error):
                    return True
            case ast.AnnAssign(target=ast.Name(id=bound), value=ast.Name(id="TODO")) if bound == name:
                return True
            case ast.Assign(targets=[ast.Name(id=bound)], value=ast.Name(id="TODO")) if bound == name:
                return True
    return False


def _helpers(unit: Unit, cells: _Cells, to_solve: Lines) -> Iterator[Helper]:
    places = sorted((number, unit[name].number) for name, (number, _) in cells.answers.items())
    for number, cell in cells.others:
        found = parsed(cell.source)
        if found.problem:
            cells.remarks.append(f"cell {number} does not parse and was left out: {found.problem}")
        behind = max((exercise for place, exercise in places if place < number), default=0)
        for statement in found.statements:
            if bound_names(statement) & set(unit.by_name) - set(to_solve):
                continue
            if helper := _helper(unit, cells, found, statement, number, behind):
                yield helper


def _helper(unit: Unit, cells: _Cells, cell: Parsed, statement: ast.stmt, number: int, behind: int) -> Helper | None:
    binds = bound_names(statement)
    if clash := sorted(binds & set(unit.by_name)):
        cells.remarks.append(f"{', '.join(clash)}: also bound in cell {number}; the exercise's own cell counts")
        return None
    if not binds and not _is_star(statement):
        return None
    uses = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
    return Helper(f"cell_{number}", cell.text([statement]), behind, frozenset(binds), frozenset(uses))


def _is_star(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*"


def needed_helpers(submission: Submission, sources: Iterable[str]) -> list[Helper]:
    """Give the helpers that these sources need, directly or through another helper, in the notebook's order."""
    names = {node.id for source in sources for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    while True:
        wanted = [helper for helper in submission.helpers if not helper.binds or helper.binds & names]
        more = names.union(*(helper.uses for helper in wanted))
        if more == names:
            return wanted
        names = more


def bound_names(statement: ast.stmt) -> set[str]:
    """Give the names that a top-level statement binds, or changes the value of (`table[key] = 1`)."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return {(alias.asname or alias.name).split(".")[0] for alias in names} - {"*"}
        case ast.Assign(targets=targets):
            return {name for target in targets for name in _target_names(target)}
        case ast.AnnAssign(target=target, value=value):
            return set(_target_names(target)) if value is not None else set()
        case ast.AugAssign(target=target):
            return set(_target_names(target))
        case ast.If() | ast.Try() | ast.With() | ast.For() | ast.While() | ast.Match():
            return {name for part in ast.iter_child_nodes(statement) for name in _nested_names(part)}
    return set()


def _nested_names(node: ast.AST) -> set[str]:
    if isinstance(node, ast.stmt):
        return bound_names(node)
    if isinstance(node, (ast.ExceptHandler, ast.match_case)):
        return {name for part in node.body for name in bound_names(part)}
    return set()


def _target_names(target: ast.expr) -> Iterator[str]:
    match target:
        case ast.Name(id=name):
            yield name
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _target_names(part)
        case ast.Starred(value=inner) | ast.Subscript(value=inner) | ast.Attribute(value=inner):
            yield from _target_names(inner)


MAGIC = re.compile(r"^\s*[%!?]|^\s*\w[\w.]*\?{1,2}\s*$")
KEPT_CELL_MAGICS = ("%%time", "%%timeit", "%%capture", "%%prun")


@dataclass(frozen=True)
class Parsed:
    """A cell's statements and lines (IPython's own blanked), or the problem that keeps it from parsing."""

    statements: Sequence[ast.stmt] = ()
    lines: Sequence[str] = ()
    problem: str = ""

    def text(self, kept: Iterable[ast.stmt]) -> str:
        """Give the text of some statements, each on the line that it has in the cell."""
        rows = {row for node in kept for row in range(first_line(node), (node.end_lineno or node.lineno) + 1)}
        return "\n".join(line if row in rows else "" for row, line in enumerate(self.lines, 1))


def parsed(source: Any) -> Parsed:
    """Give a cell, parsed; never an exception."""
    if not isinstance(source, str) or len(source) > LARGEST_CELL:
        return Parsed(problem="the cell is too long")
    lines = source.splitlines()
    if lines and lines[0].startswith("%%") and not lines[0].startswith(KEPT_CELL_MAGICS):
        return Parsed()
    try:
        return Parsed(ast.parse(source).body, lines)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _parsed_without_magics(["" if MAGIC.match(line) else line for line in lines])


def _parsed_without_magics(lines: list[str]) -> Parsed:
    try:
        return Parsed(ast.parse("\n".join(lines)).body, lines)
    except SyntaxError as error:
        return Parsed(problem=f"{error.msg}, line {error.lineno}")
    except (ValueError, RecursionError, MemoryError) as error:
        return Parsed(problem=f"it cannot be read ({type(error).__name__})")


def submission_of_cells(unit: Unit, cells: Sequence[str]) -> Submission:
    """Give the sources of cells, in the order they were run, as a submission: the last definition of a name counts."""
    return submission_of(Notebook(tuple(_superseded(unit, cells)), {"foldem": {"unit": unit.name}}), unit)


def _superseded(unit: Unit, cells: Sequence[str]) -> list[Cell]:
    """Keep of each cell what no later one defines again; the last cell that defines an exercise becomes its own."""
    bound: set[str] = set()
    kept = []
    for source in reversed(cells):
        cell = parsed(source)
        alive = [node for node in cell.statements if not bound_names(node) or bound_names(node) - bound]
        fresh = {name for node in alive for name in _defined_names(node)} - bound
        bound |= fresh
        own = sorted(fresh & set(unit.by_name))
        for name in own or [""]:
            mine = [node for node in alive if not own or name in bound_names(node) or not bound_names(node) & set(own)]
            kept.append(_run_cell(name, cell.text(mine)))
    return kept[::-1]


def _defined_names(statement: ast.stmt) -> set[str]:
    """Give the names that a statement defines from scratch: one that changes a value (`table[key] = 1`) has none."""
    match statement:
        case ast.Assign(targets=targets) if not all(isinstance(target, (ast.Name, ast.Tuple)) for target in targets):
            return set()
        case ast.AugAssign() | ast.If() | ast.Try() | ast.With() | ast.For() | ast.While() | ast.Match():
            return set()
    return bound_names(statement)


def _run_cell(name: str, source: str) -> Cell:
    return Cell("code", source, {"nbgrader": {"grade_id": name}} if name else {})
