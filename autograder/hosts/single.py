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
from autograder.units.pack import catalogue_here
from autograder.units.unit import read_unit


@dataclass(frozen=True)
class SingleReport:
    """The report on a platform's notebook, and a remark about other notebooks."""

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


def single_assignment(source: Path, unit: str, name: str) -> tuple[Course, AssignmentPoints]:
    """Return the course and assignment in a folder that a `foldem` command made for a platform."""
    course = read_course(source, catalogue_here())
    return course, course.assignments.get(name) or all_of(read_unit(course.catalogue, unit))


def single_report(
    course: Course, unit: str, points: AssignmentPoints, folder: Path, but: Path | None = None
) -> SingleReport:
    """Return the report on the first notebook of a unit in a folder. Raises NotebookError if there is none."""
    good, bad = list[tuple[Path, Submission]](), list[str]()
    for _, path in find_notebooks([folder], course.catalogue):
        if but is None or not path.is_relative_to(but):
            try:
                good.append((path, read_submission(path, course.catalogue, parts=points)))
            except NotebookError as error:
                bad.append(f"{shown_name(path.name)}: {error}")
    if not good:
        raise NotebookError(next(iter(bad), f"no notebook of {unit} found: submit your .ipynb file"))
    (path, submission), *more = good
    others = f"{counted(len(more), 'other notebook')} {'was' if len(more) == 1 else 'were'} ignored"
    remark = f"{shown_name(path.name)} was graded; {others}" if more else ""
    report = with_points(grade(submission, course.policy), points.get(unit, {}))
    return SingleReport(report, remark)
