"""Marks in the formats of learning platforms. A missing mark is blank (in Moodle `-`), never 0.

Moodle imports grades from CSV (documentation of 3.11 to 4.5). Any column can identify users: id number, address or
username. `-` means no grade. Points and feedback must be imported together, or the grades are lost.

Canvas imports the CSV format of its gradebook: five columns about the student, then a column for each assignment, with
only its title. The row `Points Possible` is below the titles.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from types import MappingProxyType

from autograder.report.model import UNGRADED, Graded, Ungradable
from autograder.report.stops import BadFile
from autograder.report.words import remark_text
from autograder.term.adjust import HandChange
from autograder.term.roster import Student
from autograder.term.view import ShownReport, counting
from autograder.units.pack import Catalogue

ExportRow = list[str]


@dataclass(frozen=True)
class Marks:
    """The marks of a course: the reports that count, by student and assignment, and the adjustments for students."""

    items: Mapping[tuple[str, str], Sequence[ShownReport]]
    singles: Sequence[HandChange] = ()

    @property
    def assignments(self) -> list[str]:
        return sorted({assignment for _, assignment in self.items})

    def _graded(self, student: str, assignment: str) -> list[Graded]:
        """Return the reports on a student's notebooks; none if one of them is missing or ungraded."""
        items = self.items.get((student, assignment), ())
        graded = [each.report for each in items if isinstance(each.report, Graded) and each.report.is_graded]
        return graded if len(graded) == len(items) else []

    def waits_for_nbgrader(self, student: str, assignment: str) -> bool:
        """Return whether a mark is missing because nbgrader has not marked some cells yet."""
        graded = [each.report for each in self.items.get((student, assignment), ()) if isinstance(each.report, Graded)]
        return any(each.state == UNGRADED for report in graded for each in report.others)

    def of(self, assignment: str) -> float:
        """Return the points that an assignment is worth for most students."""
        marked = (self._graded(student, name) for student, name in self.items if name == assignment)
        totals = [sum(each.of for each in reports) for reports in marked if reports]
        return max(totals, key=totals.count, default=0.0)

    def points(self, student: str, assignment: str, blank: str = "") -> str:
        """Return a student's points as exported."""
        reports = self._graded(student, assignment)
        return rounded_points(sum(each.points for each in reports)) if reports else blank

    def feedback(self, student: str, assignment: str) -> str:
        """Return a line of feedback, or "" without a mark."""
        reports = self._graded(student, assignment)
        solved, exercises = sum(each.solved for each in reports), sum(len(each.sets) for each in reports)
        comments = (text for item in self.items.get((student, assignment), ()) for text in self._comments(item))
        return "; ".join((f"{solved} of {exercises} exercises solved", *comments)) if reports else ""

    def _comments(self, item: ShownReport) -> Iterator[str]:
        """Yield a teacher's comments, and the points outside of exercises with their reasons."""
        own = (each for each in self.singles if each.is_for(item.student, item.assignment, item.report.unit))
        yield from (f"{each.exercise}: {each.comment}" for each in own if each.exercise and each.comment)
        for each in item.report.exercises if isinstance(item.report, Graded) else ():
            if not each.number:
                reasons = f" ({', '.join(map(remark_text, each.remarks))})" if each.remarks else ""
                yield f"{each.name} {each.points:+g}{reasons}"


def rounded_points(points: float) -> str:
    """Return points rounded, without the noise of binary fractions.

    >>> rounded_points(45.79999999999999), rounded_points(50.0), rounded_points(-0.001)
    ('45.8', '50', '0')
    """
    return f"{round(points, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def marks_of(
    reports: Iterable[ShownReport],
    catalogue: Catalogue,
    singles: Iterable[HandChange] = (),
    parts: Mapping[str, Set[str]] = MappingProxyType({}),
) -> Marks:
    """Return the marks in reports. If a student has several files for a unit, only one of them counts.

    A student who is missing one of the assignment's `parts` (units) gets no mark. Other units are ignored.
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
            counts = counting([item.name for item in items], unit, catalogue)
            marks[student, assignment].append(next(item for item in items if item.name == counts))
    return Marks(marks, tuple(singles))


def as_csv(students: Sequence[Student], marks: Marks, titles: Mapping[str, str]) -> Iterator[ExportRow]:
    """Yield the rows of a plain table."""
    yield ["id", "name", "e-mail", "group", "section", *(titles.get(name, name) for name in marks.assignments)]
    for each in students:
        points = (marks.points(each.id, name) for name in marks.assignments)
        yield [each.id, each.name, each.email, each.group, each.section, *points]


def as_moodle(students: Sequence[Student], marks: Marks, titles: Mapping[str, str]) -> Iterator[ExportRow]:
    """Yield the rows of Moodle's grade import."""
    names = [titles.get(name, name) for name in marks.assignments]
    head = [title for name in names for title in (name, f"{name} (feedback)")]
    yield ["ID number", "Username", "Email address", "Full name", *head]
    for each in students:
        cells = ((marks.points(each.id, a, "-"), marks.feedback(each.id, a)) for a in marks.assignments)
        yield [each.id, each.login, each.email, each.name, *(cell for pair in cells for cell in pair)]


def as_canvas(students: Sequence[Student], marks: Marks, titles: Mapping[str, str]) -> Iterator[ExportRow]:
    """Yield the rows of Canvas's gradebook."""
    names = marks.assignments
    yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *(titles.get(name, name) for name in names)]
    yield ["    Points Possible", "", "", "", "", *(rounded_points(marks.of(name)) for name in names)]
    for each in students:
        points = (marks.points(each.id, name) for name in names)
        sis = each.sis or (each.id if each.id != each.canvas else "")
        yield [each.name, each.canvas, sis, each.login, each.section, *points]


FORMATS: dict[str, Callable[[Sequence[Student], Marks, Mapping[str, str]], Iterator[ExportRow]]] = {
    "csv": as_csv,
    "moodle": as_moodle,
    "canvas": as_canvas,
}
