"""What `course.check` finds by its entry point: the whole exam for the cell in hand, or for a notebook's file."""

from __future__ import annotations

import atexit
from contextlib import suppress
from functools import cache
from pathlib import Path

from autograder import render
from autograder.config import policy_for
from autograder.grading import grade, grade_in, open_sandbox
from autograder.reports import Policy, Report
from autograder.sandbox.host import Sandbox
from autograder.submission import CHECK, NotebookError, grade_id, read_notebook, submission_of, submission_of_cells
from autograder.unit import read_unit
from course.results import OPEN, Result

AT_WORK = Policy(sandbox="off")


class Examiner:
    """Examines the learner's own cells (trusted: it is their machine), and notebook files under nbgrader."""

    def examine(self, unit_name: str, name: str, cells: list[str]) -> Result:
        """Give the result of one exercise, from the sources of the cells that were run."""
        submission = submission_of_cells(read_unit(unit_name), cells)
        policy = Policy(sandbox="off", exercises=(name,))
        report = grade_in(open_at_work(unit_name), submission, policy)
        return render.result_of(report[name])

    def grade_file(self, folder: str, name: str) -> tuple[float, Result]:
        """Give the mark and the result of one exercise of the notebook in a folder that checks it (graded once)."""
        report = graded_in(folder, name)
        found = [exercise for exercise in report.exercises if exercise.name == name]
        if not found:
            return 0.0, Result(name, OPEN, report.problem or "not part of this notebook")
        return found[0].points, render.result_of(found[0])


@cache
def open_at_work(unit_name: str) -> Sandbox:
    """Give the process that the learner's checks of a unit are forked from; it lives as long as the kernel."""
    sandbox = open_sandbox(unit_name, AT_WORK)
    sandbox.__enter__()
    atexit.register(sandbox.__exit__, None, None, None)
    return sandbox


def graded_in(folder: str, name: str) -> Report:
    """Give the report on the notebook in a folder that has the check of an exercise, as `foldem grade` gives it."""
    for path in sorted(Path(folder).glob("*.ipynb")):
        with suppress(NotebookError):
            if name + CHECK in map(grade_id, read_notebook(path).cells):
                return graded_file(path)
    return Report("", "", "", "", "", (), (), f"there is no notebook with the check of {name} in {folder}")


@cache
def graded_file(path: Path) -> Report:
    """Give the report on a notebook file, graded once however many checks ask for it."""
    return grade(submission_of(read_notebook(path)), policy_for(path.parent))
