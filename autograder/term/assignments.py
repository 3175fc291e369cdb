"""Assignments: their exercises and points, read from the course's source notebooks; deadlines, and how late a file is.

Points are never read from a student's file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from glob import escape
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec.structs import replace

from autograder.config import ConfigError
from autograder.report.model import ExerciseReport, Graded
from autograder.submission.model import AssignmentPoints
from autograder.submission.reading import CHECK, AnyCell, NotebookError, grade_id, read_file, read_notebook
from autograder.submission.sort import unit_of
from autograder.term import TermError
from autograder.term.files import SUBMITTED_FOLDER, CourseFolder
from autograder.text import count_text
from autograder.toml import Number, is_of_type, unknown_name_message
from autograder.units.pack import Catalogue
from autograder.units.unit import Unit, read_unit
from course.limits import LONGEST_TIME_FILE


def scaled_points(points: float, of: float, to: float) -> float:
    """Return `points` scaled from the maximum `of` to the maximum `to`.

    >>> scaled_points(1, 1, 10), scaled_points(0.5, 1, 10), scaled_points(1, 3, 1), scaled_points(0.7, 2, 2)
    (10, 5.0, 0.33, 0.7)
    """
    if to == of:
        return points
    return min(to, round(points * to / of + 1e-9, 2)) if of else 0.0


def scaled_report(report: ExerciseReport, to: float) -> ExerciseReport:
    """Return an exercise's report with its points scaled so that the maximum is `to`."""
    if to == report.of:
        return report
    points, form = (scaled_points(each, report.of, to) for each in (report.points, report.form_points))
    return replace(report, points=points, of=to, form_points=form, form_of=scaled_points(report.form_of, report.of, to))


def with_points(report: Graded, points: Mapping[str, float]) -> Graded:
    """Return a report with the points that a course sets for each exercise."""
    return replace(
        report, exercises=tuple(scaled_report(each, points.get(each.name, each.of)) for each in report.exercises)
    )


def points_of(cell: AnyCell) -> float | None:
    """Return the points of a check cell in nbgrader's metadata, or None if the metadata has no points."""
    data = cell.metadata.get("nbgrader") if isinstance(cell.metadata, dict) else None
    points = data.get("points") if isinstance(data, dict) else None
    return points if is_of_type(Number, points) else None


SOURCE_FOLDER = "source"
MOVE_ADVICE = "Move the file to submitted/<student>/<assignment>/."


def assignments_in(course: CourseFolder) -> dict[str, AssignmentPoints]:
    """Return the points of each assignment in a course, by the assignment's name.

    Without a course folder, return {}.
    """
    units, assignments = course.catalogue.by_stem, dict[str, AssignmentPoints]()
    folders = sorted(course.root.glob(f"{SOURCE_FOLDER}/*/")) if course.root else []
    for folder in filter(Path.is_dir, folders):
        points_by_unit = dict[str, Mapping[str, float]]()
        for path in (path for path in sorted(folder.glob("*.ipynb")) if path.stem in units):  # others have no unit
            points_by_unit |= _unit_points_in(path, read_unit(course.catalogue, units[path.stem]))
        assignments[folder.name] = {name: points for name, points in points_by_unit.items() if points}
    return assignments


def points_of_unit(unit: Unit) -> AssignmentPoints:
    """Return the points of an assignment that consists of a complete unit."""
    return {unit.name: {exercise.name: exercise.points for exercise in unit.exercises}}


def unknown_assignment_message(root: Path, name: str) -> str:
    """Return a message if a course has no assignment of this name.

    Return "" if the course has such an assignment, or has no source notebooks.
    """
    names = [path.name for path in sorted(root.glob(f"{SOURCE_FOLDER}/*")) if path.is_dir()]
    if not names or name in names or any(root.glob(f"{SUBMITTED_FOLDER}/*/{escape(name)}")):
        return ""
    return f"{unknown_name_message('assignment', name, names)} (`foldem course` makes new assignments)"


def chosen_assignment(
    course: CourseFolder, assignments: Mapping[str, AssignmentPoints], assignment: str | None, unit: str | None
) -> tuple[str, str]:
    """Return the names of the assignment ("" for none) and of the unit that the options select.

    Raises ConfigError if the options don't select exactly one unit.
    """
    if course.root is None:
        if assignment or not unit:
            raise ConfigError("choose an assignment with --course and --assignment, or a complete unit with --unit")
        return "", unit
    if assignment is None or assignment not in assignments:
        wrong = unknown_name_message("assignment", assignment, assignments) if assignment else "add --assignment"
        raise ConfigError(f"{course.root}: {wrong}")
    units = [each for each in assignments[assignment] if unit in (None, each)]
    if len(units) != 1:
        raise ConfigError(f"the assignment has several units: add --unit {' or --unit '.join(assignments[assignment])}")
    return assignment, units[0]


def assignment_of(path: Path, folder: str, assignments: Mapping[str, AssignmentPoints], catalogue: Catalogue) -> str:
    """Return a submission's assignment: the name of its folder, or else the only assignment with the notebook's unit.

    Raises NotebookError if the assignment is unknown, or if several assignments match.
    """
    if folder in assignments or not assignments:
        return folder
    if folder:
        raise NotebookError(
            f"this course has no assignment {folder!r}, only the assignments {', '.join(assignments)}. {MOVE_ADVICE}"
        )
    unit = unit_of(read_notebook(path), catalogue)
    fitting = [name for name, parts in assignments.items() if unit.name in parts]
    if len(fitting) > 1:
        raise NotebookError(f"several assignments have a notebook of {unit.name}: {', '.join(fitting)}. {MOVE_ADVICE}")
    return fitting[0] if fitting else ""


def assignment_points_in(path: Path, catalogue: Catalogue) -> AssignmentPoints:
    """Return the points of the exercises in a released notebook."""
    return _unit_points_in(path, unit_of(read_notebook(path), catalogue))


def _unit_points_in(path: Path, unit: Unit) -> AssignmentPoints:
    points = exercise_points_in(path)
    return {unit.name: {name: points[name] for name in unit.by_name if name in points}}


def source_points(course: CourseFolder, assignment: str, unit: str) -> Mapping[str, float]:
    """Return the points of the exercises in a course's source notebook, or {} if there is no such notebook."""
    path = course.root / SOURCE_FOLDER / assignment / f"{course.catalogue.stem(unit)}.ipynb" if course.root else None
    return exercise_points_in(path) if path and path.is_file() else {}


def assignments_with(course: CourseFolder, unit: str, exercise: str = "") -> list[str]:
    """Return the names of a course's assignments that contain a unit, or an exercise of this unit."""
    names = [folder.name for folder in sorted(course.root.glob(f"{SOURCE_FOLDER}/*/"))] if course.root else []
    points = {name: source_points(course, name, unit) for name in names}
    return [name for name in names if points[name] and exercise in ("", *points[name])]


def exercise_points_in(path: Path) -> Mapping[str, float]:
    """Return the points of the exercises in a notebook. Raises TermError if the notebook cannot be read.

    The points are cached until the file changes, because nbgrader's formgrader may run for months in one process.
    """
    state = path.stat()
    return _cached_points_in(path, (state.st_mtime_ns, state.st_size))


@cache
def _cached_points_in(path: Path, state: tuple[int, int]) -> Mapping[str, float]:
    try:
        cells = read_notebook(path).cells
    except NotebookError as error:
        raise TermError(f"{path}: {error}. To write this file again, run `foldem course --force`.") from None
    checks = ((grade_id(cell).removesuffix(CHECK), points_of(cell)) for cell in cells if grade_id(cell).endswith(CHECK))
    return {name: points for name, points in checks if points is not None}


# ------------------------------------------------------------------------------------------------ deadlines

STAMP_FILE = "timestamp.txt"
NO_DELAY = timedelta()
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Deadlines:
    """The deadlines of assignments, extensions for students, and the share of points that is deducted per late day.

    All times are in the course's time zone. If `handed_in` is given, this time is used instead of the submission's time
    stamp.
    """

    root: Path | None = None
    until: Mapping[str, datetime] = field(default_factory=dict)
    per_day: float = 0.0
    extended: Mapping[tuple[str, str], datetime] = field(default_factory=dict)
    handed_in: datetime | None = None

    def deadline_of(self, student: str, assignment: str) -> datetime | None:
        """Return the deadline of an assignment for a student, or None if there is none."""
        return self.extended.get((student, assignment)) or self.until.get(assignment)

    def lateness_of(self, student: str, assignment: str) -> timedelta:
        """Return how long after the deadline a submission was handed in, or zero if it was in time.

        The submission's time stamp says when it was handed in.
        """
        until = self.deadline_of(student, assignment)
        if until is None or self.root is None:
            return NO_DELAY
        there = self.handed_in or stamped_time(self.root / SUBMITTED_FOLDER / student / assignment / STAMP_FILE)
        return max(there - until, NO_DELAY) if there else NO_DELAY


def days_late(until: datetime, late: timedelta) -> int:
    """Return by how many days a file is late. A part of a day counts as a full day.

    Each day ends at the deadline's time of day, even if the clocks change between summer and winter time.

    >>> until = datetime(2026, 10, 24, 20, tzinfo=ZoneInfo("Europe/Berlin"))  # the clocks go back in the night
    >>> [days_late(until, timedelta(hours=hours)) for hours in (1, 24.5, 25.5)]
    [1, 1, 2]
    """
    handed_in = (until.astimezone(UTC) + late).astimezone(until.tzinfo)
    return max(1, -(-(handed_in.replace(tzinfo=None) - until.replace(tzinfo=None)) // timedelta(days=1)))


def stamped_time(file: Path) -> datetime | None:
    """Return the time in a time stamp (a file of nbgrader's exchange or of `foldem collect`), or None if it is invalid.

    A student may have made the file, so the file can be a symbolic link, a pipe or an endless text.
    """
    try:
        day, hour, *zone = read_file(file, LONGEST_TIME_FILE).decode().split()
        moment = datetime.fromisoformat(f"{day} {hour}")
        return (moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(zone[0]) if zone else UTC)).astimezone(UTC)
    except (OSError, ValueError, OverflowError, ZoneInfoNotFoundError):
        return None


def lateness_text(late: timedelta) -> str:
    """Return how late a file is, in words.

    >>> [lateness_text(timedelta(days, minutes=minutes)) for days, minutes in ((1, 123), (1, 3), (0, 3))]
    ['1 day 2 h', '1 day 3 min', '3 min']
    """
    hours, minutes = late.seconds // 3600, late.seconds // 60 % 60
    if late.days:
        return f"{count_text(late.days, 'day')} {f'{hours} h' if hours else f'{minutes} min'}"
    return f"{hours} h {minutes} min" if hours else f"{max(minutes, 1)} min"
