"""The table of a class in the terminal: a line for each submission, then the mean and the median."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean, median

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from autograder.config import PUBLISHED_SEED
from autograder.report.model import UNGRADED, ExerciseReport, Graded, Report, Ungradable
from autograder.report.words import extra_row_text, remark_lines, stop_text
from autograder.text import count_text
from autograder.units.pack import Catalogue
from autograder.units.unit import read_unit

PUBLISHED_EXAM_WARNING = (
    "Graded with the published exam, which students can learn by heart. "
    "To use a secret exam, make a course folder (foldem course) or add --seed."
)
NO_MARKS, OTHER_COLUMNS = "no complete marks yet", 32


class ClassTable:
    """A table that is printed row by row. For the summary, the table keeps only the points, not the reports."""

    def __init__(self, console: Console, names: Sequence[int], catalogue: Catalogue) -> None:
        self.console, self.catalogue = console, catalogue
        self.width = min(max([*names, len("submission")]), console.width - OTHER_COLUMNS)
        self.points: dict[tuple[str, float], list[float]] = {}  # by title and points possible
        self.is_published = False
        self.ungradable: list[str] = []
        self._print_row("submission", "unit", "points", "solved", style="bold")

    def print_report(self, name: str, report: Report) -> None:
        """Print the row of a submission, and below it the remarks."""
        match report:
            case Ungradable(reason):
                self._print_row(name, "", "–", "–", style="red")
                self.ungradable.append(f"{name}: {stop_text(reason)}")
            case Graded():
                solved = f"{report.solved} / {len(report.assigned_exercises)}"
                self._print_row(name, report.unit, f"{report.points:g} / {report.of:g}", solved)
                ungraded = [exercise.name for exercise in report.exercise_reports if exercise.state == UNGRADED]
                lines = (
                    *[f"left to nbgrader: {', '.join(map(mark_text, report.nbgrader_rows))}"]
                    * bool(report.nbgrader_rows),
                    *(extra_row_text(each) for each in report.exercises if each.is_extra),
                    *[f"ungraded: {', '.join(ungraded)}"] * bool(ungraded),
                    *remark_lines(report),
                )
                for line in lines:
                    self.console.print(Padding(Text(line, "dim"), (0, 0, 0, 4)))
                if report.unit in self.catalogue.units:
                    points = self.points.setdefault((title_of(report, self.catalogue), report.of), [])
                    points += [report.points] * report.is_graded
                    self.is_published |= report.seed == PUBLISHED_SEED

    def print_summary(self, last: Sequence[str] = ()) -> None:
        """Print the summary of the class, then the lines in `last`."""
        if self.is_published:
            self.console.print(f"\n{PUBLISHED_EXAM_WARNING}", style="dim")
        self.console.print()
        for line in self.ungradable:
            self.console.print(Text(line, "red"))
        for (title, of), points in self.points.items():
            number = count_text(len(points), "submission")
            text = f"mean {mean(points):.1f}, median {median(points):.1f} of {of:g}, {number}" if points else NO_MARKS
            self.console.print(f"{title}: {text}", highlight=False)
        for line in last:
            self.console.print(line, highlight=False, soft_wrap=True)

    def _print_row(self, name: str, unit: str, points: str, solved: str, style: str = "") -> None:
        rest = f"  {unit:<8}  {points:>11}  {solved:>7}"
        if cell_len(name) > self.width:
            self.console.print(Text(name, style), soft_wrap=True)
            name = ""
        self.console.print(Text(f"{set_cell_size(name, self.width)}{rest}", style))


def title_of(report: Graded, catalogue: Catalogue) -> str:
    """Return the title of a report's unit. If only a part of the unit was assigned, the title names the part."""
    names = report.assigned_exercises
    if not names or len(names) == len(read_unit(catalogue, report.unit).exercises):
        return report.title
    return f"{report.title}, {count_text(len(names), 'exercise')} from {names[0]} to {names[-1]}"


def mark_text(other: ExerciseReport) -> str:
    """Return the name and the mark of a cell that nbgrader grades.

    >>> from autograder.report.model import PASSED
    >>> mark_text(ExerciseReport("essay", 0, PASSED, 1.5, 4)), mark_text(ExerciseReport("essay", 0, UNGRADED, 0, 4))
    ('essay (1.5 of 4)', 'essay (no mark yet)')
    """
    mark = "no mark yet" if other.state == UNGRADED else f"{other.points:g} of {other.of:g}"
    return f"{other.name} ({mark})"
