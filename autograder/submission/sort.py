"""A submission as data: which cell answers which exercise, what else the notebook defines, and what is odd about it.

Nothing of a submission is run here, nor compiled to code: its text is only parsed.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from autograder.submission.cell import Parsed, parsed
from autograder.submission.model import (
    Adopted,
    Answer,
    Attempt,
    BoundAgain,
    BoundBeside,
    Helper,
    LeftOut,
    Lines,
    Missing,
    OldFormat,
    OtherVersion,
    OwnRemarks,
    PartOfUnit,
    Remark,
    SeveralTimes,
    Submission,
    TurnedInto,
    Undefined,
    Unparsed,
    Unwritten,
)
from autograder.submission.notebook import (
    CHECK,
    LARGEST_CODE,
    TOO_MUCH_CODE,
    WRITTEN_REPORT,
    Cell,
    Notebook,
    NotebookError,
    grade_id,
    read_notebook,
    told_by,
)
from autograder.units.pack import known_packs
from autograder.units.unit import Unit, UnitError, read_unit, unit_names
from course.exam.readable import one_line
from course.syntax import bound_names, defined_names, names_in

MOST_HELPERS = 1_000


@dataclass(frozen=True)
class _Place:
    """A cell of a notebook, by its number, and what it says."""

    number: int
    cell: Any
    found: Parsed

    @cached_property
    def binds(self) -> set[str]:
        return {name for statement in self.found.statements for name in bound_names(statement)}

    def answers(self, name: str) -> bool:
        """Tell whether the cell defines an exercise, and not by the stub."""
        return name in self.binds and not is_unwritten(self.found.statements, name)


@dataclass
class _Cells:
    """The code of a notebook while it is being sorted out."""

    answers: dict[str, _Place] = field(default_factory=dict)
    others: list[_Place] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)


def unit_of(notebook: Any) -> Unit:
    """Give the unit that a notebook belongs to; NotebookError if it is none of ours."""
    name = told_by(notebook).get("unit")
    if name in unit_names():
        return read_unit(name)
    counts: Counter[str] = Counter()
    for cell in notebook.cells:
        counts.update(re.findall(r"^from (\w+\.\w+) import", str(cell.source), re.MULTILINE))
    given = {pack.given(unit): unit for pack in known_packs() for unit in pack.units}
    for module, _ in counts.most_common():
        if module in given:
            return read_unit(given[module])
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
    if sum(len(str(cell.source)) for cell in notebook.cells) > LARGEST_CODE:
        raise NotebookError(TOO_MUCH_CODE)
    if getattr(notebook, "is_module", False):
        return submission_of_cells(own, [cell.source for cell in notebook.cells])
    to_solve = assigned(notebook, own)
    cells = _sort_out(notebook, own, to_solve)
    attempts = {exercise.name: _attempt(own, exercise.name, cells) for exercise in own.exercises}
    helpers = tuple(islice(_helpers(own, cells, to_solve), MOST_HELPERS))
    return Submission(
        own, attempts, helpers, (*_odd(notebook, own, to_solve), *cells.remarks), to_solve, _written(notebook)
    )


def _written(notebook: Any) -> str:
    """Give the text that a person is to read, "" if there is none."""
    return next((str(cell.source) for cell in notebook.cells if grade_id(cell) == WRITTEN_REPORT), "")


def assigned(notebook: Any, unit: Unit) -> tuple[str, ...]:
    """Give the exercises that a notebook sets: all of the unit, unless its metadata names a part of them."""
    told = told_by(notebook).get("exercises")
    return tuple(name for name in unit.by_name if isinstance(told, list) and name in told) or tuple(unit.by_name)


def _odd(notebook: Any, unit: Unit, to_solve: Lines) -> Iterator[Remark]:
    """Tell what is to be known of a notebook as a whole: an old format, another version, a part of the unit."""
    original, version = notebook.metadata.get("orig_nbformat"), told_by(notebook).get("version")
    if original:
        yield OldFormat(one_line(original, 10))
    if version not in (None, unit.version):
        yield OtherVersion()
    if len(to_solve) < len(unit.exercises):
        yield PartOfUnit(len(to_solve), len(unit.exercises), to_solve[0], to_solve[-1])


def _sort_out(notebook: Any, unit: Unit, to_solve: Lines) -> _Cells:
    cells, own = _Cells(), defaultdict[str, list[_Place]](list)
    for number, cell in enumerate(notebook.cells, 1):
        name = grade_id(cell)
        if name in unit.by_name:
            own[name].append(_Place(number, cell, parsed(cell.source)))
        elif cell.cell_type == "code" and name.removesuffix(CHECK) not in unit.by_name:
            cells.others.append(_Place(number, cell, parsed(cell.source)))
    for name, places in own.items():
        _choose(name, places, cells)
    cells.others.sort(key=lambda place: place.number)
    for name in to_solve:
        if name not in cells.answers:
            _adopt(name, cells)
    return cells


def _choose(name: str, places: list[_Place], cells: _Cells) -> None:
    """Take, of an exercise's cell and its copies, the last one that answers it; the others are like any cell."""
    chosen = next((place for place in reversed(places) if place.answers(name)), places[-1])
    cells.answers[name] = chosen
    cells.others += [place for place in places if place is not chosen]
    if len(places) > 1:
        cells.remarks.append(SeveralTimes(name, tuple(place.number for place in places), chosen.number))


def _adopt(name: str, cells: _Cells) -> None:
    """Take, for an exercise whose cell is gone, the last other cell that defines it."""
    for place in reversed(cells.others):
        if name in place.binds:
            cells.remarks.append(Adopted(name, place.number))
            cells.answers[name] = place
            cells.others.remove(place)
            return


def _attempt(unit: Unit, name: str, cells: _Cells) -> Attempt:
    """Give what a notebook has for an exercise."""
    if name not in cells.answers:
        return Missing(name)
    place = cells.answers[name]
    kind, found = one_line(place.cell.cell_type, 20), place.found
    remarks: OwnRemarks = () if kind == "code" else (TurnedInto(place.number, kind),)
    if found.flaw:
        return Unparsed(name, found.flaw, remarks, str(place.cell.source))
    others = sorted(place.binds & set(unit.by_name) - {name})
    remarks += tuple(BoundBeside(name, other) for other in others)
    kept = [statement for statement in found.statements if not bound_names(statement) & set(others)]
    if name not in place.binds:
        return Undefined(name, tuple(sorted(place.binds)), remarks)
    if is_unwritten(kept, name):
        return Unwritten(name, remarks)
    return Answer(name, found.text(kept), remarks)


def is_unwritten(statements: Sequence[ast.stmt], name: str) -> bool:
    """Tell whether what binds `name` is still the stub: a bare `raise NotImplementedError`, or `= TODO`."""
    binding = [statement for statement in statements if name in bound_names(statement)]
    match binding[-1:]:
        case [ast.FunctionDef(body=[*rest, ast.Raise(exc=ast.expr() as error)])]:
            names = {node.id for node in ast.walk(error) if isinstance(node, ast.Name)}
            return "NotImplementedError" in names and all(isinstance(part, ast.Expr) for part in rest)
        case [ast.AnnAssign(value=ast.Name(id="TODO")) | ast.Assign(value=ast.Name(id="TODO"))]:
            return True
    return False


def _helpers(unit: Unit, cells: _Cells, to_solve: Lines) -> Iterator[Helper]:
    """Give the helpers in the notebook's order; what an exercise's cell defines besides helps the other exercises."""
    places = {place.number: name for name, place in cells.answers.items()}
    for place in sorted([*cells.others, *cells.answers.values()], key=lambda place: place.number):
        exercise = places.get(place.number, "")
        if place.found.flaw and not exercise:
            cells.remarks.append(LeftOut(place.number, place.found.flaw))
        behind = max((unit[name].number for number, name in places.items() if number <= place.number), default=0)
        for statement in place.found.statements:
            if clash := bound_names(statement) & set(unit.by_name):
                _remark_on_clash(clash & set(to_solve) - {grade_id(place.cell)}, place, exercise, cells)
            elif helper := _helper(place, statement, exercise or f"cell_{place.number}", behind):
                yield helper


def _remark_on_clash(clash: set[str], place: _Place, exercise: str, cells: _Cells) -> None:
    if clash and not exercise:
        cells.remarks.append(BoundAgain(tuple(sorted(clash)), place.number))


def _helper(place: _Place, statement: ast.stmt, label: str, behind: int) -> Helper | None:
    binds = bound_names(statement)
    if not binds and not _is_star(statement):
        return None
    source = place.found.text([statement])
    return Helper(label, source, behind, frozenset(binds), names_in(source))


def _is_star(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*"


def submission_of_cells(unit: Unit, cells: Sequence[str]) -> Submission:
    """Give the sources of cells, in the order they were run, as a submission: the last definition of a name counts."""
    return submission_of(Notebook(tuple(superseded(unit, cells)), {"foldem": {"unit": unit.name}}), unit)


def superseded(unit: Unit, cells: Sequence[str]) -> list[Cell]:
    """Keep of each cell what no later one defines again; the last cell that defines an exercise becomes its own."""
    bound: set[str] = set()
    kept = []
    for source in reversed(cells):
        cell = parsed(source)
        alive = [node for node in cell.statements if not bound_names(node) or bound_names(node) - bound]
        fresh = {name for node in alive for name in defined_names(node)} - bound
        bound |= fresh
        own = sorted(fresh & set(unit.by_name))
        for name in own or [""]:
            mine = [node for node in alive if not own or name in bound_names(node) or not bound_names(node) & set(own)]
            kept.append(_run_cell(name, cell.text(mine)))
    return kept[::-1]


def _run_cell(name: str, source: str) -> Cell:
    return Cell("code", source, {"nbgrader": {"grade_id": name}} if name else {})
