"""Grade the only submission in a folder, for platforms that start a grader for each one. Called by their hosts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from autograder.grading.run import grade
from autograder.report.model import UNGRADED, Graded
from autograder.report.words import problem_text, remark_lines
from autograder.submission.find import find_notebooks
from autograder.submission.model import AssignmentPoints, Submission
from autograder.submission.sort import NotebookError, read_submission
from autograder.term.assignments import all_of, with_points
from autograder.term.course import Course, read_course
from autograder.text import counted, shown_name
from autograder.units.pack import Catalogue, catalogue_here
from autograder.units.unit import read_unit


@dataclass(frozen=True)
class SingleAssignment:
    """An assignment of a course, or a unit, that a platform gives for one notebook."""

    course: Course
    unit: str
    points: AssignmentPoints

    def graded(self, folder: Path, but: Path | None = None) -> SingleReport:
        """Return the report on the notebook in a folder. Raises NotebookError if there is none."""
        path, submission, remark = only_submission(folder, self.unit, self.points, self.course.catalogue, but)
        report = grade(submission, self.course.policy)
        return SingleReport(path, with_points(report, self.points.get(self.unit, {})), remark)


@dataclass(frozen=True)
class SingleReport:
    """The report on a platform's notebook, and a remark about other notebooks."""

    path: Path
    report: Graded
    remark: str

    @property
    def summary(self) -> str:
        """Return the points and all remarks, each on a line."""
        report = self.report
        points = f"{report.title}: {report.points:g} of {report.of:g} points"
        return "\n".join(filter(None, (points, *remark_lines(report), self.remark)))

    @property
    def problems(self) -> list[str]:
        """Return why exercises could not be graded. Then the platform gets no mark."""
        return [problem_text(each) for each in self.report.exercises if each.state == UNGRADED]


def single_assignment(source: Path, unit: str, name: str) -> SingleAssignment:
    """Return the assignment in a folder that a `foldem` command made for a platform."""
    course = read_course(source, catalogue_here())
    return SingleAssignment(course, unit, course.assignments.get(name) or all_of(read_unit(course.catalogue, unit)))


def only_submission(
    folder: Path, unit: str, parts: AssignmentPoints, catalogue: Catalogue, but: Path | None = None
) -> tuple[Path, Submission, str]:
    """Return the first notebook of a unit in a folder, and a remark if there are several."""
    paths = [path for _, path in find_notebooks([folder], catalogue) if not (but and path.is_relative_to(but))]
    read = [(path, _read(path, parts, catalogue)) for path in paths]
    good = [(path, submission) for path, submission in read if isinstance(submission, Submission)]
    if not good:
        missing = f"no notebook of {unit} found: submit your .ipynb file"
        raise NotebookError(next((str(problem) for _, problem in read), missing))
    (path, submission), *more = good
    others = counted(len(more), "other notebook")
    graded = f"{shown_name(path.name)} was graded"
    remark = f"{graded}; {others} {'was' if len(more) == 1 else 'were'} ignored" if more else ""
    return path, submission, remark


def _read(path: Path, parts: AssignmentPoints, catalogue: Catalogue) -> Submission | NotebookError:
    try:
        return read_submission(path, catalogue, parts=parts)
    except NotebookError as error:
        return NotebookError(f"{shown_name(path.name)}: {error}")
