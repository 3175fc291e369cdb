"""Data of the class page: an entry for each submission, and the tables behind the charts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import mean, median
from typing import Any

from toolz import groupby

from autograder.report.model import PASSED, UNWRITTEN, ExerciseReport, Graded
from autograder.submission.code import Code
from autograder.text import counted

TRIED, LEFT_OUT, AT_ONCE, AFTER_TRIES, NOT_REACHED = (
    "wrong",
    "skipped",
    "right in the first file",
    "right in a later file",
    "not reached",
)
STATES = (TRIED, LEFT_OUT, AT_ONCE, AFTER_TRIES, NOT_REACHED)


@dataclass(frozen=True)
class HandIn:
    """A student's newest submission to a unit: report, code and earlier reports."""

    student: str
    report: Graded
    page: str = field(default="", kw_only=True)
    """The address of its page next to the class report, or ""."""
    code: Code = field(default_factory=Code, repr=False)
    earlier: tuple[Graded, ...] = ()
    group: str = ""

    @property
    def exercises(self) -> tuple[ExerciseReport, ...]:
        """Return the notebook's exercises, without rows for bonus points or marks by hand."""
        return tuple(each for each in self.report.exercises if each.number)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.exercises)

    @property
    def share(self) -> float:
        """Return the share of the points earned, from 0 to 1."""
        return self.report.points / self.report.of if self.report.of else 0.0

    @property
    def last_answered(self) -> int:
        """Return the position, in teaching order, of the last exercise with an answer."""
        written = [index for index, each in enumerate(self.exercises, 1) if each.state != UNWRITTEN]
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
    names = _exercises(entries)
    counts = {
        name: Counter(_outcome_in_class(entry, name) for entry in entries if name in entry.names) for name in names
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


def _exercises(entries: Sequence[HandIn]) -> tuple[str, ...]:
    """Return the exercises of all submissions, in teaching order."""
    return tuple(dict.fromkeys(name for entry in entries for name in entry.names))


def _outcome_in_class(entry: HandIn, name: str) -> str:
    exercise = entry.report[name]
    if exercise.state == PASSED:
        before = [report[name] for report in entry.earlier if name in report.set_exercises]
        missed = any(each.state not in (PASSED, UNWRITTEN) for each in before)
        return AFTER_TRIES if missed else AT_ONCE
    if exercise.state != UNWRITTEN:
        return TRIED
    return LEFT_OUT if entry.names.index(name) < entry.last_answered else NOT_REACHED


def form(entries: Sequence[HandIn]) -> Counts:
    """Return for each rule of form how many students break it, and in how many answers."""
    broken = [
        (finding.rule, entry.student, exercise.name)
        for entry in entries
        for exercise in entry.exercises
        for finding in exercise.form
        if finding.breaks
    ]
    by_rule = groupby(lambda each: each[0], dict.fromkeys(broken))
    rows = [(rule, len({student for _, student, _ in result}), len(result)) for rule, result in by_rule.items()]
    most = tuple(sorted(rows, key=lambda row: -row[1]))
    return Counts("Rules of style that are broken", ("rule", "students", "answers"), most, len(entries))


def points_by_unit(by_unit: Mapping[str, Sequence[HandIn]]) -> Counts:
    """Return, for each unit, the mean and median share of the points and the number of submissions."""
    shares = {unit: [entry.share for entry in entries] for unit, entries in by_unit.items() if entries}
    rows = tuple((unit, f"{mean(of):.0%}", f"{median(of):.0%}", len(of)) for unit, of in shares.items())
    students = {entry.student for entries in by_unit.values() for entry in entries}
    return Counts("Unit by unit", ("unit", "mean share", "median share", "submissions"), rows, len(students))


def failures(entry: HandIn) -> list[ExerciseReport]:
    """Return the exercises that were answered wrong."""
    return [each for each in entry.exercises if each.state not in (PASSED, UNWRITTEN)]
