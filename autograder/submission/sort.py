"""Sorts a notebook into a `Submission`: which cell answers which exercise, and what else it defines.

Nothing is run or compiled here: the text is only parsed.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from autograder.submission.cell import Parsed, parsed
from autograder.submission.model import (
    NO_ASSIGNMENT,
    Adopted,
    AssignmentPoints,
    Attempt,
    BoundAgain,
    BoundBeside,
    Helper,
    LeftOut,
    Lines,
    NotAssigned,
    OldFormat,
    OtherVersion,
    OwnRemarks,
    PartOfUnit,
    Remark,
    SeveralTimes,
    Submission,
    TurnedInto,
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
from course.diagnoses.obstacle import Missing, Undefined, Unparsed, Unwritten
from course.exam.readable import one_line
from course.syntax import bound_names, defined_names, names_in

MOST_HELPERS = 1_000


@dataclass(frozen=True)
class _Place:
    """A cell of a notebook: its number and its text."""

    number: int
    cell: Any
    found: Parsed

    @cached_property
    def binds(self) -> set[str]:
        return {name for statement in self.found.statements for name in bound_names(statement)}

    def answers(self, name: str) -> bool:
        """Return whether the cell defines an exercise, other than by the stub."""
        return name in self.binds and not is_unwritten(self.found.statements, name)


@dataclass
class _Cells:
    """The cells of a notebook while they are sorted."""

    answers: dict[str, _Place] = field(default_factory=dict)
    others: list[_Place] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)


def unit_of(notebook: Any, parts: AssignmentPoints = NO_ASSIGNMENT) -> Unit:
    """Return the unit of a notebook, preferably one of the assignment's.

    Raises NotebookError if it belongs to none.
    """
    named = [name for name in unit_names() if name == told_by(notebook).get("unit")]
    found = named if named and (not parts or named[0] in parts) else [*named, *_imported_units(notebook)]
    for name in (*(name for name in found if name in parts), *found):
        return read_unit(name)
    raise NotebookError("no unit found: the notebook has no unit in its metadata and no `from course.… import`")


def _imported_units(notebook: Any) -> Iterator[str]:
    """Yield the units whose modules a notebook imports from, the most frequent one first."""
    counts: Counter[str] = Counter()
    for cell in notebook.cells:
        counts.update(re.findall(r"^from (\w+\.\w+) import", str(cell.source), re.MULTILINE))
    given = {pack.given(unit): unit for pack in known_packs() for unit in pack.units}
    yield from (given[module] for module, _ in counts.most_common() if module in given)


def read_submission(path: Path, unit: Unit | None = None, parts: AssignmentPoints = NO_ASSIGNMENT) -> Submission:
    """Return the submission in a notebook file. Raises NotebookError if there is none to grade."""
    return submission_of(read_notebook(path), unit, parts)


def submission_of(notebook: Any, unit: Unit | None = None, parts: AssignmentPoints = NO_ASSIGNMENT) -> Submission:
    """Return a notebook as a submission to its unit, of which an assignment may set a part.

    Without an assignment the notebook's own list of exercises counts. Raises NotebookError if the notebook belongs to
    another unit than `unit`, or than the assignment's.
    """
    try:
        own = unit_of(notebook, parts)
    except UnitError as error:
        raise NotebookError(str(error)) from None
    wanted = [unit.name] if unit else [*parts]
    if wanted and own.name not in wanted:
        raise NotebookError(f"the notebook belongs to the unit {own.name}, not to {' or '.join(wanted)}")
    if sum(len(str(cell.source)) for cell in notebook.cells) > LARGEST_CODE:
        raise NotebookError(TOO_MUCH_CODE)
    if getattr(notebook, "is_module", False):
        return submission_of_cells(own, [cell.source for cell in notebook.cells], parts)
    to_solve = tuple(parts[own.name]) if parts else assigned(notebook, own)
    cells = _sort_out(notebook, own, to_solve)
    attempts = {exercise.name: _attempt(own, exercise.name, cells) for exercise in own.exercises}
    helpers = tuple(islice(_helpers(own, cells, to_solve), MOST_HELPERS))
    remarks = *_odd(notebook, own, to_solve, bool(parts)), *_extra(own, attempts, to_solve), *cells.remarks
    return Submission(own, attempts, helpers, remarks, to_solve, _written(notebook))


def _written(notebook: Any) -> str:
    """Return the text for a person to read, or ""."""
    return next((str(cell.source) for cell in notebook.cells if grade_id(cell) == WRITTEN_REPORT), "")


def assigned(notebook: Any, unit: Unit) -> tuple[str, ...]:
    """Return the exercises that a notebook sets: the whole unit, unless its metadata names a part."""
    told = told_by(notebook).get("exercises")
    return tuple(name for name in unit.by_name if isinstance(told, list) and name in told) or tuple(unit.by_name)


def _extra(unit: Unit, attempts: Mapping[str, Attempt], to_solve: Lines) -> Iterator[Remark]:
    """Yield the remark on exercises that are not set, except those that the notebook itself gives."""
    others = (each for name, each in attempts.items() if name not in to_solve and each.obstacle != Missing())
    last = unit[to_solve[-1]].number
    if names := tuple(each.name for each in others if unit[each.name].number > last or not _is_given(unit, each)):
        yield NotAssigned(names)


def _is_given(unit: Unit, attempt: Attempt) -> bool:
    return attempt.obstacle is None and attempt.source.strip() == unit[attempt.name].source.strip()


def _odd(notebook: Any, unit: Unit, to_solve: Lines, by_course: bool) -> Iterator[Remark]:
    """Yield remarks on the whole notebook: an old format, another version, a part of the unit."""
    original, version = notebook.metadata.get("orig_nbformat"), told_by(notebook).get("version")
    if original:
        yield OldFormat(one_line(original, 10))
    if version not in (None, unit.version):
        yield OtherVersion()
    if len(to_solve) < len(unit.exercises):
        yield PartOfUnit(len(to_solve), len(unit.exercises), to_solve[0], to_solve[-1], by_course)


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
    """Choose the last answered one of an exercise's cell and its copies; the others count as any cell."""
    chosen = next((place for place in reversed(places) if place.answers(name)), places[-1])
    cells.answers[name] = chosen
    cells.others += [place for place in places if place is not chosen]
    if len(places) > 1:
        cells.remarks.append(SeveralTimes(name, tuple(place.number for place in places), chosen.number))


def _adopt(name: str, cells: _Cells) -> None:
    """Choose, for an exercise without its cell, the last other cell that defines it."""
    for place in reversed(cells.others):
        if name in place.binds:
            cells.remarks.append(Adopted(name, place.number))
            cells.answers[name] = place
            cells.others.remove(place)
            return


def _attempt(unit: Unit, name: str, cells: _Cells) -> Attempt:
    """Return a notebook's attempt at an exercise."""
    if name not in cells.answers:
        return Attempt(name, obstacle=Missing())
    place = cells.answers[name]
    kind, found = one_line(place.cell.cell_type, 20), place.found
    remarks: OwnRemarks = () if kind == "code" else (TurnedInto(place.number, kind),)
    if found.flaw:
        return Attempt(name, "", Unparsed(found.flaw, str(place.cell.source)), remarks)
    others = sorted(place.binds & set(unit.by_name) - {name})
    remarks += tuple(BoundBeside(name, other) for other in others)
    kept = [statement for statement in found.statements if not bound_names(statement) & set(others)]
    if name not in place.binds:
        return Attempt(name, "", Undefined(tuple(sorted(place.binds))), remarks)
    if is_unwritten(kept, name):
        return Attempt(name, "", Unwritten(), remarks)
    return Attempt(name, found.text(kept), remarks=remarks)


def is_unwritten(statements: Sequence[ast.stmt], name: str) -> bool:
    """Return whether `name` is still bound by the stub: a bare `raise NotImplementedError`, or `= TODO`."""
    binding = [statement for statement in statements if name in bound_names(statement)]
    match binding[-1:]:
        case [ast.FunctionDef(body=[*rest, ast.Raise(exc=ast.expr() as error)])]:
            names = {node.id for node in ast.walk(error) if isinstance(node, ast.Name)}
            return "NotImplementedError" in names and all(isinstance(part, ast.Expr) for part in rest)
        case [ast.AnnAssign(value=ast.Name(id="TODO")) | ast.Assign(value=ast.Name(id="TODO"))]:
            return True
    return False


def _helpers(unit: Unit, cells: _Cells, to_solve: Lines) -> Iterator[Helper]:
    """Yield the helpers in the notebook's order. Other definitions in an exercise's cell help the other exercises."""
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


def submission_of_cells(unit: Unit, cells: Sequence[str], parts: AssignmentPoints = NO_ASSIGNMENT) -> Submission:
    """Return sources of cells, in the order they were run, as a submission.

    The last definition of a name counts.
    """
    return submission_of(Notebook(tuple(superseded(unit, cells)), {"foldem": {"unit": unit.name}}), unit, parts)


def superseded(unit: Unit, cells: Sequence[str]) -> list[Cell]:
    """Remove from each cell what a later one defines again; the last cell that defines an exercise becomes its own."""
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
