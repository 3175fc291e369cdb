"""Cells that nbgrader grades: those of a notebook that are not a unit's, with their marks in nbgrader's gradebook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from autograder.grading.run import installed_version
from autograder.report.model import PASSED, UNGRADED, WRONG, ExerciseReport, Graded, Report
from autograder.report.stops import LeftToNbgrader
from autograder.submission.reading import CHECK, AnyCell, grade_id, read_notebook
from autograder.term.assignments import SOURCE, points_of
from autograder.term.files import SUBMITTED, CourseFolder
from autograder.units.pack import Catalogue
from autograder.units.unit import read_unit

LATE = "late penalty"  # nbgrader's own
MarksByCell = Mapping[tuple[str, str, str], Mapping[str, float]]  # by student, assignment and notebook; then by cell


@cache
def own_cells(catalogue: Catalogue, stem: str) -> frozenset[str]:
    """Return the names of our cells in a unit's notebook: an answer and a check for each exercise."""
    unit = catalogue.by_stem.get(stem)
    names = read_unit(catalogue, unit).by_name if unit else ()
    return frozenset(cell for name in names for cell in (name, name + CHECK))


@dataclass(frozen=True)
class Others:
    """The cells of a course that nbgrader grades, and their marks, as far as there are any."""

    marks: MarksByCell = field(default_factory=dict)
    comments: Mapping[tuple[str, str, str, str], str] = field(default_factory=dict)

    def added(self, report: Report, course: CourseFolder, student: str, assignment: str, stem: str) -> Report:
        """Return a report with a row for each cell that nbgrader grades."""
        marks, rows = self.marks.get((student, assignment, stem), {}), list[ExerciseReport]()
        path, own = _source(course, assignment, stem), own_cells(course.catalogue, stem)
        is_there = course.root and assignment and path.is_file()
        graded = _marked_in(path, (path.stat().st_mtime_ns, path.stat().st_size)) if is_there else ()
        for name, of in {name: of for name, of in graded if name not in own}.items():
            comment = self.comments.get((student, assignment, stem, name))
            remarks = (comment,) if comment else ()
            if name in marks:
                state = PASSED if marks[name] >= of else WRONG
                rows.append(ExerciseReport(name, 0, state, marks[name], of, remarks=remarks))
            elif of:
                rows.append(ExerciseReport(name, 0, UNGRADED, 0.0, of, stop=LeftToNbgrader()))
        if late := marks.get(LATE):
            rows.append(ExerciseReport(LATE, 0, PASSED, late, 0.0))
        return replace(report, exercises=(*report.exercises, *rows)) if isinstance(report, Graded) else report

    def reports(self, course: CourseFolder) -> Iterator[tuple[str, str, str, Report]]:
        """Yield location, student, assignment and report of each submitted notebook that belongs to no unit."""
        for path in sorted(course.root.glob(f"{SUBMITTED}/*/*/*.ipynb")) if course.root else ():
            student, assignment, _ = path.relative_to(course.folder / SUBMITTED).parts
            if is_of_nbgrader(course, assignment, path.stem):
                blank = Graded(path.stem, path.stem, installed_version(), "", "", ())
                report = self.added(blank, course, student, assignment, path.stem)
                yield str(path.relative_to(course.folder)), student, assignment, report


def is_of_nbgrader(course: CourseFolder, assignment: str, stem: str) -> bool:
    """Return whether a notebook of an assignment belongs to no unit, so that nbgrader grades all of it."""
    return bool(assignment) and stem not in course.catalogue.by_stem and _source(course, assignment, stem).is_file()


@cache
def _marked_in(path: Path, state: tuple[int, int]) -> tuple[tuple[str, float], ...]:
    """Return the cells of a notebook that nbgrader marks, with their points. The cache detects changed files."""
    return tuple((grade_id(cell), points_of(cell) or 0.0) for cell in read_notebook(path).cells if is_marked(cell))


def is_marked(cell: AnyCell) -> bool:
    """Return whether nbgrader has a mark for a cell: a test, a written answer, or a task."""
    data = cell.metadata.get("nbgrader") if isinstance(cell.metadata, dict) else None
    return isinstance(data, dict) and bool(data.get("grade") or data.get("task"))


def _source(course: CourseFolder, assignment: str, stem: str) -> Path:
    return (course.root or Path()) / SOURCE / assignment / f"{stem}.ipynb"
