"""Students who may need help. The page shows reasons with figures, and no score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median

from autograder.classroom.model import HandIn
from autograder.report.model import UNWRITTEN
from autograder.text import counted

EARLY = 0.5  # share of the exercises that half of the class has reached
FALL = 0.25  # drop in the share of all points, compared with the mean of earlier units
LOW_SHARE, LEAST_SOLVED = 0.75, 0.5  # of the median points of a class, and of its median number of solved exercises
BROKEN_SHOWN = 3


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
    total, (share, solved, last_answered) = len(entry.exercises), usual
    if entry.share < LOW_SHARE * share or entry.report.solved < LEAST_SOLVED * solved:
        yield f"{entry.share:.0%} of the points, {entry.report.solved} of {total} exercises solved"
    if entry.last_answered < EARLY * last_answered:
        yield f"stopped at exercise {entry.last_answered} of {total}"
    earlier = [entries[entry.student].share for entries in before.values() if entry.student in entries]
    if earlier and entry.share < mean(earlier) - FALL:
        before_it = f"{mean(earlier):.0%} in {counted(len(earlier), 'earlier unit')}"
        yield f"{entry.share:.0%} of the points, down from {before_it}"
    broken = [each.name for each in entry.exercises if not each.parses]
    if len(broken) >= BROKEN_SHOWN:
        yield f"{counted(len(broken), 'answer')} with syntax errors: {', '.join(broken[:BROKEN_SHOWN])} …"
    tried = [each for each in entry.exercises if each.state != UNWRITTEN]
    if len(tried) >= 4 and not any(each.share == 1.0 for each in tried):
        yield f"{counted(len(tried), 'answer')}, none of them right"
