"""Adjustments in `adjust.toml`: a teacher's changes to marks. Adjustments are applied when reports are shown.

The store contains the reports without adjustments. After a change of an adjustment, nothing needs to be graded again.
Removing an adjustment restores the marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from dataclasses import replace as with_fields
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from autograder.config import ConfigError, settings_file_for
from autograder.grading.run import with_computed_points
from autograder.report.model import PASSED, UNGRADED, WRONG, ExerciseReport, Graded, Report, Ungradable
from autograder.report.words import stop_text
from autograder.term import TermError
from autograder.term.assignments import (
    Deadlines,
    assignments_with,
    days_late,
    lateness_text,
    scaled_report,
    source_points,
    unknown_assignment_message,
)
from autograder.term.files import CourseFolder
from autograder.text import count_text
from autograder.toml import (
    REASONABLE_RANGE,
    Switch,
    T,
    Text,
    line_number_of,
    parse_toml,
    read_text,
    table_errors,
    unknown_name_message,
)
from autograder.units.unit import Unit, read_unit

ADJUST_FILE = "adjust.toml"
ACCEPTED, DROPPED = "accepted", "dropped"
BONUS, BY_HAND, LATENESS, EXTRA_CREDIT = "bonus", "mark by hand", "lateness", "extra credit"
OUTDATED_MARK = "outdated mark"


@dataclass(frozen=True)
class ManualChange:
    """A mark by hand, a bonus or a comment for one student.

    `exercise` is "" if the change is for a complete unit. A change without an `assignment` applies to all assignments
    with the unit. Extra credit is added after all other changes. Comments and outdated marks do not change the points.
    A mark is outdated if it was given for an earlier answer.
    """

    kind: str
    student: str
    unit: str
    points: float
    exercise: str = ""
    comment: str = ""
    assignment: str = ""

    @property
    def outdated_remark(self) -> str:
        """Return the sentence that a report shows about an outdated mark."""
        return f"The mark by hand ({self.points:g}) was for an earlier answer, so it does not count"

    def is_for(self, student: str, assignment: str, unit: str) -> bool:
        """Return whether this change applies to a student's submission for an assignment."""
        return (self.student, self.unit) == (student, unit) and self.assignment in ("", assignment)


@dataclass(frozen=True)
class Adjustments:
    """All adjustments of a course: `changes` of exercises for all students, and `singles` for single students."""

    course: CourseFolder
    changes: Mapping[tuple[str, str], ChangeTable] = field(default_factory=dict)
    singles: tuple[ManualChange, ...] = ()
    deadlines: Deadlines = field(default_factory=Deadlines)

    def ensure_known_students(self, *known: Iterable[str]) -> None:
        """Raise TermError if an adjustment is for a student who is in none of the lists `known`."""
        names, meant = set[str]().union(*known), {single.student for single in self.singles}
        if strangers := sorted((meant | {student for student, _ in self.deadlines.extended}) - names):
            raise TermError(f"{ADJUST_FILE}: {unknown_name_message('student', strangers[0], sorted(names))}")

    def adjusted_report(self, report: Report, student: str, assignment: str, file: str = "") -> Report:
        """Return a student's report with the adjustments applied.

        If the file could not be graded, the unit is found by the file's name.
        """
        if not isinstance(report, Graded):
            unit = self.course.catalogue.by_stem.get(Path(file).stem, "")
            return self._report_marked_by_hand(report, student, assignment, unit)
        points = source_points(self.course, assignment, report.unit)
        exercises = [self._with_exercise_change(report.unit, exercise, points) for exercise in report.exercises]
        own = [single for single in self.singles if single.is_for(student, assignment, report.unit)]
        for single in (single for single in own if single.kind != EXTRA_CREDIT):
            exercises = _with_manual_change(exercises, single)
        exercises += self._late_deduction(student, assignment, exercises)
        if extra := [single for single in own if single.kind == EXTRA_CREDIT]:  # deductions do not reduce it
            whence = tuple(f"{single.points:+g} for {single.exercise}, in the formgrader" for single in extra)
            total = sum(single.points for single in extra)
            exercises.append(ExerciseReport(EXTRA_CREDIT, 0, PASSED, total, 0.0, remarks=whence))
        return replace(report, exercises=tuple(exercises))

    def _report_marked_by_hand(self, report: Ungradable, student: str, assignment: str, unit: str) -> Report:
        """Return a report on an ungradable file, if marks by hand cover all exercises; else the original report."""
        if not any(each.kind == "mark" and each.is_for(student, assignment, unit) for each in self.singles):
            return report
        its_unit = read_unit(self.course.catalogue, unit)
        names = source_points(self.course, assignment, unit)
        blank = tuple(
            ExerciseReport(each.name, each.number, UNGRADED, 0.0, each.points, stop=report.reason)
            for each in its_unit.exercises
            if each.name in (names or its_unit.by_name)
        )
        marked = self.adjusted_report(
            Graded(unit, its_unit.title, "", "", "", blank, (stop_text(report.reason),)), student, assignment
        )
        return marked if marked.is_graded else report

    def _late_deduction(self, student: str, assignment: str, exercises: list[ExerciseReport]) -> list[ExerciseReport]:
        """Return the deduction for lateness, if any. A mark by hand for the complete unit replaces this deduction."""
        late, until = self.deadlines.lateness_of(student, assignment), self.deadlines.deadline_of(student, assignment)
        if not late or until is None or any(each.name == BY_HAND for each in exercises):
            return []
        days = days_late(until, late)
        cost = min(1.0, days * self.deadlines.per_day)
        lost = round(cost * sum(each.points for each in exercises), 2)
        as_days = f", counted as {count_text(days, 'day')}" if late.days else ""
        message = f"late by {lateness_text(late)}" + f"{as_days}: {cost:.0%} of the points" * bool(cost)
        return [ExerciseReport(LATENESS, 0, PASSED, -lost if lost else 0.0, 0.0, remarks=(message,))]

    def _with_exercise_change(self, unit: str, report: ExerciseReport, points: Mapping[str, float]) -> ExerciseReport:
        change = self.changes.get((unit, report.name), ChangeTable())
        if change.dropped:
            report = _with_teachers_points(report, 0.0)
            text = "dropped: does not count"
            return replace(report, points=0.0, of=0.0, form_points=0.0, form_of=0.0, remarks=(*report.remarks, text))
        report = _with_facet_changes(report, change.facets)
        if change.accepted:
            report = replace(
                _with_teachers_points(report, report.of), remarks=(*report.remarks, "accepted for everyone")
            )
        return scaled_report(report, points.get(report.name, report.of) if change.points is None else change.points)


def _with_facet_changes(report: ExerciseReport, changes: Mapping[str, str]) -> ExerciseReport:
    """Return a report in which some facets are accepted or dropped, with the new points."""
    pairs = [(facet, changes.get(facet.name) or changes.get(facet.shown_name)) for facet in report.facets]
    if not any(change for _, change in pairs):
        return report
    facets = tuple(
        replace(facet, passed=True, failure=None, stop=None) if change == ACCEPTED else facet
        for facet, change in pairs
        if change != DROPPED
    )
    texts = tuple(f"{change} for everyone: {facet.shown_name}" for facet, change in pairs if change)
    now = replace(report, facets=facets, remarks=report.remarks + texts)
    if facets and all(facet.passed for facet in facets):
        now = replace(now, state=PASSED, mistake=None)
    share = report.form_of / report.of if report.of else 0.0
    return with_computed_points(now, SimpleNamespace(points=report.of), share)  # type: ignore[arg-type]


def _with_teachers_points(report: ExerciseReport, points: float) -> ExerciseReport:
    """Return a report with a teacher's points. An ungraded exercise then counts as graded."""
    if report.state != UNGRADED:
        return replace(report, points=points)
    return replace(report, points=points, state=PASSED if points >= report.of else WRONG)


def _with_manual_change(exercises: list[ExerciseReport], single: ManualChange) -> list[ExerciseReport]:
    """Return the exercises with one student's adjustment. An adjustment for the complete unit becomes an extra row."""
    comment = (single.comment,) if single.comment else ()
    if not single.exercise:
        points = single.points
        if single.kind == "mark":
            exercises = [_with_teachers_points(each, each.points) for each in exercises]
            points = round(points - sum(each.points for each in exercises), 2)
        name = BONUS if single.kind == "bonus" else BY_HAND
        return [*exercises, ExerciseReport(name, 0, PASSED, points, 0.0, remarks=comment)]
    remarks = (f"{BY_HAND}: {single.points:g}", *comment)
    if single.kind in (OUTDATED_MARK, "comment"):
        remarks = (single.outdated_remark,) if single.kind == OUTDATED_MARK else comment
    is_mark = single.kind not in (OUTDATED_MARK, "comment")
    now = []
    for each in exercises:
        if each.name == single.exercise:
            each = replace(
                _with_teachers_points(each, single.points) if is_mark else each, remarks=each.remarks + remarks
            )
        now.append(each)
    return now


# ------------------------------------------------------------------------------------------------ the file

Points: TypeAlias = Annotated[
    Annotated[int, REASONABLE_RANGE] | Annotated[float, REASONABLE_RANGE], Meta(description="a number, 0 or more")
]
Instant: TypeAlias = Annotated[
    datetime, Meta(tz=True, description="a time with a UTC offset, like 2026-03-01T23:59:00+01:00")
]
FacetChanges: TypeAlias = Annotated[
    dict[str, Literal["accepted", "dropped"]], Meta(description='{ "its name" = "accepted" }, or "dropped"')
]


@dataclass(frozen=True)
class ChangeTable:
    """The table `[<unit>.<exercise>]` in `adjust.toml`: a change of an exercise for all students."""

    points: Points | None = None
    """Other points for the exercise."""
    accepted: Switch = False
    """Whether everyone gets full points for the exercise."""
    dropped: Switch = False
    """Whether the exercise does not count."""
    facets: FacetChanges = field(default_factory=dict)
    """Changes of single rules, by name or text. Everyone passes an `accepted` rule; a `dropped` one does not count."""


@dataclass(frozen=True)
class BonusTable:
    """A table `[[bonus]]` in `adjust.toml`: additional points for one student in a unit."""

    student: Text
    """The id of the student."""
    unit: Text
    """The unit."""
    points: Points
    """The points."""
    comment: Text = ""
    """A sentence for the student's report."""
    assignment: Text = ""
    """The assignment; needed only if several have the unit, or the exercise."""


@dataclass(frozen=True)
class MarkTable(BonusTable):
    """A table `[[mark]]` in `adjust.toml`: a teacher's mark for one student, in an exercise or a complete unit."""

    exercise: Text = ""
    """The exercise; empty for all of the unit."""


@dataclass(frozen=True)
class ExtensionTable:
    """A table `[[extension]]` in `adjust.toml`: a later deadline for one student."""

    student: Text
    """The id of the student."""
    assignment: Text
    """The assignment."""
    until: Instant
    """The new deadline."""
    comment: Text = ""
    """A note for you."""


EXTENSION = "extension"
STUDENT_TABLES: Mapping[str, type] = {"mark": MarkTable, "bonus": BonusTable, EXTENSION: ExtensionTable}


@dataclass(frozen=True)
class AdjustFile:
    """A course's `adjust.toml`: its path and text. Its methods raise errors that name the line in the file."""

    path: Path
    text: str
    course: CourseFolder

    def error_at(self, wrong: str, *where: str | int) -> TermError:
        """Return a TermError that names the line of the key `where` in the file."""
        return TermError(f"{self.path}:{line_number_of(self.text, *where)}: {wrong}")

    def table(self, kind: type[T], data: Mapping[str, object], *where: str | int) -> T:
        """Return a TOML table as a value of the type `kind`. Raises TermError if the table is invalid."""
        for location, wrong in table_errors(kind, data, where):
            raise self.error_at(wrong, *location)
        return msgspec.convert(data, kind)

    def pop_tables(self, name: str, data: dict[str, object], kind: type[T]) -> list[T]:
        """Return all tables with this name as values, and remove them from the data."""
        rows = data.pop(name, [])
        if not isinstance(rows, list) or not all(isinstance(each, dict) for each in rows):
            raise self.error_at(f"write [[{name}]] above each {name}", name)
        return [self.table(kind, each, name, index) for index, each in enumerate(rows)]

    def unit(self, name: str, *where: str | int) -> Unit:
        """Return the unit with this name. Raises TermError if no unit has this name."""
        catalogue = self.course.catalogue
        if name not in catalogue.units:
            raise self.error_at(unknown_name_message("unit", name, catalogue.units), *where)
        return read_unit(catalogue, name)

    def ensure_exercise(self, unit: Unit, name: str, *where: str | int) -> None:
        """Raise TermError if the unit has no exercise of this name."""
        if name not in unit.by_name:
            raise self.error_at(f"{unit.name}: {unknown_name_message('exercise', name, unit.by_name)}", *where)


def adjustments_in(course: CourseFolder) -> Adjustments:
    """Read the adjustments of a course. Raises TermError, with a message of one line, if an adjustment is invalid."""
    if course.root is None:
        return Adjustments(course)
    path, settings = course.root / ADJUST_FILE, course.settings
    keys = dict.fromkeys(settings.group_assignments, "group_assignments")
    for name, key in (keys | dict.fromkeys(settings.deadlines, "deadlines")).items():
        if wrong := unknown_assignment_message(course.root, name):
            there = settings_file_for(course.root) or course.root
            raise ConfigError(f"{there}:{line_number_of(read_text(there, ConfigError), key, name)}: {wrong}")
    until = {name: settings.in_zone(moment) for name, moment in settings.deadlines.items()}
    deadlines = Deadlines(course.root, until, settings.late_per_day)
    if not path.is_file():
        return Adjustments(course, deadlines=deadlines)
    file = AdjustFile(path, read_text(path, TermError), course)
    tables = parse_toml(file.text, path, TermError)
    singles = (
        *_manual_changes_in(file, "mark", MarkTable, tables),
        *_manual_changes_in(file, "bonus", BonusTable, tables),
    )
    extended = dict[tuple[str, str], datetime]()
    for index, each in enumerate(file.pop_tables(EXTENSION, tables, ExtensionTable)):
        if wrong := unknown_assignment_message(course.root, each.assignment):
            raise file.error_at(wrong, EXTENSION, index, "assignment")
        extended[each.student, each.assignment] = settings.in_zone(each.until)
    changes = {
        (unit, name): change
        for unit, table in tables.items()
        for name, change in _exercise_changes_in(file, unit, table)
    }
    return Adjustments(course, changes, singles, with_fields(deadlines, extended=extended))


def _manual_changes_in(
    file: AdjustFile, kind: str, table: type[BonusTable], tables: dict[str, object]
) -> Iterator[ManualChange]:
    """Yield the changes for one student.

    The assignment must be named if several assignments have the unit or exercise.
    """
    for index, row in enumerate(file.pop_tables(kind, tables, table)):
        unit, exercise = file.unit(row.unit, kind, index, "unit"), getattr(row, "exercise", "")
        if exercise:
            file.ensure_exercise(unit, exercise, kind, index, "exercise")
        if wrong := unknown_assignment_message(file.path.parent, row.assignment) if row.assignment else "":
            raise file.error_at(wrong, kind, index, "assignment")
        having = assignments_with(file.course, row.unit, exercise)
        if not row.assignment and len(having) > 1:
            wrong = f"several assignments have {exercise or row.unit}: add assignment = {having[0]!r}"
            raise file.error_at(wrong, kind, index)
        yield ManualChange(kind, row.student, row.unit, row.points, exercise, row.comment, row.assignment)


def _exercise_changes_in(file: AdjustFile, name: str, exercises: object) -> Iterator[tuple[str, ChangeTable]]:
    unit = file.unit(name, name)
    if not isinstance(exercises, dict):
        raise file.error_at(f"name an exercise of the unit, as in [{name}.<exercise>]", name)
    for exercise, table in exercises.items():
        where = (name, exercise)
        file.ensure_exercise(unit, exercise, *where)
        if not isinstance(table, dict):
            raise file.error_at(f"write the exercise {exercise} as [{name}.{exercise}]", *where)
        change = file.table(ChangeTable, table, *where)
        if change.accepted and change.dropped:
            raise file.error_at("set only one of accepted and dropped", *where)
        yield exercise, change
