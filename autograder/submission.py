"""A submission as data: which cell answers which exercise, what else the notebook defines, and what is odd about it.

Nothing of a submission is run here, nor compiled to code: its text is only parsed.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from autograder.notebooks import Cell, Notebook, NotebookError, read_notebook
from autograder.text import one_line
from autograder.unit import Unit, UnitError, first_line, read_unit, unit_names, version_of

LARGEST_CODE = 1_000_000
LARGEST_CELL = 100_000
MOST_LINES = 5_000
MOST_DEPTH = 150
MOST_HELPERS = 1_000
MOST_REMARKS = 20
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
    """A definition, import or assignment that is no answer, in or behind the cell of the exercise of a number (or 0).

    Its label is the name of the exercise in whose cell it stands, or the number of its cell, as `cell_3`.
    """

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

    @cached_property
    def binders(self) -> dict[str, list[int]]:
        """The places, among the helpers, of those that bind a name; under "" those of which nobody knows what."""
        found: dict[str, list[int]] = defaultdict(list)
        for place, helper in enumerate(self.helpers):
            for name in helper.binds or {""}:
                found[name].append(place)
        return found


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
    if sum(len(str(cell.source)) for cell in notebook.cells) > LARGEST_CODE:
        raise NotebookError("the notebook's cells hold more than 1 MB of text")
    to_solve = assigned(notebook, own)
    cells = _sort_out(notebook, own, to_solve)
    answers = {exercise.name: _answer(own, exercise.name, cells) for exercise in own.exercises}
    helpers = tuple(islice(_helpers(own, cells, to_solve), MOST_HELPERS))
    return Submission(own, answers, helpers, _first(_odd(notebook, own, to_solve) + cells.remarks), to_solve)


def _first(remarks: list[str]) -> Lines:
    """Give the first remarks, as many as anybody reads."""
    more = len(remarks) - MOST_REMARKS
    return (*map(one_line, remarks[:MOST_REMARKS]), *[f"and {more} remarks more"] * (more > 0))


def assigned(notebook: Any, unit: Unit) -> tuple[str, ...]:
    """Give the exercises that a notebook sets: all of the unit, unless its metadata names a part of them."""
    told = told_by(notebook).get("exercises")
    return tuple(name for name in unit.by_name if isinstance(told, list) and name in told) or tuple(unit.by_name)


def _odd(notebook: Any, unit: Unit, to_solve: Lines) -> list[str]:
    """Tell what is to be known of a notebook as a whole: an old format, another version, a part of the unit."""
    original, version = notebook.metadata.get("orig_nbformat"), told_by(notebook).get("version")
    part = len(to_solve) < len(unit.exercises)
    lines = (
        (original, f"the notebook was in the old format {one_line(original, 10)}: it was converted"),
        (version not in (None, version_of(unit)), "the notebook is of another version: some statements may differ"),
        (part, f"a part: {len(to_solve)} of {len(unit.exercises)} exercises, {to_solve[0]} to {to_solve[-1]}"),
    )
    return [line for holds, line in lines if holds]


def grade_id(cell: Any) -> str:
    """Give a cell's grade id, "" if it has none."""
    found = cell.metadata.get("nbgrader", {}) if isinstance(cell.metadata, dict) else {}
    name = found.get("grade_id", "") if isinstance(found, dict) else ""
    return name if isinstance(name, str) else ""


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
        numbers = " and ".join(str(place.number) for place in places[:5])
        cells.remarks.append(f"{name}: its cell is there {len(places)} times ({numbers}): cell {chosen.number} counts")


def _adopt(name: str, cells: _Cells) -> None:
    """Take, for an exercise whose cell is gone, the last other cell that defines it."""
    for place in reversed(cells.others):
        if name in place.binds:
            cells.remarks.append(f"{name}: its own cell is gone: cell {place.number}, which defines it, counts instead")
            cells.answers[name] = place
            cells.others.remove(place)
            return


def _answer(unit: Unit, name: str, cells: _Cells) -> Answer:
    if name not in cells.answers:
        return Answer(name, problem=f"the cell of {name} is missing")
    place = cells.answers[name]
    kind, found = one_line(place.cell.cell_type, 20), place.found
    remarks: Lines = () if kind == "code" else (f"cell {place.number} was turned into {kind}: read as code",)
    if found.problem:
        return Answer(name, problem=f"the cell does not parse: {found.problem}", remarks=remarks)
    others = sorted(place.binds & set(unit.by_name) - {name})
    remarks += tuple(f"{other} is also bound in the cell of {name}: ignored there" for other in others)
    kept = [statement for statement in found.statements if not bound_names(statement) & set(others)]
    if name not in place.binds:
        what = one_line(f"it defines {', '.join(sorted(place.binds)) or 'nothing'}", 100)
        return Answer(name, problem=f"the cell of {name} does not define {name} ({what})", remarks=remarks)
    if is_unwritten(kept, name):
        return Answer(name, problem="not written yet", remarks=remarks)
    return Answer(name, found.text(kept), remarks=remarks)


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
        if place.found.problem and not exercise:
            cells.remarks.append(f"cell {place.number} does not parse and was left out: {place.found.problem}")
        behind = max((unit[name].number for number, name in places.items() if number <= place.number), default=0)
        for statement in place.found.statements:
            if clash := bound_names(statement) & set(unit.by_name):
                _remark_on_clash(clash & set(to_solve) - {grade_id(place.cell)}, place, exercise, cells)
            elif helper := _helper(place, statement, exercise or f"cell_{place.number}", behind):
                yield helper


def _remark_on_clash(clash: set[str], place: _Place, exercise: str, cells: _Cells) -> None:
    if clash and not exercise:
        line = f"{', '.join(sorted(clash))}: also bound in cell {place.number}; the exercise's own cell counts"
        cells.remarks.append(line)


def _helper(place: _Place, statement: ast.stmt, label: str, behind: int) -> Helper | None:
    binds = bound_names(statement)
    if not binds and not _is_star(statement):
        return None
    uses = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
    return Helper(label, place.found.text([statement]), behind, frozenset(binds), frozenset(uses))


def _is_star(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*"


@lru_cache(maxsize=512)
def names_in(source: str) -> frozenset[str]:
    """Give the names that a source mentions."""
    return frozenset(node.id for node in ast.walk(tree_of(source)) if isinstance(node, ast.Name))


@lru_cache(maxsize=512)
def binds_in(source: str) -> frozenset[str]:
    """Give the names that a source's statements bind."""
    return frozenset(name for statement in tree_of(source).body for name in bound_names(statement))


def needed_helpers(submission: Submission, sources: Iterable[str]) -> list[Helper]:
    """Give the helpers that these sources need, directly or through another helper, in the notebook's order.

    What a source binds itself goes before what another cell binds.
    """
    if not submission.helpers:
        return []
    sources = tuple(sources)
    names, bound = (set[str]().union(*map(find, sources)) for find in (names_in, binds_in))
    todo, seen, needed = ["", *names], {"", *names}, set[int]()
    while todo:
        for place in set(submission.binders.get(todo.pop(), ())) - needed:
            if set() < submission.helpers[place].binds <= bound:
                continue
            needed.add(place)
            fresh = submission.helpers[place].uses - seen
            seen |= fresh
            todo += fresh
    return [submission.helpers[place] for place in sorted(needed)]


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
    alias = getattr(statement, "name", None)  # of a `type` statement, which Python has from 3.12
    return {alias.id} if isinstance(alias, ast.Name) else set()


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


MAGIC = re.compile(r"^(\s*)(?:[%!?].*|\w[\w.]*\?{1,2}\s*|[\w, ]+=\s*[%!].*)$")
KEPT_CELL_MAGICS = ("%%time", "%%timeit", "%%capture", "%%prun")
LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class Parsed:
    """A cell's statements and lines (IPython's own blanked), or the problem that keeps it from parsing."""

    statements: Sequence[ast.stmt] = ()
    lines: Sequence[str] = ()
    problem: str = ""

    def text(self, kept: Iterable[ast.stmt]) -> str:
        """Give the text of some statements, each on the line that it has in the cell."""
        rows: dict[int, str] = {}
        for node in kept:
            for row, piece in enumerate(self._pieces(node), first_line(node)):
                rows[row] = f"{rows[row]}; {piece}" if row in rows else piece
        return "\n".join(rows.get(row, "") for row in range(1, max(rows, default=0) + 1))

    def _pieces(self, node: ast.stmt) -> list[str]:
        """Give the lines of a statement, without others that stand on them."""
        pieces = list(self.lines[first_line(node) - 1 : node.end_lineno])
        pieces[-1] = pieces[-1].encode()[: node.end_col_offset].decode()
        pieces[0] = pieces[0].encode()[node.col_offset :].decode()
        return pieces


def parsed(source: Any) -> Parsed:
    """Give a cell, parsed; never an exception."""
    if not isinstance(source, str):
        return Parsed(problem="the cell holds no text")
    lines = LINE_END.split(source)
    if len(source) > LARGEST_CELL or len(lines) > MOST_LINES:
        return Parsed(problem="the cell is too long")
    if lines[0].startswith("%%") and not lines[0].startswith(KEPT_CELL_MAGICS):
        return Parsed()
    found = Parsed()
    for attempt in _attempts(lines):
        found = _parsed(attempt)
        if not found.problem:
            break
    return found


def _attempts(lines: list[str]) -> Iterator[list[str]]:
    """Give the lines as they are, then without IPython's own: at the margin only (`%` is an operator too), or all."""
    yield lines
    yield [MAGIC.sub("pass", line) if line[:1].strip() else line for line in lines]
    yield [MAGIC.sub(r"\1pass", line) for line in lines]


def _parsed(lines: list[str]) -> Parsed:
    try:
        tree = tree_of("\n".join(lines))
    except SyntaxError as error:
        return Parsed(problem=one_line(f"{error.msg}, line {error.lineno}"))
    except (ValueError, RecursionError, MemoryError) as error:
        return Parsed(problem=f"it cannot be read ({type(error).__name__})")
    return Parsed(problem="it is nested too deep") if _depth(tree) > MOST_DEPTH else Parsed(tree.body, lines)


def tree_of(source: str) -> ast.Module:
    """Give a source as a tree, in silence: what Python warns of there is for the learner's own eyes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)


def _depth(tree: ast.AST) -> int:
    depth, level = 0, [tree]
    while level:
        depth, level = depth + 1, [part for node in level for part in ast.iter_child_nodes(node)]
    return depth


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
