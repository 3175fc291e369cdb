"""Marks in the formats of learning platforms. A missing mark is blank (in Moodle `-`), never 0.

Moodle imports grades from CSV (documentation of 3.11 to 4.5). Any column can identify users: id number, address or
username. `-` means no grade. Points and feedback must be imported together, or the grades are lost.

Canvas imports the CSV format of its gradebook: five columns about the student, then a column for each assignment, with
only its title. The row `Points Possible` is below the titles.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from types import MappingProxyType

from toolz import groupby

from autograder.report.model import Graded
from autograder.term.adjust import Single
from autograder.term.roster import Student
from autograder.term.view import ShownReport, counting
from autograder.units.pack import Catalogue

ExportRow = list[str]


@dataclass
class Total:
    """A student's points in an assignment, summed over its notebooks; None if one of them is ungraded."""

    points: float | None = 0.0
    of: float = 0.0
    solved: int = 0
    exercises: int = 0
    comments: tuple[str, ...] = ()

    def add(self, item: ShownReport, singles: Iterable[Single] = ()) -> None:
        """Add a notebook's report and a student's own adjustments."""
        match item.report:
            case Graded() as report if report.is_graded:
                self.points = None if self.points is None else self.points + report.points
                self.of += report.of
                self.comments += tuple(_comments(report, singles))
                self.solved += report.solved
                self.exercises += len(report.sets)
            case _:
                self.points = None


@dataclass
class Marks:
    """The marks of a course, by student and assignment."""

    marks: dict[tuple[str, str], Total] = field(default_factory=lambda: defaultdict(Total))

    @property
    def assignments(self) -> list[str]:
        return sorted({assignment for _, assignment in self.marks})

    def of(self, assignment: str) -> float:
        """Return the points that an assignment is worth for most students."""
        totals = [mark.of for (_, name), mark in self.marks.items() if name == assignment and mark.points is not None]
        return max(totals, key=totals.count, default=0.0)

    def points(self, student: str, assignment: str, blank: str = "") -> str:
        """Return a student's points as exported."""
        mark = self.marks.get((student, assignment))
        return blank if mark is None or mark.points is None else rounded_points(mark.points)

    def feedback(self, student: str, assignment: str) -> str:
        """Return a line of feedback, or "" without a mark."""
        mark = self.marks.get((student, assignment))
        if mark is None or mark.points is None:
            return ""
        return "; ".join((f"{mark.solved} of {mark.exercises} exercises solved", *mark.comments))


def _comments(report: Graded, singles: Iterable[Single]) -> Iterator[str]:
    """Yield a teacher's comments, and the points outside of exercises with their reasons."""
    yield from (f"{each.exercise}: {each.comment}" for each in singles if each.exercise and each.comment)
    for each in report.exercises:
        if not each.number:
            yield f"{each.name} {each.points:+g}" + f" ({', '.join(map(str, each.remarks))})" * bool(each.remarks)


def rounded_points(points: float) -> str:
    """Return points rounded, without the noise of binary fractions.

    >>> rounded_points(45.79999999999999), rounded_points(50.0), rounded_points(0.0)
    ('45.8', '50', '0')
    """
    return f"{round(points, 2):.2f}".rstrip("0").rstrip(".")


def marks_of(
    reports: Iterable[ShownReport],
    catalogue: Catalogue,
    singles: Iterable[Single] = (),
    parts: Mapping[str, Set[str]] = MappingProxyType({}),
) -> Marks:
    """Return the marks in reports. If a student has several files for a unit, only one of them counts.

    A student who is missing one of the assignment's `parts` (units) gets no mark. Other units are ignored.
    """
    given = groupby(lambda each: (each.student, each.unit), singles)
    files: dict[tuple[str, str, str], list[ShownReport]] = defaultdict(list)
    for item in reports:
        files[item.student, item.assignment or item.report.unit, item.report.unit].append(item)
    marks = Marks()
    for student, assignment in {(student, assignment) for student, assignment, _ in files}:
        if not all((student, assignment, unit) in files for unit in parts.get(assignment, ())):
            marks.marks[student, assignment].points = None
    for (student, assignment, unit), items in files.items():
        if unit not in parts.get(assignment, {unit}):
            continue
        counts = counting([item.name for item in items], unit, catalogue)
        if unit or (student, assignment) not in marks.marks:
            chosen = next(item for item in items if item.name == counts)
            words = given.get((student, unit), ())
            marks.marks[student, assignment].add(chosen, _meant(words, chosen))
    return marks


def _meant(singles: Iterable[Single], item: ShownReport) -> Iterator[Single]:
    """Return the adjustments for a report's student and assignment."""
    return (each for each in singles if each.is_for(item.student, item.assignment, item.report.unit))


def as_csv(students: Sequence[Student], marks: Marks, titles: Mapping[str, str]) -> Iterator[ExportRow]:
    """Yield the rows of a plain table."""
    yield ["id", "name", "e-mail", "group", *(titles.get(name, name) for name in marks.assignments)]
    for each in students:
        points = (marks.points(each.id, name) for name in marks.assignments)
        yield [each.id, each.name, each.email, each.group, *points]


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
        yield [each.name, each.canvas, each.sis or each.id, each.login, each.group, *points]


FORMATS: dict[str, Callable[[Sequence[Student], Marks, Mapping[str, str]], Iterator[ExportRow]]] = {
    "csv": as_csv,
    "moodle": as_moodle,
    "canvas": as_canvas,
}
