"""Sort a notebook into a `Submission`: which cell answers which exercise, and what else the cells define.

Code is only parsed here, never run or compiled.
"""

from __future__ import annotations

import ast
import re
import sys
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice, takewhile
from pathlib import Path, PurePath

from autograder.submission.cell import Parsed, parse_cell
from autograder.submission.model import (
    MOST_CELLS,
    NO_ASSIGNMENT,
    Adopted,
    AssignmentPoints,
    Attempt,
    BoundAgain,
    BoundBuiltins,
    BoundTogether,
    Helper,
    LeftOut,
    Lines,
    NewerPython,
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
from autograder.submission.module import unit_named
from autograder.submission.notebook import (
    CHECK,
    LARGEST_CODE,
    TOO_MUCH_CODE,
    WRITTEN_REPORT,
    AnyCell,
    AnyNotebook,
    Cell,
    Notebook,
    NotebookError,
    grade_id,
    only_checks,
    own_metadata,
)
from autograder.submission.reading import read_notebook
from autograder.units.pack import Catalogue
from autograder.units.unit import Unit, UnitError, read_unit
from course.diagnoses.obstacle import Missing, Undefined, Unparsed, Unwritten
from course.exam.readable import one_line
from course.form.given import BUILTINS, word_set
from course.syntax import bound_names, branch, defined_names, lines_of, meant_names, names_in

MOST_HELPERS, MOST_STATEMENTS = 1_000, 3_000
COMPLETING = word_set("add append appendleft extend extendleft insert register reverse setdefault sort update")


@dataclass(frozen=True)
class _NumberedCell:
    """A cell of a notebook: its number and its text."""

    number: int
    cell: AnyCell

    @cached_property
    def content(self) -> Parsed:
        return parse_cell(self.cell.source)

    @cached_property
    def binds(self) -> set[str]:
        return {name for statement in self.content.statements for name in bound_names(statement)}

    @cached_property
    def changes(self) -> set[str]:
        """Return the names that the cell binds, or whose values it completes."""
        return self.binds.union(*map(_completed, self.content.statements))

    def answers(self, name: str) -> bool:
        """Return whether the cell defines an exercise by more than the stub."""
        return name in self.binds and not is_bound_by_stub(self.content.statements, name)

    def is_another_answer(self, name: str) -> bool:
        """Return whether the cell answers an exercise by a new definition.

        It does not by one like `flip = cache(flip)`, or by one after `old = flip`, which may call the old one.
        """
        before = [*takewhile(lambda each: name not in bound_names(each), self.content.statements)]
        is_used = any(bound_names(each) and name in _used_names(each) for each in before)
        return self.answers(name) and not is_used and any(name in _new_names(each) for each in self.content.statements)


def _new_names(statement: ast.stmt) -> set[str]:
    """Return the names that a statement binds, without those that it changes or uses, as in `flip = cache(flip)`."""
    return meant_names(statement) - (set() if isinstance(statement, ast.FunctionDef) else _used_names(statement))


def _used_names(statement: ast.stmt) -> set[str]:
    names = (node for node in branch(statement).nodes if isinstance(node, ast.Name))
    return {each.id for each in names if isinstance(each.ctx, ast.Load)}


@dataclass
class _Cells:
    """The cells of a notebook while they are being sorted."""

    answers: dict[str, _NumberedCell] = field(default_factory=dict)
    others: list[_NumberedCell] = field(default_factory=list)
    checks: dict[str, int] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)


def unit_of(notebook: AnyNotebook, catalogue: Catalogue, parts: AssignmentPoints = NO_ASSIGNMENT) -> Unit:
    """Return the unit of a notebook, preferably a unit of the assignment.

    Raises NotebookError if the notebook belongs to no unit.
    """
    named = [name for name in catalogue.units if name == own_metadata(notebook).get("unit")]
    sources = (str(cell.source) for cell in notebook.cells)
    is_enough = named and (not parts or named[0] in parts)
    candidates = named if is_enough else [*named, *_units_in(sources, catalogue)]
    for name in (*(name for name in candidates if name in parts), *candidates):
        return read_unit(catalogue, name)
    raise NotebookError("no unit found: the notebook has no unit in its metadata and no `from course.… import`")


def belongs_to_unit(path: PurePath, text: str, catalogue: Catalogue) -> bool:
    """Return whether a Python file belongs to a unit, by its name or its imports.

    It is not parsed, because a student's folder may contain many large files.
    """
    return unit_named(path) in catalogue.units or any(_units_in(["\n".join(lines_of(text))], catalogue))


def _units_in(sources: Iterable[str], catalogue: Catalogue) -> Iterator[str]:
    """Yield the units whose modules some code imports from, the most frequent one first."""
    counts: Counter[str] = Counter()
    for source in sources:
        counts.update(re.findall(r"^from (\w+\.\w+) import", source, re.MULTILINE))
    given = {pack.given(unit): unit for pack in catalogue.packs for unit in pack.units}
    yield from (given[module] for module, _ in counts.most_common() if module in given)


def read_submission(
    path: Path, catalogue: Catalogue, unit: Unit | None = None, parts: AssignmentPoints = NO_ASSIGNMENT
) -> Submission:
    """Return the submission in a notebook file. Raises NotebookError if there is none to grade."""
    return submission_of(read_notebook(path), catalogue, unit, parts)


def submission_of(
    notebook: AnyNotebook, catalogue: Catalogue, unit: Unit | None = None, parts: AssignmentPoints = NO_ASSIGNMENT
) -> Submission:
    """Return a notebook as a submission to its unit. An assignment may contain only a part of the unit.

    Without an assignment, the notebook's own list of exercises counts. Raises NotebookError if there is none to grade.
    """
    own = unit_submitted_to(notebook, catalogue, unit, parts)
    if getattr(notebook, "is_module", False):
        return submission_of_cells(own, [cell.source for cell in notebook.cells], parts)
    to_solve = tuple(parts[own.name]) if parts else exercises_in_notebook(notebook, own)
    cells = _sort_out(notebook, own, to_solve)
    attempts = {exercise.name: _attempt(own, exercise.name, cells) for exercise in own.exercises}
    statements = tuple(islice(_statements(own, cells, to_solve), MOST_STATEMENTS))
    helpers = tuple(each for each in statements if each.binds or each.is_block)[:MOST_HELPERS]
    remarks = *_odd(notebook, own, to_solve, bool(parts)), *_extra(own, attempts, to_solve), *cells.remarks
    remarks += tuple(_newer_python(notebook, attempts, remarks))
    return Submission(own, attempts, helpers, remarks, to_solve, _written(notebook), statements)


def unit_submitted_to(
    notebook: AnyNotebook, catalogue: Catalogue, unit: Unit | None = None, parts: AssignmentPoints = NO_ASSIGNMENT
) -> Unit:
    """Return the unit to which a notebook is a submission.

    Raises NotebookError if it is another unit than `unit`, or than the assignment's, or if there is too much code.
    """
    try:
        own = unit_of(notebook, catalogue, parts)
    except UnitError as error:
        raise NotebookError(str(error)) from None
    wanted = [unit.name] if unit else [*parts]
    if wanted and own.name not in wanted:
        raise NotebookError(f"the notebook belongs to the unit {own.name}, not to {' or '.join(wanted)}")
    if sum(len(str(cell.source)) for cell in notebook.cells) > LARGEST_CODE:
        raise NotebookError(TOO_MUCH_CODE)
    return own


def has_answers(notebook: AnyNotebook, unit: Unit) -> bool:
    """Return whether a notebook answers an exercise of its unit. Cells are parsed until one is found."""
    if getattr(notebook, "is_module", False):
        notebook = _notebook_of(unit, [cell.source for cell in notebook.cells])
    own = {grade_id(cell): _NumberedCell(0, cell) for cell in notebook.cells}
    if any(cell.answers(name) for name, cell in own.items() if name in unit.by_name):
        return True
    cells = _sort_out(notebook, unit, exercises_in_notebook(notebook, unit))
    return any(_attempt(unit, name, cells).obstacle not in (Missing(), Unwritten()) for name in unit.by_name)


def _written(notebook: AnyNotebook) -> str:
    """Return the text that a teacher must read, or ""."""
    return next((str(cell.source) for cell in notebook.cells if grade_id(cell) == WRITTEN_REPORT), "")


def exercises_in_notebook(notebook: AnyNotebook, unit: Unit) -> tuple[str, ...]:
    """Return the exercises that a notebook assigns: those in its metadata, or else all exercises of the unit."""
    names = own_metadata(notebook).get("exercises")
    return tuple(name for name in unit.by_name if isinstance(names, list) and name in names) or tuple(unit.by_name)


def _extra(unit: Unit, attempts: Mapping[str, Attempt], to_solve: Lines) -> Iterator[Remark]:
    """Yield a remark on answered exercises that are not assigned, except those that the notebook itself provides."""
    others = (each for name, each in attempts.items() if name not in to_solve and each.obstacle != Missing())
    last = unit[to_solve[-1]].number
    if names := tuple(each.name for each in others if unit[each.name].number > last or not _is_given(unit, each)):
        yield NotAssigned(names)


def _is_given(unit: Unit, attempt: Attempt) -> bool:
    return attempt.obstacle is None and attempt.source.strip() == unit[attempt.name].source.strip()


def _odd(notebook: AnyNotebook, unit: Unit, to_solve: Lines, by_course: bool) -> Iterator[Remark]:
    """Yield remarks on the notebook: an old format, another version, or only a part of the unit."""
    original, version = notebook.metadata.get("orig_nbformat"), own_metadata(notebook).get("version")
    if original not in (None, 4):  # VS Code writes the format that the notebook has
        yield OldFormat(one_line(original, 10))
    if version not in (None, unit.version):
        yield OtherVersion()
    if len(to_solve) < len(unit.exercises):
        yield PartOfUnit(len(to_solve), len(unit.exercises), to_solve[0], to_solve[-1], by_course)


def _newer_python(
    notebook: AnyNotebook, attempts: Mapping[str, Attempt], remarks: Iterable[Remark]
) -> Iterator[Remark]:
    """Yield a remark if code does not parse, and the notebook has run with a newer Python than this one."""
    language = notebook.metadata.get("language_info")
    version = re.match(r"3\.(\d{1,3})\b", str(language.get("version"))) if isinstance(language, dict) else None
    if version and int(version[1]) > sys.version_info.minor:
        obstacles = [each.obstacle for each in attempts.values()]
        if any(isinstance(each, Unparsed | LeftOut) for each in (*obstacles, *remarks)):
            yield NewerPython(version[0], f"3.{sys.version_info.minor}")


def _sort_out(notebook: AnyNotebook, unit: Unit, to_solve: Lines) -> _Cells:
    cells, own = _Cells(), defaultdict[str, list[_NumberedCell]](list)
    for number, cell in enumerate(notebook.cells, 1):
        name = grade_id(cell)
        if name.endswith(CHECK):
            cells.checks.setdefault(name.removesuffix(CHECK), number)
        if name in unit.by_name:
            own[name].append(_NumberedCell(number, cell))
        elif cell.cell_type == "code" and not only_checks(cell):
            cells.others.append(_NumberedCell(number, cell))
    starts = sorted(each.number for copies in own.values() for each in copies) + [len(notebook.cells) + 1]
    for name, copies in own.items():
        _choose(name, [*copies, *_tries(name, copies[-1].number, starts, cells)], cells)
        cells.answers[name] = _with_cells_below(name, starts, cells)
    cells.others.sort(key=_number)
    for name in to_solve:
        _adopt(name, cells)
    return cells


def _above_check(name: str, own: int, starts: list[int], cells: _Cells) -> range:
    """Return the numbers of the cells from an exercise's own cell down to its check, or else to the next exercise."""
    below = range(own + 1, starts[bisect(starts, own)])
    check = cells.checks.get(name, 0)
    return range(own + 1, check + 1) if check in below else below


def _tries(name: str, own: int, starts: list[int], cells: _Cells) -> list[_NumberedCell]:
    """Take out the cells below an exercise's own cell that answer it anew, above its check or a student's own check.

    A check sees the last one.
    """
    below = range(own + 1, starts[bisect(starts, own)])  # down to the next exercise
    near = [each for each in cells.others if each.number in below and name in str(each.cell.source)]
    own_checks = (each for each in near if re.search(rf"\bcheck\(['\"]?{name}['\"]?\)", str(each.cell.source)))
    last = max([_above_check(name, own, starts, cells).stop - 1, *(each.number for each in own_checks)])
    tries = [each for each in near if each.number <= last and each.is_another_answer(name)]
    taken = set(map(_number, tries))
    cells.others = [each for each in cells.others if each.number not in taken] if tries else cells.others
    return tries


def _choose(name: str, copies: list[_NumberedCell], cells: _Cells) -> None:
    """Choose the last answered cell among an exercise's cell, copies and other tries. The rest are ordinary cells."""
    several = copies if len(copies) > 1 else []  # a cell is parsed only if it must be
    chosen = next((cell for cell in reversed(several) if cell.answers(name)), copies[-1])
    cells.answers[name] = chosen
    cells.others += [cell for cell in copies if cell is not chosen]
    if len(copies) > 1:
        first = tuple(cell.number for cell in copies[:MOST_CELLS])
        cells.remarks.append(SeveralTimes(name, len(copies), first, chosen.number))


def _with_cells_below(name: str, starts: list[int], cells: _Cells) -> _NumberedCell:
    """Return an exercise's cell together with the cells above its check that change what it binds.

    A check sees `flip = repaired(flip)`, and a helper's second version.
    """
    own = cells.answers[name]
    numbers = _above_check(name, own.number, starts, cells)
    changing = [each for each in cells.others if each.number in numbers and not each.changes.isdisjoint(own.binds)]
    if not changing:
        return own
    taken = set(map(_number, changing))
    cells.others = [each for each in cells.others if each.number not in taken]
    text = "\n".join(each.content.text(each.content.statements) for each in (own, *changing))
    return _NumberedCell(own.number, Cell(own.cell.cell_type, text, own.cell.metadata))


def _adopt(name: str, cells: _Cells) -> None:
    """Choose the last cell that answers an exercise whose own cell is missing, still the stub, or does not define it.

    It may be another exercise's cell, since students merge cells. If the own cell is missing, a stub in another cell is
    better than nothing.
    """
    own = [cells.answers[name]] if name in cells.answers else []
    if own and own[0].answers(name):
        return
    having = [cell for cell in reversed(cells.others) if name in cell.binds]
    shared = sorted(cells.answers.values(), key=_number, reverse=True)
    answering = (cell for cell in chain(having, shared) if cell.answers(name))
    if cell := next(chain(answering, [] if own else having), None):
        cells.remarks.append(Adopted(name, cell.number))
        cells.answers[name] = cell
        cells.others = sorted([*own, *(each for each in cells.others if each is not cell)], key=_number)


def _number(cell: _NumberedCell) -> int:
    return cell.number


def _attempt(unit: Unit, name: str, cells: _Cells) -> Attempt:
    """Return a notebook's attempt at an exercise."""
    if name not in cells.answers:
        return Attempt(name, obstacle=Missing())
    cell = cells.answers[name]
    kind, parsed_cell = one_line(cell.cell.cell_type, 20), cell.content
    remarks: OwnRemarks = () if kind == "code" else (TurnedInto(cell.number, kind),)
    if parsed_cell.flaw:
        return Attempt(name, "", Unparsed(parsed_cell.flaw, str(cell.cell.source)), remarks)
    others = sorted(cell.binds & set(unit.by_name) - {name})
    remarks += tuple(BoundTogether(name, other) for other in others if cells.answers.get(other) is not cell)
    statements = [
        each for each in parsed_cell.statements if not bound_names(each) & {*others} or name in bound_names(each)
    ]
    if name not in cell.binds:
        return Attempt(name, "", Undefined(tuple(sorted(cell.binds))), remarks)
    if is_bound_by_stub(statements, name):
        return Attempt(name, "", Unwritten(), remarks)
    return Attempt(name, parsed_cell.text(statements), remarks=remarks)


def is_bound_by_stub(statements: Sequence[ast.stmt], name: str) -> bool:
    """Return whether `name` is still bound by the stub: only `raise NotImplementedError`, or `= TODO`."""
    binding = [statement for statement in statements if name in bound_names(statement)]
    match binding[-1:]:
        case [ast.FunctionDef(body=[*rest, ast.Raise(exc=ast.expr() as error)])]:
            names = {node.id for node in ast.walk(error) if isinstance(node, ast.Name)}
            return "NotImplementedError" in names and all(isinstance(part, ast.Expr) for part in rest)
        case [ast.AnnAssign(value=ast.Name(id="TODO")) | ast.Assign(value=ast.Name(id="TODO"))]:
            return True
    return False


def _statements(unit: Unit, cells: _Cells, to_solve: Lines) -> Iterator[Helper]:
    """Yield the statements that bind no exercise, in the notebook's order.

    Other definitions in an exercise's cell are helpers for the other exercises.
    """
    exercises = {cell.number: name for name, cell in cells.answers.items()}
    spots = [(cell.number, unit[name].number) for name, cell in cells.answers.items()]
    checks = {unit[name].number: number for name, number in cells.checks.items() if name in unit.by_name}
    for cell in sorted({each.number: each for each in (*cells.others, *cells.answers.values())}.values(), key=_number):
        exercise = exercises.get(cell.number, "")
        cells.remarks += [LeftOut(cell.number, cell.content.flaw)] if cell.content.flaw and not exercise else []
        behind = max((own for number, own in spots if number <= cell.number), default=0)
        label, is_below = exercise or f"cell_{cell.number}", cell.number > checks.get(behind, cell.number)
        for statement in cell.content.statements:
            if clash := bound_names(statement) & set(unit.by_name):
                if not exercise and (taken := clash & set(to_solve) - {grade_id(cell.cell)}):
                    cells.remarks.append(BoundAgain(tuple(sorted(taken)), cell.number))
            else:
                helper = _helper(unit, cell, statement, label, behind, is_below)
                if names := helper.binds & BUILTINS:
                    cells.remarks.append(BoundBuiltins(tuple(sorted(names)), cell.number))
                yield helper


def _helper(unit: Unit, cell: _NumberedCell, statement: ast.stmt, label: str, behind: int, is_below: bool) -> Helper:
    if completed := _completed(statement):
        completed -= BUILTINS | {*unit.by_name, *unit.module.__all__}
    named = set() if isinstance(statement, ast.FunctionDef) else meant_names(statement)  # by := or a loop, too
    binds = bound_names(statement) | named | completed
    source = cell.content.text([statement])
    return Helper(label, source, behind, frozenset(binds), names_in(source), is_below or bool(completed))


def _completed(statement: ast.stmt) -> set[str]:
    """Return the names of values that a statement completes, such as `table.append(1)`, also in a loop."""
    match statement:
        case ast.FunctionDef(decorator_list=decorators):
            functions = [getattr(each, "func", each) for each in decorators]
        case ast.Expr() | ast.Assign() | ast.If() | ast.Try() | ast.With() | ast.For() | ast.While():
            functions = [call.func for call in branch(statement).all(ast.Call)]
        case _:
            return set()
    methods = (each for each in functions if isinstance(each, ast.Attribute) and each.attr in COMPLETING)
    return {each.value.id for each in methods if isinstance(each.value, ast.Name)}


def submission_of_cells(unit: Unit, cells: Sequence[str], parts: AssignmentPoints = NO_ASSIGNMENT) -> Submission:
    """Return sources of cells, in the order in which they were run, as a submission.

    The last definition of a name counts.
    """
    return submission_of(_notebook_of(unit, cells), unit.catalogue, unit, parts)


def _notebook_of(unit: Unit, cells: Sequence[str]) -> Notebook:
    return Notebook(tuple(superseded(unit, cells)), {"foldem": {"unit": unit.name}})


def superseded(unit: Unit, cells: Sequence[str]) -> list[Cell]:
    """Remove from each cell what a later cell defines again.

    The last cell that defines an exercise becomes the exercise's own cell.
    """
    bound: set[str] = set()
    remaining = []
    for source in reversed(cells):
        cell = parse_cell(source)
        alive = [node for node in cell.statements if not bound_names(node) or bound_names(node) - bound]
        fresh = {name for node in alive for name in defined_names(node) & _new_names(node)} - bound
        bound |= fresh
        own = sorted(fresh & set(unit.by_name))
        for name in own or [""]:
            mine = [node for node in alive if not own or name in bound_names(node) or not bound_names(node) & set(own)]
            metadata = {"nbgrader": {"grade_id": name}} if name else {}
            remaining.append(Cell("code", cell.text(mine), metadata))
    return remaining[::-1]
