"""A class's table in the terminal: a line for each submission, then the results by exercise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import mean, median

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from autograder.config import PUBLISHED
from autograder.report.model import PASSED, UNGRADED, ExerciseReport, Graded, Report, Ungradable
from autograder.report.stops import Stop
from autograder.report.words import remark_lines, shown_failure, stop_text
from autograder.text import counted
from autograder.units.pack import Catalogue
from autograder.units.unit import Unit, read_unit
from course.diagnoses.failure import Failure
from course.show.blocks import as_text
from course.show.failed import failure_elements

ON_PUBLISHED = (
    "Graded with the published exam, which students can learn by heart. "
    "To use a secret exam, make a course folder (foldem course) or add --seed."
)
OTHER_COLUMNS = 32


@dataclass
class ExerciseCounts:
    """Counts over the reports on an exercise: how many answers are right, and what fails most often."""

    number: int = 0
    solved: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    shortest: dict[str, Failure] = field(default_factory=dict)
    stops: Counter[Stop] = field(default_factory=Counter)
    beliefs: Counter[str] = field(default_factory=Counter)

    def add(self, exercise: ExerciseReport) -> None:
        self.number += 1
        self.solved += exercise.state == PASSED
        self.stops.update([exercise.stop] if exercise.stop else [])
        self.beliefs.update([exercise.belief] if exercise.belief else [])
        if facet := exercise.first_failure:
            self.failures[facet.shown] += 1
            known = [each for each in (self.shortest.get(facet.shown), shown_failure(facet)) if each]
            self.shortest |= {facet.shown: min(known, key=lambda each: (len(str(each)), str(each)))} if known else {}

    @property
    def commonest(self) -> str:
        """Return the rule that fails most often. If none fails, return why answers were not tried, or ""."""
        if self.failures:
            return self.failures.most_common(1)[0][0]
        return stop_text(self.stops.most_common(1)[0][0]) if self.stops else ""

    @property
    def details(self) -> list[str]:
        """Return lines with the shortest failure of the commonest rule, and the commonest known mistake."""
        failure = self.shortest.get(self.commonest)
        beliefs = self.beliefs.most_common(1) if self.failures else []
        believed = [f"{counted(number, 'student')} probably thought: {belief}" for belief, number in beliefs]
        evidence = as_text(failure_elements(replace(failure, line=0))).splitlines() if failure else []
        return evidence + [f"  {line}" for line in believed]


@dataclass
class Cohort:
    """The sums over all reports of one unit with the same exercises."""

    title: str
    unit: Unit
    names: tuple[str, ...]
    counts: dict[str, ExerciseCounts] = field(default_factory=dict)
    points: list[float] = field(default_factory=list)
    of: float = 0.0

    def add(self, report: Graded) -> None:
        for exercise in report.sets:
            self.counts.setdefault(exercise.name, ExerciseCounts()).add(exercise)
        self.of = report.of
        if report.is_graded:
            self.points.append(report.points)

    @property
    def head(self) -> str:
        """Return the group's name: the unit's title, and which part of the unit was assigned."""
        if len(self.names) == len(self.unit.exercises):
            return self.title
        part = counted(len(self.names), "exercise")
        return f"{self.title}, {part} from {self.names[0]} to {self.names[-1]}" if self.names else f"{self.title}, none"

    @property
    def middle(self) -> str:
        """Return a line with the group's mean and median."""
        if not self.points:
            return f"{self.head}: {'no complete marks yet' if self.counts else 'none graded'}"
        text = f"mean {mean(self.points):.1f}, median {median(self.points):.1f} of {self.of:g}"
        return f"{self.head}: {text}, {counted(len(self.points), 'submission')}"


class ClassTable:
    """A table that is printed row by row. Only sums of the reports are stored."""

    def __init__(self, console: Console, names: Sequence[int], catalogue: Catalogue) -> None:
        self.console, self.catalogue = console, catalogue
        self.width = min(max([*names, len("submission")]), console.width - OTHER_COLUMNS)
        self.groups: dict[tuple[str, tuple[str, ...]], Cohort] = {}
        self.is_published = False
        self.ungradable: list[str] = []
        self._print("submission", "unit", "points", "solved", style="bold")

    def add(self, name: str, report: Report) -> None:
        """Print a submission's row, and its remarks below."""
        match report:
            case Ungradable(reason):
                self._print(name, "", "–", "–", style="red")
                self.ungradable.append(f"{name}: {stop_text(reason)}")
            case Graded():
                solved = f"{report.solved} / {len(report.set_exercises)}"
                self._print(name, report.unit, f"{report.points:g} / {report.of:g}", solved)
                ungraded = [exercise.name for exercise in report.sets if exercise.state == UNGRADED]
                others = [f"left to nbgrader: {', '.join(map(marked_text, report.others))}"] * bool(report.others)
                for line in (*others, *[f"ungraded: {', '.join(ungraded)}"] * bool(ungraded), *remark_lines(report)):
                    self.console.print(Padding(Text(line, "dim"), (0, 0, 0, 4)))
                if report.unit in self.catalogue.units:
                    cohort = Cohort(report.title, read_unit(self.catalogue, report.unit), report.set_exercises)
                    self.groups.setdefault((report.unit, report.set_exercises), cohort).add(report)
                    self.is_published |= report.seed == PUBLISHED

    def finish(self, last: Sequence[str] = ()) -> None:
        """Print the summary of the class, then the lines in `last`."""
        for group in self.groups.values():
            self._print_exercises(group)
        if self.is_published:
            self.console.print(f"\n{ON_PUBLISHED}", style="dim")
        self.console.print()
        for line in self.ungradable:
            self.console.print(Text(line, "red"))
        for group in self.groups.values():
            self.console.print(group.middle, highlight=False)
        for line in last:
            self.console.print(line, highlight=False, soft_wrap=True)

    def _print(self, name: str, unit: str, points: str, solved: str, style: str = "") -> None:
        rest = f"  {unit:<8}  {points:>11}  {solved:>7}"
        if cell_len(name) > self.width:
            self.console.print(Text(name, style), soft_wrap=True)
            name = ""
        self.console.print(Text(f"{set_cell_size(name, self.width)}{rest}", style))

    def _print_exercises(self, group: Cohort) -> None:
        text = ": share solved, and the most common failure with its smallest input"
        self.console.print(Text.assemble("\n", (group.head, "bold"), text))
        right = [name for name, counts in group.counts.items() if counts.solved == counts.number]
        if right:
            self.console.print(Padding(Text.assemble(" 100%  ", (", ".join(right), "bold")), expand=False))
        for name, counts in group.counts.items():
            if name in right:
                continue
            solved = f"{counts.solved / counts.number:>5.0%}  "
            self.console.print(Text.assemble(solved, (name, "bold"), f"  {counts.commonest}"))
            for line in counts.details:
                self.console.print(Padding(Text(line[2:], style="dim"), (0, 0, 0, 2), expand=False))


def marked_text(other: ExerciseReport) -> str:
    """Return the name of a cell that nbgrader grades, and its mark.

    >>> marked_text(ExerciseReport("essay", 0, PASSED, 1.5, 4)), marked_text(ExerciseReport("essay", 0, UNGRADED, 0, 4))
    ('essay (1.5 of 4)', 'essay (no mark yet)')
    """
    mark = "no mark yet" if other.state == UNGRADED else f"{other.points:g} of {other.of:g}"
    return f"{other.name} ({mark})"
