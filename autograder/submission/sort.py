"""Turn a notebook into a `Submission`: which cell answers which exercise, and what else the cells define.

The code is only parsed here, never compiled or run.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from math import inf
from operator import attrgetter
from pathlib import Path

from autograder.submission.model import (
    FIXED_CALLS,
    IMPORT_NODES,
    NO_ASSIGNMENT,
    SHOWN_CELL_COUNT,
    Adopted,
    AssignmentPoints,
    Attempt,
    BoundAgain,
    BoundBuiltins,
    Helper,
    LeftOut,
    NotAssigned,
    OtherVersion,
    PartOfUnit,
    Remark,
    SeveralTimes,
    Submission,
    TextTuple,
    cannot_fail,
    fixed_names,
    names_bound_by,
)
from autograder.submission.reading import (
    CHECK,
    TOO_MUCH_CODE_MESSAGE,
    WRITTEN_REPORT,
    AnyCell,
    AnyNotebook,
    Cell,
    Notebook,
    NotebookError,
    ParsedCell,
    grade_id,
    is_only_check,
    own_metadata,
    parse_cell,
    read_notebook,
)
from autograder.units.pack import Catalogue
from autograder.units.unit import Unit, UnitError, read_unit
from course.diagnoses.obstacle import MissingCell, Obstacle, UndefinedName, UnparsedCell, UnwrittenExercise
from course.form.reading import BUILTINS
from course.limits import LARGEST_CELL, LARGEST_CODE, MOST_CHARACTERS, MOST_NOTEBOOK_CELLS, MOST_STATEMENTS
from course.syntax import bound_names, directly_defined_names, global_names_in, names_defined_by, subtree_of

TOO_LONG_CODE_MESSAGE = (
    f"the notebook's code has more than {MOST_CHARACTERS:,} characters, or {MOST_STATEMENTS:,} statements"
)
CHECK_CALL_PATTERN = re.compile(r"\bcheck\(['\"]?(\w+)['\"]?\)")


@dataclass(frozen=True, eq=False)
class _NumberedCell:
    """A cell of a notebook: its number and its text."""

    number: int
    cell: AnyCell
    id: str

    @cached_property
    def parsed(self) -> ParsedCell:
        return parse_cell(self.cell.source)

    @cached_property
    def own_names(self) -> set[str]:
        """Return the names that the cell defines, without imported names and loop variables."""
        own = (statement for statement in self.parsed.statements if not isinstance(statement, IMPORT_NODES))
        return {name for statement in own for name in bound_names(statement)}

    def answers(self, name: str) -> bool:
        """Return whether the cell defines an exercise with other code than the stub."""
        return name in self.own_names and not is_bound_by_stub(self.parsed.statements, name)


def _new_names(statement: ast.stmt) -> set[str]:
    """Return the names that a statement binds, without those that it changes or uses, as in `flip = cache(flip)`."""
    names = (node for node in subtree_of(statement).nodes if isinstance(node, ast.Name))
    used = {each.id for each in names if isinstance(each.ctx, ast.Load)}
    return names_defined_by(statement) - (set() if isinstance(statement, ast.FunctionDef) else used)


def unit_of(notebook: AnyNotebook, catalogue: Catalogue, parts: AssignmentPoints = NO_ASSIGNMENT) -> Unit:
    """Return the unit of a notebook. If the notebook may belong to several units, prefer a unit of the assignment.

    Raises NotebookError if the notebook belongs to no unit.
    """
    named = [name for name in catalogue.units if name == own_metadata(notebook).get("unit")]
    sources = (str(cell.source) for cell in notebook.cells)
    is_enough = named and (not parts or named[0] in parts)
    candidates = named if is_enough else [*named, *_units_in(sources, catalogue)]
    for name in (*(name for name in candidates if name in parts), *candidates):
        return read_unit(catalogue, name)
    raise NotebookError(
        "no unit found: the notebook has no cells"
        if not notebook.cells
        else "no unit found: the notebook names no unit that is known here. For your own, add --pack with its folder"
    )


def imports_unit(content: bytes, catalogue: Catalogue) -> bool:
    """Return whether a Python file imports from a unit.

    The file is searched but not parsed, because it may be large.
    """
    return any(_units_in([content.decode("utf-8-sig", errors="replace")], catalogue))


def _units_in(sources: Iterable[str], catalogue: Catalogue) -> Iterator[str]:
    """Yield the units whose modules some code imports from, the most frequent one first."""
    counts: Counter[str] = Counter()
    for source in sources:
        counts.update(re.findall(r"^from (\w+\.\w+) import", source, re.MULTILINE))
    given = {pack.given_module_name(unit): unit for pack in catalogue.packs for unit in pack.units}
    yield from (given[module] for module, _ in counts.most_common() if module in given)


def read_submission(
    path: Path, catalogue: Catalogue, unit: Unit | None = None, parts: AssignmentPoints = NO_ASSIGNMENT
) -> Submission:
    """Read the submission in a notebook file. Raises NotebookError if the file has nothing to grade."""
    return submission_of(read_notebook(path), catalogue, unit, parts)


def submission_of(
    notebook: AnyNotebook, catalogue: Catalogue, unit: Unit | None = None, parts: AssignmentPoints = NO_ASSIGNMENT
) -> Submission:
    """Return a notebook as a submission for its unit. An assignment may contain only a part of the unit.

    Without an assignment, the notebook's own list decides which exercises are graded. Raises NotebookError if there is
    nothing to grade.
    """
    return _submission(notebook, unit_submitted_to(notebook, catalogue, unit, parts), parts)


def _submission(notebook: AnyNotebook, unit: Unit, parts: AssignmentPoints, is_run: bool = False) -> Submission:
    to_solve = tuple(parts[unit.name]) if parts else exercises_in_notebook(notebook, unit)
    draft = _SubmissionDraft(notebook, unit, to_solve, is_run)
    attempts, remarks = draft.attempts, list[Remark]()
    if own_metadata(notebook).get("version") not in (None, unit.version):
        remarks.append(OtherVersion())
    if len(to_solve) < len(unit.exercises) and not parts:
        remarks.append(PartOfUnit(len(to_solve), len(unit.exercises), to_solve[0], to_solve[-1]))
    last, extra = unit[to_solve[-1]].number, list[str]()
    for name, each in attempts.items():
        if name not in to_solve and each.obstacle != MissingCell():
            is_given = each.obstacle is None and each.source.strip() == unit[name].source.strip()
            extra += [name] if unit[name].number > last or not is_given else []
    if extra:
        remarks.append(NotAssigned(tuple(extra)))
    remarks += [*draft.remarks, *draft.remarks_on_cells()]
    written = next((str(cell.source) for cell in notebook.cells if grade_id(cell) == WRITTEN_REPORT), "")
    return Submission(unit, attempts, draft.statements, tuple(remarks), to_solve, written)


def unit_submitted_to(
    notebook: AnyNotebook, catalogue: Catalogue, unit: Unit | None = None, parts: AssignmentPoints = NO_ASSIGNMENT
) -> Unit:
    """Return the unit for which a notebook was submitted.

    If `unit` is given, the notebook must belong to it. Raises NotebookError if the notebook belongs to another unit, is
    not part of the assignment, or has too much code.
    """
    try:
        own = unit_of(notebook, catalogue, parts)
    except UnitError as error:
        raise NotebookError(str(error)) from None
    wanted = [unit.name] if unit else [*parts]
    if wanted and own.name not in wanted:
        raise NotebookError(f"the notebook belongs to the unit {own.name}, not to {' or '.join(wanted)}")
    if sum(len(str(cell.source)) for cell in notebook.cells) > LARGEST_CODE:
        raise NotebookError(TOO_MUCH_CODE_MESSAGE)
    return own


def has_answers(notebook: AnyNotebook, unit: Unit) -> bool:
    """Return whether a notebook answers any exercise of its unit. Cells are parsed only until an answer is found."""
    for cell in notebook.cells:
        name = grade_id(cell)
        if name in unit.by_name and _NumberedCell(0, cell, name).answers(name):
            return True
    attempts = submission_of(notebook, unit.catalogue, unit).attempts
    return any(each.obstacle not in (MissingCell(), UnwrittenExercise()) for each in attempts.values())


def exercises_in_notebook(notebook: AnyNotebook, unit: Unit) -> tuple[str, ...]:
    """Return the exercises that a notebook assigns: those listed in its metadata, or else all exercises of the unit."""
    names = own_metadata(notebook).get("exercises")
    return tuple(name for name in unit.by_name if isinstance(names, list) and name in names) or tuple(unit.by_name)


class _SubmissionDraft:
    """A submission while its cells are being sorted: the cells of each answer, all statements, and remarks.

    `own` are the cells named after an exercise, `others` all other code, and `checks` the numbers of the cells that
    check an exercise. If `is_run` is true, the cells were run, and no check comes before the last cell.
    """

    def __init__(self, notebook: AnyNotebook, unit: Unit, to_solve: TextTuple, is_run: bool) -> None:
        self.unit, self.to_solve, self.is_run, self.remarks = unit, to_solve, is_run, list[Remark]()
        self.own, self.checks = defaultdict[str, list[_NumberedCell]](list), defaultdict[str, list[int]](list)
        self.others = list[_NumberedCell]()
        for number, cell in enumerate(notebook.cells, 1):
            name, is_code = grade_id(cell), cell.cell_type == "code"
            called = CHECK_CALL_PATTERN.findall(str(cell.source)) if is_code else ()
            for checked in () if is_run else {name.removesuffix(CHECK), *called} - {name}:
                self.checks[checked].append(number)
            if name in unit.by_name:
                self.own[name].append(_NumberedCell(number, cell, name))
            elif is_code and not is_only_check(cell):
                self.others.append(_NumberedCell(number, cell, name))
        self.code = sorted(chain(self.others, *self.own.values()), key=attrgetter("number"))
        lengths = (len(str(each.cell.source)) for each in self.code)
        if sum(length for length in lengths if length <= LARGEST_CELL) > MOST_CHARACTERS:  # others are not parsed
            raise NotebookError(TOO_LONG_CODE_MESSAGE)
        self.parts = {name: self._own_cells(name) for name in unit.by_name}
        adopted = dict[str, list[_NumberedCell]]()
        for name in to_solve:
            statements = [statement for part in self.parts[name] for statement in part.parsed.statements]
            is_bound = any(name in part.own_names for part in self.parts[name])
            if not is_bound or is_bound_by_stub(statements, name):
                adopted[name] = self._adopted_cells(name)
        self.parts |= adopted
        self.firsts = {parts[0].number: name for name, parts in self.parts.items() if parts}
        self.firsts |= {parts[0].number: name for name, parts in self.parts.items() if parts and parts[0].id == name}
        self.nodes = [(cell, each) for cell in self.code for each in cell.parsed.statements]
        self.statements = tuple(self._statements())

    def _cell_numbers_below(self, number: int) -> range:
        """Return the numbers of the cells below a cell, down to the next exercise."""
        starts = (each.number for each in chain(*self.own.values()) if each.number > number)
        return range(number + 1, min(starts, default=MOST_NOTEBOOK_CELLS + 1))

    def _last_checked_cell(self, name: str, number: int) -> float:
        """Return the number of the last cell that a check of an exercise sees, if its answer is in this cell.

        The check is the last one above the next exercise, even if the student wrote it, or else the first one below.
        """
        near, checks = self._cell_numbers_below(number), [each for each in self.checks.get(name, ()) if each > number]
        without_check = inf if self.is_run else near.stop - 1
        return max([each for each in checks if each in near], default=min(checks, default=without_check))

    def _own_cells(self, name: str) -> list[_NumberedCell]:
        """Return an exercise's own cell and the cells below it, down to the exercise's last definition above its check.

        For example, a second definition counts, and also `flip = repaired(flip)`. If the own cell was copied, the last
        copy with an answer counts.
        """
        if not (copies := self.own.get(name, [])):
            return []
        first = next((cell for cell in reversed(copies) if cell.answers(name)), copies[-1])
        near, end = self._cell_numbers_below(first.number), self._last_checked_cell(name, first.number)
        below = [each for each in self.others if each.number in near and each.number <= end]
        defining = [each for each in below if name in each.own_names]
        for each in defining:  # a new definition, not one like `flip = cache(flip)`, is another copy
            if each.answers(name) and any(name in _new_names(statement) for statement in each.parsed.statements):
                copies = [*copies, each]
        last = max([first, *defining], key=attrgetter("number")).number
        if len(copies) > 1:
            numbers = tuple(cell.number for cell in copies[:SHOWN_CELL_COUNT])
            self.remarks.append(SeveralTimes(name, len(copies), numbers, last))
        return [first, *(each for each in below if each.number <= last)]

    def _adopted_cells(self, name: str) -> list[_NumberedCell]:
        """Return the last cell that answers an exercise whose own cell is missing, still the stub, or no answer.

        This cell may be another exercise's cell, since students merge cells. If the own cell is missing, a stub in
        another cell is better than nothing.
        """
        own, code = self.parts[name], [each for each in reversed(self.code) if name in each.own_names]
        firsts = {parts[0] for parts in self.parts.values() if parts}
        code.sort(key=firsts.__contains__)
        if cell := next(chain((cell for cell in code if cell.answers(name)), [] if own else code), None):
            self.remarks.append(Adopted(name, cell.number))
        return [cell] if cell else own

    def _statements(self) -> Iterator[Helper]:
        """Yield all statements in the notebook's order. Raises NotebookError if there are too many statements."""
        sources = [cell.parsed.text_of([each]) for cell, each in self.nodes[: MOST_STATEMENTS + 1]]
        uses, module, exercises = [*map(global_names_in, sources)], self.unit.module, self.unit.by_name.keys()
        if len(sources) > MOST_STATEMENTS:
            raise NotebookError(TOO_LONG_CODE_MESSAGE)
        bound = [names_bound_by(each, source) for (_, each), source in zip(self.nodes, sources, strict=True)]
        own = (
            now | later
            for (_, each), (now, later) in zip(self.nodes, bound, strict=True)
            if not isinstance(each, IMPORT_NODES)
        )
        types = {name for name in module.__all__ if isinstance(getattr(module, name), type)}
        makers = (FIXED_CALLS | types).difference(*own)
        starts = sorted((number, self.unit[name].number) for number, name in self.firsts.items())
        for index, (cell, each) in enumerate(self.nodes):
            label, (now, later) = self.firsts.get(cell.number, f"cell_{cell.number}"), bound[index]
            behind = max((exercise for number, exercise in starts if number <= cell.number), default=0)
            used, sure = uses[index] - (now if isinstance(each, IMPORT_NODES) else now & exercises), cannot_fail(each)
            if not sure:  # then it runs before the exercises below are defined
                used -= {
                    name for name in used & exercises if any(part.number > cell.number for part in self.parts[name][:1])
                }
            yield Helper(label, sources[index], behind, now, used, later, fixed_names(each, makers), sure, index)

    @cached_property
    def attempts(self) -> dict[str, Attempt]:
        """Return the notebook's attempts.

        The source of an answer has only those statements of the answer's cells that the answer needs.
        """
        draft = Submission(self.unit, {name: self._attempt(name) for name in self.unit.by_name}, self.statements)
        attempts = dict(draft.attempts)
        for name, attempt in draft.answers.items():
            indexes = {
                each.index for each in draft.needed_statements([name], [name], attempt.until)
            } & attempt.statements
            texts = []
            for part in self.parts[name]:
                own = [(index, each) for index, (cell, each) in enumerate(self.nodes) if cell is part]
                if not indexes.isdisjoint(index for index, _ in own):
                    # Literals belong to the others: a value may have a docstring.
                    needed = [
                        each
                        for index, each in own
                        if index in indexes or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
                    ]
                    texts.append(part.parsed.text_of(needed))
            attempts[name] = replace(attempt, source="\n".join(texts), statements=frozenset(indexes))
        return attempts

    def _attempt(self, name: str) -> Attempt:
        """Return the attempt at an exercise, with all statements of its cells."""
        if not (parts := self.parts[name]):
            return Attempt(name, obstacle=MissingCell())
        first, numbers = parts[0], {each.number for each in parts}
        own = [index for index, (cell, _) in enumerate(self.nodes) if cell.number in numbers]
        bound = frozenset[str]().union(*(self.statements[index].binds for index in own))
        obstacle: Obstacle | None = None
        if name not in bound:
            names = {each for part in parts for each in part.own_names}
            flaw = first.parsed.flaw
            obstacle = UnparsedCell(flaw, str(first.cell.source)) if flaw else UndefinedName(tuple(sorted(names)))
        elif is_bound_by_stub([self.nodes[index][1] for index in own], name):
            obstacle = UnwrittenExercise()
        until = bisect([cell.number for cell, _ in self.nodes], self._last_checked_cell(name, first.number))
        return Attempt(name, "", obstacle, frozenset(own), until)

    def remarks_on_cells(self) -> Iterator[Remark]:
        """Yield remarks on cells that are not Python, redefine built-in names, or define another cell's exercise."""
        bound = defaultdict[int, set[str]](set)
        for (cell, _), helper in zip(self.nodes, self.statements, strict=True):
            bound[cell.number] |= helper.binds
        for cell in self.code:
            if cell.parsed.flaw and cell.number not in self.firsts:
                yield LeftOut(cell.number, cell.parsed.flaw)
            taken = bound[cell.number] & {*self.to_solve} - {cell.id}
            if again := sorted(name for name in taken if cell not in self.parts[name]):
                yield BoundAgain(tuple(again), cell.number)
            if builtins := sorted(bound[cell.number] & BUILTINS):
                yield BoundBuiltins(tuple(builtins), cell.number)


def is_bound_by_stub(statements: Sequence[ast.stmt], name: str) -> bool:
    """Return whether only the stub defines `name`. A stub is `raise NotImplementedError` or `= TODO`."""
    binding = [statement for statement in statements if name in bound_names(statement)]
    match binding[-1:]:
        case [ast.FunctionDef(body=[*rest, ast.Raise(exc=ast.expr() as error)])]:
            names = {node.id for node in ast.walk(error) if isinstance(node, ast.Name)}
            return "NotImplementedError" in names and all(isinstance(part, ast.Expr) for part in rest)
        case [ast.AnnAssign(value=ast.Name(id="TODO")) | ast.Assign(value=ast.Name(id="TODO"))]:
            return True
    return False


def submission_of_cells(unit: Unit, cells: Sequence[str]) -> Submission:
    """Return a submission made from the sources of cells, in the order in which they were run.

    If a name is defined several times, the last definition counts.
    """
    notebook = Notebook(tuple(without_superseded(unit, cells)), {"foldem": {"unit": unit.name}})
    return _submission(notebook, unit_submitted_to(notebook, unit.catalogue, unit), NO_ASSIGNMENT, is_run=True)


def without_superseded(unit: Unit, cells: Sequence[str]) -> list[Cell]:
    """Return the cells, without the statements whose names a later cell defines again.

    The last cell that defines an exercise becomes the exercise's own cell.
    """
    bound: set[str] = set()
    remaining = []
    for source in reversed(cells):
        cell = parse_cell(source)
        alive = [node for node in cell.statements if not bound_names(node) or bound_names(node) - bound]
        fresh = {name for node in alive for name in directly_defined_names(node) & _new_names(node)} - bound
        bound |= fresh
        own = sorted(fresh & set(unit.by_name))
        for name in own or [""]:
            mine = [node for node in alive if not own or name in bound_names(node) or not bound_names(node) & set(own)]
            metadata = {"nbgrader": {"grade_id": name}} if name else {}
            remaining.append(Cell("code", cell.text_of(mine), metadata))
    return remaining[::-1]
