"""A learner at work with only the course and no shell: cells are run one after another, and checked."""

from __future__ import annotations

import linecache
from itertools import count
from typing import Any

from course.kernel import catalogue
from course.learner.answer import answer_among
from course.learner.checking import check_answer
from course.show.results import Result
from tests.units import read_unit

numbers = count(1)


class Lesson:
    """A namespace in which cells are run, each with its own file name, as in IPython."""

    def __init__(self, unit: str, *cells: str) -> None:
        self.unit = unit
        self.names: dict[str, Any] = {"__name__": "__main__", "In": [""]}
        for cell in (f"from {read_unit(unit).module.__name__} import *", *cells):
            self.run(cell)

    def run(self, cell: str) -> None:
        """Run a cell; an error stops it, as in a notebook."""
        file = f"<lesson {next(numbers)}>"
        self.names["In"].append(cell)
        linecache.cache[file] = (len(cell), None, cell.splitlines(keepends=True), file)
        exec(compile(cell, file, "exec", dont_inherit=True), self.names)

    def check(self, name: str) -> Result:
        """Return the result that `check` shows if only the course is installed."""
        lender = None if catalogue.examiner() else catalogue.references()
        return check_answer(answer_among(self.names, name, self.unit), None, lender)
