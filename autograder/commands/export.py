"""`foldem export`: export the marks of a course for a learning platform. A missing mark stays blank; it is never 0."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType

from rich.console import Console
from toolz import groupby

from autograder.commands.forget import write_zip
from autograder.commands.options import ExportOptions
from autograder.config import ConfigError
from autograder.report.model import Graded, Ungradable
from autograder.report.render import report_page
from autograder.report.stops import BadFile
from autograder.report.words import extra_row_text
from autograder.submission.find import find_notebooks, page_file_name
from autograder.term import view
from autograder.term.course import Course, chosen_course
from autograder.term.files import SUBMITTED_FOLDER, atomic_text_file, locate_files
from autograder.term.gradebook import is_graded_by_nbgrader
from autograder.term.results import content_digest_of, stored_code
from autograder.term.roster import Student, moodle_names_in
from autograder.term.store import Store, course_name_in
from autograder.term.view import ShownReport, counting_file
from autograder.text import safe_cell_of_text, shown_name
from autograder.units.pack import Catalogue

FEEDBACK_FORMAT = "moodle-feedback"
PAGES_ADVICE = "`foldem grade {} --out reports` writes a page for each student."
ExportRow = list[str]


def run(options: ExportOptions) -> int:
    """Write the marks or feedback pages of a course, print the ungraded submissions, and return the exit status."""
    course, kind = chosen_course(None, options.course), options.to
    root = course.folder
    if kind not in (*FORMATS, FEEDBACK_FORMAT):
        raise ConfigError(f"unknown format {kind!r}: the formats are {', '.join((*FORMATS, FEEDBACK_FORMAT))}")
    if strange := [title for title in options.title or () if not all(title.partition("="))]:
        raise ConfigError(f"write --title assignment=title, not {strange[0]!r}")
    store = course.store(options.store)
    name = course_name_in(store, root)
    outlines = list(store.results_without_reports(name))
    others = {student for student, *_ in course.all_adjustments.marks}
    if not outlines and not others:
        raise ConfigError(f"{store.where} has no results of {root} yet. Run `foldem grade {root}` first.")
    notebooks = (
        find_notebooks([root / SUBMITTED_FOLDER], course.catalogue) if (root / SUBMITTED_FOLDER).is_dir() else ()
    )
    graded = {entry.place: entry.content for entry in outlines}
    ungraded = [
        each.name
        for each in locate_files(notebooks, root, name)
        if not is_graded_by_nbgrader(course, each.assignment, each.path.stem)
        and graded.get(each.place) != content_digest_of(each.path)
    ]
    course.adjustments.ensure_known_students({entry.student for entry in outlines}, others, course.roster)
    reports = view.shown_reports(store, name, course.all_adjustments)
    console = Console(markup=False, emoji=False, highlight=False, soft_wrap=True)
    if ungraded:
        remedy = f"Run `foldem grade {root}`, then export again."
        console.print(
            f"these submissions are new or have changed since the last grading: {_joined_names(ungraded)}. {remedy}"
        )
    for line in (
        _write_feedback(course, store, reports, options)
        if kind == FEEDBACK_FORMAT
        else _write_marks(course, reports, options)
    ):
        console.print(line)
    return int(bool(ungraded))


def _write_marks(course: Course, reports: Iterable[ShownReport], options: ExportOptions) -> Iterator[str]:
    """Write the marks. Yield lines about students who have no mark, or are not in the roster."""
    roster = course.roster
    parts = {name: {*units} for name, units in course.assignments.items()}
    marks = marks_of(reports, course.catalogue, parts)
    strangers = sorted({student for student, _ in marks.items} - set(roster))
    students = [*roster.values(), *map(Student, strangers)]
    path = options.out or course.folder / f"marks-{options.to}.csv"
    titles = dict(title.split("=", 1) for title in options.title or ())
    if path.exists() and not path.is_file():
        raise ConfigError(f"{path} is not a file: choose a file name, such as marks.csv")
    with atomic_text_file(path.resolve()) as file:
        csv.writer(file).writerows(map(safe_cell_of_text, row) for row in FORMATS[options.to](students, marks, titles))
    for assignment in marks.assignments:
        if without := [each.id for each in students if not marks.points(each.id, assignment)]:
            reasons = "no file, not graded, or cells that nbgrader has not marked"
            yield f"{assignment}: no mark for {_joined_names(without)} ({reasons})"
    if strangers and roster:
        yield f"not in roster.csv: {_joined_names(strangers)}"
    yield f"Marks: {path}"


def _write_feedback(
    course: Course, store: Store, reports: Iterable[ShownReport], options: ExportOptions
) -> Iterator[str]:
    """Write a zip of feedback for each assignment, in Moodle's layout. Yield a line about missing pages.

    A folder that several students share gets no feedback.
    """
    root, names = course.folder, moodle_names_in(course.folder)
    otherwise = PAGES_ADVICE.format(root)
    if not names:
        raise ConfigError(f"no file in {root} was collected from Moodle. {otherwise}")
    for assignment, items in groupby(lambda item: item.assignment, reports).items():
        labels = {student: label for (of, student), label in names.items() if of == assignment}
        if without := sorted({item.student for item in items} - set(labels)):
            yield f"{assignment}: not collected from Moodle: {_joined_names(without)}. {otherwise}"
        shared = {label: own for label, own in groupby(labels.__getitem__, labels).items() if len(own) > 1}
        for label, sharing in shared.items():
            why = f"share one folder in Moodle ({label}), so it gets no page. {otherwise}"
            yield f"{assignment}: {_joined_names(sorted(sharing))} {why}"
        all_pages = dict[str, str]()
        for item in (item for item in items if labels.get(item.student, "") not in ("", *shared)):
            sources = stored_code(store, item.content).sources
            path = f"{labels[item.student]}_assignsubmission_file/{page_file_name(PurePosixPath(item.name).name)}"
            all_pages[path] = report_page(item.report, item.name, sources, shown_name(item.student))
        if all_pages:
            write_zip(zipped := (options.out or root) / f"feedback-{assignment}.zip", all_pages)
            yield f"Feedback: {zipped}"


def _joined_names(students: Iterable[str]) -> str:
    return ", ".join(map(shown_name, students))


# ------------------------------------------------------------------------------------------------ marks


@dataclass(frozen=True)
class Marks:
    """The marks of a course: for each student and assignment, the reports that count."""

    items: Mapping[tuple[str, str], Sequence[ShownReport]]

    @property
    def assignments(self) -> list[str]:
        return sorted({assignment for _, assignment in self.items})

    def _graded_reports(self, student: str, assignment: str) -> list[Graded]:
        """Return the reports on a student's notebooks; none if one of them is missing or ungraded."""
        items = self.items.get((student, assignment), ())
        graded = [each.report for each in items if isinstance(each.report, Graded) and each.report.is_graded]
        return graded if len(graded) == len(items) else []

    def points(self, student: str, assignment: str, blank: str = "") -> str:
        """Return a student's points for an assignment, rounded as in an export; `blank` if there is no mark."""
        reports = self._graded_reports(student, assignment)
        return rounded_points(sum(each.points for each in reports)) if reports else blank

    def points_possible(self, assignment: str) -> str:
        """Return an assignment's possible points, rounded as in an export.

        If students' totals differ, the most frequent one counts.
        """
        marked = (self._graded_reports(student, name) for student, name in self.items if name == assignment)
        totals = [sum(each.of for each in reports) for reports in marked if reports]
        return rounded_points(max(totals, key=totals.count, default=0.0))

    def feedback_line(self, student: str, assignment: str) -> str:
        """Return a line with the number of solved exercises, and with points added or deducted.

        Return "" if there is no mark.
        """
        reports = self._graded_reports(student, assignment)
        if not reports:
            return ""
        solved, exercises = sum(each.solved for each in reports), sum(len(each.exercise_reports) for each in reports)
        others = [extra_row_text(each) for report in reports for each in report.exercises if not each.number]
        return "; ".join((f"{solved} of {exercises} exercises solved", *others))


def rounded_points(points: float) -> str:
    """Return points as text, rounded to at most two decimals.

    >>> rounded_points(45.79999999999999), rounded_points(50.0), rounded_points(-0.001)
    ('45.8', '50', '0')
    """
    return f"{round(points, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def marks_of(
    reports: Iterable[ShownReport],
    catalogue: Catalogue,
    parts: Mapping[str, Set[str]] = MappingProxyType({}),
) -> Marks:
    """Return the marks of all students, from these reports.

    If a student has several files for a unit, only one of these files is used. `parts` are the units of each
    assignment. A student who has not submitted all units of an assignment gets no mark for the assignment. Units
    outside of the assignment are ignored.
    """
    files: dict[tuple[str, str, str], list[ShownReport]] = defaultdict(list)
    for item in reports:
        files[item.student, item.assignment or item.report.unit, item.report.unit].append(item)
    marks: dict[tuple[str, str], list[ShownReport]] = defaultdict(list)
    for student, assignment in {(student, assignment) for student, assignment, _ in files}:
        if not all((student, assignment, unit) in files for unit in parts.get(assignment, ())):
            marks[student, assignment].append(ShownReport("", "", student, assignment, Ungradable(BadFile("missing"))))
    for (student, assignment, unit), items in files.items():
        is_set = unit in parts.get(assignment, {unit}) or unit not in ("", *catalogue.units)
        if is_set and (unit or (student, assignment) not in marks):
            counts = counting_file([item.name for item in items], unit, catalogue)
            marks[student, assignment].append(next(item for item in items if item.name == counts))
    return Marks(marks)


def csv_rows(students: Sequence[Student], marks: Marks, titles: Mapping[str, str]) -> Iterator[ExportRow]:
    """Yield the rows of a plain table: columns about the student, then a column of points for each assignment."""
    yield ["id", "name", "e-mail", "group", "section", *(titles.get(name, name) for name in marks.assignments)]
    for each in students:
        points = (marks.points(each.id, name) for name in marks.assignments)
        yield [each.id, each.name, each.email, each.group, each.section, *points]


def moodle_rows(students: Sequence[Student], marks: Marks, titles: Mapping[str, str]) -> Iterator[ExportRow]:
    """Yield the rows for Moodle's grade import (as documented for Moodle 3.11 to 4.5), in which `-` means no grade.

    The teacher can let Moodle match users by id number, address or username. Points and feedback must be imported
    together, or the grades are lost. If a student's id is the email address, the id number is left blank.
    """
    names = [titles.get(name, name) for name in marks.assignments]
    head = [title for name in names for title in (name, f"{name} (feedback)")]
    yield ["ID number", "Username", "Email address", "Full name", *head]
    for each in students:
        cells = ((marks.points(each.id, a, "-"), marks.feedback_line(each.id, a)) for a in marks.assignments)
        yield [
            "" if each.id == each.email else each.id,
            *(each.login, each.email, each.name),
            *(cell for pair in cells for cell in pair),
        ]


def canvas_rows(students: Sequence[Student], marks: Marks, titles: Mapping[str, str]) -> Iterator[ExportRow]:
    """Yield the rows of Canvas's gradebook. Five columns are about the student; then each assignment has a column.

    The titles are in the first row, and the row `Points Possible` is below them.
    """
    names = marks.assignments
    yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *(titles.get(name, name) for name in names)]
    yield ["    Points Possible", "", "", "", "", *map(marks.points_possible, names)]
    for each in students:
        points = (marks.points(each.id, name) for name in names)
        sis = each.sis or (each.id if each.id != each.canvas else "")
        yield [each.name, each.canvas, sis, each.login, each.section, *points]


FORMATS: dict[str, Callable[[Sequence[Student], Marks, Mapping[str, str]], Iterator[ExportRow]]] = {
    "csv": csv_rows,
    "moodle": moodle_rows,
    "canvas": canvas_rows,
}
