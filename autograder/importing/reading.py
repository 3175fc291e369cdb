"""Read the questions in a teacher's notebook, in the format of nbgrader or Otter Assign.

The code is parsed, never run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from doctest import DocTestParser, Example
from enum import Enum
from functools import cached_property
from pathlib import Path
from textwrap import dedent

import nbformat
import yaml
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.nbgraderformat.v3 import MetadataValidatorV3

from autograder.config import ConfigError
from autograder.submission.reading import ALLOWED_CELL_MAGICS, MAGIC_PATTERN
from course.syntax import bound_names, first_line_number, lines_of

SOLUTION_MARK = re.compile(r"(BEGIN|END) SOLUTION")
HIDDEN_TESTS_MARK = re.compile(r"(BEGIN|END) HIDDEN TESTS")
TEACHER_COMMENT = re.compile("(BEGIN|END) SOLUTION|YOUR CODE")
OTTER_SOLUTION_MARK = re.compile(r"\s*# SOLUTION( NO PROMPT)?\s*$")
OTTER_MARK = re.compile(r"#\s*(BEGIN|END)\s+(QUESTION|SOLUTION|TESTS|PROMPT)\b")
CELL_NAME_PATTERN = re.compile(r"[A-Za-z0-9_-]{1,64}")  # allowed by nbgrader and by Jupyter
OTTER_HIDDEN_MARK = re.compile(r"# ?HIDDEN\b")


class CellRole(Enum):
    """The purpose of a cell in a teacher's notebook, such as an answer or a test."""

    PLAIN, ANSWER, TEST, BY_HAND = "plain", "answer", "test", "by hand"


@dataclass(frozen=True, eq=False)
class SourceCell:
    """A cell of a teacher's notebook: its nbformat node, and its Python code without the lines that mark solutions.

    For cells without Python code, `code` is "". `hidden` are the line numbers of hidden tests. `has_result` is true for
    a test of Otter Assign. Such a test passes if its last expression has the same result as with the teacher's
    solution.
    """

    index: int
    node: NotebookNode
    role: CellRole
    code: str = ""
    name: str = ""
    points: float = 0.0
    hidden: frozenset[int] = frozenset()
    has_result: bool = False

    @cached_property
    def is_python(self) -> bool:
        """Return whether the code can be parsed. A cell may contain magics, or be in another language."""
        try:
            ast.parse(self.code)
        except (SyntaxError, ValueError):
            return False
        return True

    @cached_property
    def tree(self) -> ast.Module:
        """Return the syntax tree of the code. The tree is empty if the code is not Python."""
        return ast.parse(self.code if self.is_python else "")

    @cached_property
    def defined_names(self) -> frozenset[str]:
        """Return the names that the top-level statements define."""
        return frozenset().union(*(bound_names(node) for node in self.tree.body))


@dataclass(frozen=True)
class HomeworkQuestion:
    """A graded question: the cells with its answer, and the cells that test it."""

    answers: tuple[SourceCell, ...]
    tests: tuple[SourceCell, ...]

    @property
    def cells(self) -> tuple[SourceCell, ...]:
        return (*self.answers, *self.tests)

    @property
    def points(self) -> float:
        return sum(cell.points for cell in self.cells)

    @property
    def name(self) -> str:
        """Return the name of the answer's first function, or of its first variable, or of its first cell."""
        if any(cell.role is CellRole.BY_HAND for cell in self.cells):
            return self.cells[0].name
        return next(iter((*self.functions, *self.variables)), self.cells[0].name)

    @property
    def statements(self) -> tuple[ast.stmt, ...]:
        """Return the top-level statements of the answer. Cells without Python code have no statements."""
        return tuple(node for cell in self.answers for node in cell.tree.body)

    @property
    def functions(self) -> dict[str, ast.FunctionDef]:
        """Return the functions of the answer, by name. If several functions have the same name, return the last one."""
        return {node.name: node for node in self.statements if isinstance(node, ast.FunctionDef)}

    @property
    def variables(self) -> tuple[str, ...]:
        """Return the names of the variables that the answer assigns, in order."""
        kinds = ast.Assign | ast.AnnAssign | ast.AugAssign | ast.For | ast.While | ast.If | ast.With
        names = (sorted(bound_names(node)) for node in self.statements if isinstance(node, kinds))
        return tuple(dict.fromkeys(name for group in names for name in group))


@dataclass(frozen=True)
class Homework:
    """A teacher's notebook: all its cells in order, and the questions among them."""

    path: Path
    cells: tuple[SourceCell, ...]
    questions: tuple[HomeworkQuestion, ...]

    @property
    def title(self) -> str:
        """Return the first heading of the first level, or else the name of the file."""
        texts = (cell.node.source for cell in self.cells if cell.node.cell_type == "markdown")
        heads = (line[1:].strip() for text in texts for line in text.split("\n") if line.startswith("# "))
        return next(filter(None, heads), self.path.stem.replace("_", " ").capitalize())


def read_homework(path: Path) -> Homework:
    """Read a teacher's notebook. Raises ConfigError if the notebook is invalid, or has no question."""
    try:
        text = path.read_text(encoding="utf-8")
        notebook = _notebook_from_python(path, text) if path.suffix == ".py" else nbformat.reads(text, as_version=4)
        notebook = MetadataValidatorV3().upgrade_notebook_metadata(notebook)  # of older versions of nbgrader
    except (ValueError, nbformat.ValidationError, AttributeError, KeyError, TypeError, RecursionError):
        raise ConfigError(f"{path} is not a valid Jupyter notebook: open it in Jupyter, and save it again") from None
    language = notebook.metadata.get("kernelspec", {}).get("language") or "python"
    if language != "python":
        raise ConfigError(f"{path}: the notebook is written in {language}. Only notebooks in Python can be imported")
    is_otter = any(cell.cell_type == "raw" and OTTER_MARK.match(_cell_text(cell).lstrip()) for cell in notebook.cells)
    cells, names = list[SourceCell](), set[str]()
    for index, cell in enumerate(_otter_cells(path, notebook) if is_otter else map(_nbgrader_cell, notebook.cells)):
        # A name that is not allowed, or that an earlier cell has, is replaced.
        name = cell.name if CELL_NAME_PATTERN.fullmatch(cell.name) and cell.name not in names else f"cell-{index}"
        names.add(name)
        cells.append(replace(cell, index=index, name=name))
    questions = tuple(sorted(_questions(cells), key=lambda question: question.cells[0].index))
    if not questions:
        raise ConfigError(
            f"{path}: no cell is graded by nbgrader, and no cell begins a question of Otter Assign. "
            "Mark questions in nbgrader's “Create Assignment” view"
        )
    return Homework(path, tuple(cells), questions)


def _notebook_from_python(path: Path, text: str) -> NotebookNode:
    """Return a notebook with the statements of a Python file. A function with doctests is a question of one point."""
    cells, lines = list[NotebookNode](), lines_of(text)
    try:
        statements = ast.parse(text).body
    except SyntaxError as error:
        raise ConfigError(f"{path}:{error.lineno}: this is not valid Python: {error.msg}") from None
    for node in statements:
        cell = new_code_cell("\n".join(lines[first_line_number(node) - 1 : node.end_lineno]))
        examples = (
            DocTestParser().get_examples(ast.get_docstring(node) or "") if isinstance(node, ast.FunctionDef) else []
        )
        if not isinstance(node, ast.FunctionDef) or not examples:
            cells.append(cell)
            continue
        test = new_code_cell("\n".join(map(_doctest_as_test, examples)))
        cells.append(_as_graded_cell(cell, node.name, solution=True))
        cells.append(_as_graded_cell(test, f"{node.name}-test", 1.0, grade=True, locked=True))
    return new_notebook(cells=cells)


def _doctest_as_test(example: Example) -> str:
    """Return the test of a doctest.

    >>> _doctest_as_test(Example("gcd(12, 18)\\n", "6\\n"))
    'assert (gcd(12, 18)) == (6)'
    """
    code = example.source.strip()
    if example.exc_msg:
        error, _, message = map(str.strip, example.exc_msg.partition(":"))
        return (
            f"try:\n    {code}\nexcept {error} as error:\n    assert str(error) == {message!r}\n"
            "else:\n    raise AssertionError"
        )
    return f"assert ({code}) == ({example.want.strip()})" if example.want else code


def _cell_text(node: NotebookNode) -> str:
    source = node.get("source", "")
    return source if isinstance(source, str) else "".join(source)


def _questions(cells: Iterable[SourceCell]) -> Iterator[HomeworkQuestion]:
    """Yield the questions. A cell with an answer that follows a test begins a new question."""
    answers, tests = list[SourceCell](), list[SourceCell]()
    for cell in cells:
        if tests and cell.role is CellRole.ANSWER:
            yield _question_of(answers, tests)
            answers, tests = [], []
        if cell.role is CellRole.BY_HAND:
            yield HomeworkQuestion((cell,), ())
        elif cell.role is not CellRole.PLAIN:
            (answers if cell.role is CellRole.ANSWER else tests).append(cell)
    if tests:
        yield _question_of(answers, tests)


def _question_of(answers: list[SourceCell], tests: list[SourceCell]) -> HomeworkQuestion:
    """Return the question that cells form, without those answers that the question's tests do not use."""
    used = {node.id for test in tests for node in ast.walk(test.tree) if isinstance(node, ast.Name)}
    needed = [cell for cell in answers if used & cell.defined_names]
    return HomeworkQuestion(tuple(needed or answers[-1:]), tuple(tests))


# ----------------------------------------------------------------------------------------------- nbgrader


def _nbgrader_cell(node: NotebookNode) -> SourceCell:
    data = node.metadata.get("nbgrader")
    data = data if isinstance(data, dict) else {}
    is_code, text = node.cell_type == "code", _cell_text(node)
    has = {key: bool(data.get(key)) for key in ("grade", "solution", "task")}
    points, name = float(data.get("points") or 0), str(data.get("grade_id") or "")
    if has["task"] or (has["grade"] and (has["solution"] or not is_code)):
        return SourceCell(0, node, CellRole.BY_HAND, solution_code(text) if is_code else "", name, points)
    if has["grade"] and not SOLUTION_MARK.search(text):
        return SourceCell(
            0, node, CellRole.TEST, without_magics(text), name, points, line_numbers_between(HIDDEN_TESTS_MARK, text)
        )
    role = CellRole.ANSWER if (has["solution"] or has["grade"]) and is_code else CellRole.PLAIN
    return SourceCell(0, node, role, solution_code(text) if is_code else "", name, points)


def without_magics(text: str) -> str:
    """Return code in which `pass` replaces each line that only IPython understands.

    Code in another language does not change.
    """
    is_other = text.startswith("%%") and not text.startswith(ALLOWED_CELL_MAGICS)
    return text if is_other else "\n".join(MAGIC_PATTERN.sub(r"\1pass", line) for line in lines_of(text))


def solution_code(text: str) -> str:
    """Return the code of a solution cell without the lines that mark the solution.

    If the code between these lines cannot be parsed together with the rest, return only the code between them.

    >>> solution_code("### BEGIN SOLUTION\\nx = 1\\n### END SOLUTION\\nx = ")
    'x = 1'
    """
    lines, rows = lines_of(without_magics(text)), line_numbers_between(SOLUTION_MARK, text)
    without_marks = "\n".join(line for line in lines if not SOLUTION_MARK.search(line))
    if rows and not SourceCell(0, NotebookNode(), CellRole.PLAIN, without_marks).is_python:
        return dedent("\n".join(line for row, line in enumerate(lines, 1) if row in rows))
    return without_marks


def comments_for_students(text: str) -> list[str]:
    """Return the comments outside of the marked solution in an answer, because these comments may contain the question.

    >>> comments_for_students("# Store 7 in x.\\n### BEGIN SOLUTION\\nx = 7  # days\\n### END SOLUTION")
    ['Store 7 in x.']
    """
    rows, lines = line_numbers_between(SOLUTION_MARK, text), enumerate(lines_of(text), 1)
    shown = (
        line for row, line in lines if row not in rows and line.startswith("#") and not TEACHER_COMMENT.search(line)
    )
    return [line.lstrip("#").strip() for line in shown] if rows else []


def line_numbers_between(mark: re.Pattern[str], text: str) -> frozenset[int]:
    """Return the numbers of the lines between BEGIN and END marks, for example of solutions or hidden tests."""
    rows, is_inside = set[int](), False
    for row, line in enumerate(lines_of(text), 1):
        if match := mark.search(line):
            is_inside = match[1] == "BEGIN"
        elif is_inside:
            rows.add(row)
    return frozenset(rows)


# -------------------------------------------------------------------------------------------- Otter Assign


def _otter_cells(path: Path, notebook: NotebookNode) -> Iterator[SourceCell]:
    """Yield the cells of a notebook of Otter Assign as cells of nbgrader. Otter's raw cells become metadata."""
    inside, config, tests = list[str](), dict[str, object](), list[NotebookNode]()
    for number, node in enumerate(notebook.cells, 1):
        text = _cell_text(node)
        mark = OTTER_MARK.match(text.lstrip()) if node.cell_type == "raw" else None
        if mark and mark[1] == "BEGIN":
            inside.append(mark[2])
            config = _otter_config(path, number, text) if mark[2] == "QUESTION" else config
        elif mark:
            inside = inside[:-1]
            yield from _otter_tests(config, tests) if mark[2] == "TESTS" else ()
            tests = [] if mark[2] == "TESTS" else tests
        elif inside[-1:] == ["TESTS"] and node.cell_type == "code":
            tests.append(node)
        elif inside[-1:] == ["SOLUTION"]:
            yield _otter_answer(config, node)
        elif node.cell_type != "raw" and inside[-1:] != ["PROMPT"]:
            yield SourceCell(0, node, CellRole.PLAIN, text if node.cell_type == "code" else "")


def _otter_config(path: Path, number: int, text: str) -> dict[str, object]:
    try:
        config = yaml.safe_load(text.partition("\n")[2]) or {}
    except yaml.YAMLError:
        config = None
    if not isinstance(config, dict):
        raise ConfigError(f"{path}: cell {number}: the lines below BEGIN QUESTION must be YAML, such as `name: q1`")
    return config


def _otter_answer(config: dict[str, object], node: NotebookNode) -> SourceCell:
    name, points = str(config.get("name") or "question"), config.get("points")
    if config.get("manual") or node.cell_type != "code":
        worth = float(points) if isinstance(points, int | float) else 1.0
        return SourceCell(
            0, _as_graded_cell(node, name, worth, grade=True, solution=True), CellRole.BY_HAND, "", name, worth
        )
    code = "\n".join(OTTER_SOLUTION_MARK.sub("", line) for line in lines_of(solution_code(_cell_text(node))))
    marked = nbformat.from_dict(node | {"source": f"### BEGIN SOLUTION\n{code}\n### END SOLUTION"})
    return SourceCell(0, _as_graded_cell(marked, name, solution=True), CellRole.ANSWER, code, name)


def _otter_tests(config: dict[str, object], nodes: list[NotebookNode]) -> Iterator[SourceCell]:
    name, points = str(config.get("name") or "question"), config.get("points")
    total = points if isinstance(points, list) and len(points) == len(nodes) else None
    for number, node in enumerate(nodes):
        worth = float(total[number]) if total else float(points or 1) / len(nodes)  # type: ignore[arg-type]
        text, test_name = _cell_text(node), f"{name}-test-{number + 1}"
        rows = range(1, len(lines_of(text)) + 1) if OTTER_HIDDEN_MARK.search(text) else ()
        node = _as_graded_cell(node, test_name, worth, grade=True, locked=True)
        yield SourceCell(0, node, CellRole.TEST, text, test_name, worth, frozenset(rows), has_result=True)


def _as_graded_cell(node: NotebookNode, name: str, points: float | None = None, **flags: bool) -> NotebookNode:
    """Return a cell with nbgrader's metadata."""
    data: dict[str, object] = {**dict.fromkeys(("grade", "locked", "solution", "task"), False), **flags}
    data |= {"grade_id": name, "schema_version": 3} | ({} if points is None else {"points": points})
    return nbformat.from_dict(node | {"metadata": {**node.metadata, "nbgrader": data}})


def copied_cell(cell: SourceCell, result: str = "") -> NotebookNode:
    """Return a copy of the node of a cell that does not become an exercise.

    If the cell is a test of Otter Assign, an `assert` replaces its last expression. The `assert` compares the
    expression's `repr` with `result`. If `result` is "", the value of the expression must be None.
    """
    node = nbformat.from_dict(cell.node)
    if not cell.has_result or not cell.tree.body:
        return node
    *before, last = cell.tree.body
    if isinstance(last, ast.Expr):
        test = f"repr({ast.unparse(last.value)}) == {result!r}" if result else f"({ast.unparse(last.value)}) is None"
        node.source = "\n".join([*map(ast.unparse, before), f"assert {test}"])
    if cell.hidden:
        node.source = f"### BEGIN HIDDEN TESTS\n{node.source}\n### END HIDDEN TESTS"
    return node
