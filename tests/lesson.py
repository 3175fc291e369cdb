"""A learner at work with only the course and no shell: cells are run one after another, and checked."""

from __future__ import annotations

import ast
import linecache
from itertools import count
from typing import Any

from course.kernel import catalogue
from course.learner.answer import answer_in_namespace
from course.learner.checking import check_answer
from course.show.results import Result
from tests.units import read_unit

numbers = count(1)


def file_of_cell(source: str) -> str:
    """Return a file name for a cell. Tracebacks and diagnoses find its lines under that name, as in IPython."""
    file = f"<lesson {next(numbers)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    return file


def value_of_cell(source: str, names: dict[str, Any]) -> Any:
    """Run a cell, and return the value of its last expression."""
    file, (*before, last) = file_of_cell(source), ast.parse(source).body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(before, []), file, "exec"), names)
    return eval(compile(ast.Expression(last.value), file, "eval"), names)


class Lesson:
    """A namespace in which cells are run, each with its own file name, as in IPython."""

    def __init__(self, unit: str, *cells: str) -> None:
        self.unit = unit
        self.names: dict[str, Any] = {"__name__": "__main__", "In": [""]}
        for cell in (f"from {read_unit(unit).module.__name__} import *", *cells):
            self.run(cell)

    def run(self, cell: str) -> None:
        """Run a cell; an error stops it, as in a notebook."""
        self.names["In"].append(cell)
        exec(compile(cell, file_of_cell(cell), "exec", dont_inherit=True), self.names)

    def check(self, name: str) -> Result:
        """Return the result that `check` shows if only the course is installed."""
        has_references = catalogue.examiner() is None and catalogue.reference_provider() is not None
        return check_answer(answer_in_namespace(self.names, name, self.unit), None, has_references)
