"""Data of the class page: an entry for each submission, the tables behind the charts, and who may need help."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import mean, median
from typing import Any

from toolz import groupby

from autograder.report.model import PASSED, UNWRITTEN, ExerciseReport, Graded
from autograder.submission.code import Code
from autograder.text import counted

TRIED, LEFT_OUT, RIGHT, NOT_REACHED = "wrong", "skipped", "right", "not reached"
STATES = (TRIED, LEFT_OUT, RIGHT, NOT_REACHED)

EARLY = 0.5  # share of the exercises that half of the class has reached
FALL = 0.25  # drop in the share of all points, compared with the mean of earlier units
LOW_SHARE, LEAST_SOLVED = 0.75, 0.5  # of the median points of a class, and of its median number of solved exercises


@dataclass(frozen=True)
class HandIn:
    """A student's newest submission to a unit: report and code."""

    student: str
    report: Graded
    page: str = field(default="", kw_only=True)
    """The address of its page next to the class report, or ""."""
    code: Code = field(default_factory=Code, repr=False)
    group: str = ""

    @property
    def share(self) -> float:
        """Return the share of the points earned, from 0 to 1."""
        return self.report.points / self.report.of if self.report.of else 0.0

    @property
    def last_answered(self) -> int:
        """Return the position, in teaching order, of the last exercise with an answer."""
        written = [index for index, each in enumerate(self.report.sets, 1) if each.state != UNWRITTEN]
        return max(written, default=0)


@dataclass(frozen=True)
class Counts:
    """The table behind a chart, and the number of submissions in it. The first `parts` counts are parts of a bar."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    of: int
    note: str = ""
    parts: int = 1


def marks(entries: Sequence[HandIn]) -> Counts:
    """Return how many submissions are in each tenth of the points."""
    shares = [entry.share for entry in entries]
    tenths = Counter(max(0, min(int(share * 10 + 1e-9), 9)) for share in shares)
    rows = tuple((f"{10 * tenth} to {10 * tenth + 10} %", tenths[tenth]) for tenth in range(10))
    note = f"Mean {mean(shares):.0%}, median {median(shares):.0%}." if shares else ""
    return Counts("Marks", ("share of the points", "submissions"), rows, len(entries), note)


def difficulty(entries: Sequence[HandIn]) -> Counts:
    """Return the outcomes per exercise, the hardest first: the one that most students reached and did not solve."""
    names = tuple(dict.fromkeys(name for entry in entries for name in entry.report.set_exercises))
    counts = {
        name: Counter(_outcome_in_class(entry, name) for entry in entries if name in entry.report.set_exercises)
        for name in names
    }
    hardest = sorted(names, key=lambda name: -counts[name][TRIED] - counts[name][LEFT_OUT])
    rows = tuple((name, *(counts[name][state] for state in STATES)) for name in hardest)
    reached = sum(entry.last_answered >= len(names) for entry in entries)
    note = (
        f"Percentages: not solved. {reached} of {counted(len(entries), 'student')} reached {names[-1]}."
        if names
        else ""
    )
    return Counts("Exercises by difficulty", ("exercise", *STATES), rows, len(entries), note, len(STATES))


def _outcome_in_class(entry: HandIn, name: str) -> str:
    exercise = entry.report[name]
    if exercise.state == PASSED:
        return RIGHT
    if exercise.state != UNWRITTEN:
        return TRIED
    return LEFT_OUT if entry.report.set_exercises.index(name) < entry.last_answered else NOT_REACHED


def form(entries: Sequence[HandIn]) -> Counts:
    """Return for each rule of form how many students break it, and in how many answers."""
    broken = [
        (finding.rule, entry.student, exercise.name)
        for entry in entries
        for exercise in entry.report.sets
        for finding in exercise.form
        if finding.breaks
    ]
    by_rule = groupby(lambda each: each[0], dict.fromkeys(broken))
    rows = [(rule, len({student for _, student, _ in result}), len(result)) for rule, result in by_rule.items()]
    most = tuple(sorted(rows, key=lambda row: -row[1]))
    return Counts("Rules of style that are broken", ("rule", "students", "answers"), most, len(entries))


def failures(entry: HandIn) -> list[ExerciseReport]:
    """Return the exercises that were answered wrongly."""
    return [each for each in entry.report.sets if each.state not in (PASSED, UNWRITTEN)]


# ---------------------------------------------------------------------------------------------------- who may need help


@dataclass(frozen=True)
class StudentInNeed:
    """A student who may need help, and why."""

    student: str
    reasons: tuple[str, ...]
    page: str = ""


def in_need(by_unit: Mapping[str, Sequence[HandIn]]) -> list[StudentInNeed]:
    """Return the students who may need help after the last unit, those with the fewest points first.

    Units are in teaching order.
    """
    *_, last = [*by_unit] or [""]
    if not by_unit.get(last):
        return []
    figures = [(entry.share, entry.report.solved, entry.last_answered) for entry in by_unit[last]]
    usual = [median(each) for each in zip(*figures, strict=True)]
    before = {unit: {entry.student: entry for entry in entries} for unit, entries in by_unit.items() if unit != last}
    weakest = sorted(by_unit[last], key=lambda entry: (entry.share, entry.student))
    results = (StudentInNeed(entry.student, tuple(_reasons(entry, usual, before)), entry.page) for entry in weakest)
    return [each for each in results if each.reasons]


def _reasons(entry: HandIn, usual: Sequence[float], before: Mapping[str, Mapping[str, HandIn]]) -> Iterator[str]:
    total, (share, solved, last_answered) = len(entry.report.sets), usual
    if entry.share < LOW_SHARE * share or entry.report.solved < LEAST_SOLVED * solved:
        yield f"{entry.share:.0%} of the points, {entry.report.solved} of {total} exercises solved"
    if entry.last_answered < EARLY * last_answered:
        yield f"stopped at exercise {entry.last_answered} of {total}"
    earlier = [entries[entry.student].share for entries in before.values() if entry.student in entries]
    if earlier and entry.share < mean(earlier) - FALL:
        before_it = f"{mean(earlier):.0%} in {counted(len(earlier), 'earlier unit')}"
        yield f"{entry.share:.0%} of the points, down from {before_it}"
