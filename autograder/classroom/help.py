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
MOST_BROKEN = 3


@dataclass(frozen=True)
class InNeed:
    """A student who may need help, and why."""

    student: str
    reasons: tuple[str, ...]


def in_need(by_unit: Mapping[str, Sequence[HandIn]]) -> list[InNeed]:
    """Return the students who may need help after the last unit, those with the most reasons first.

    Units are in teaching order.
    """
    if not by_unit:
        return []
    *_, last = by_unit
    usual = median(entry.reach for entry in by_unit[last]) if by_unit[last] else 0
    before = {unit: {entry.student: entry for entry in entries} for unit, entries in by_unit.items() if unit != last}
    results = [InNeed(entry.student, tuple(_reasons(entry, usual, before))) for entry in by_unit[last]]
    return sorted((each for each in results if each.reasons), key=lambda each: (-len(each.reasons), each.student))


def _reasons(entry: HandIn, usual: float, before: Mapping[str, Mapping[str, HandIn]]) -> Iterator[str]:
    total = len(entry.exercises)
    if entry.reach < EARLY * usual:
        yield f"stopped at exercise {entry.reach} of {total}; half of the class reached exercise {usual:g}"
    earlier = [entries[entry.student].share for entries in before.values() if entry.student in entries]
    if earlier and entry.share < mean(earlier) - FALL:
        before_it = f"{mean(earlier):.0%} in {counted(len(earlier), 'earlier unit')}"
        yield f"{entry.share:.0%} of the points, down from {before_it}"
    broken = [each.name for each in entry.exercises if not each.parses]
    if len(broken) >= MOST_BROKEN:
        yield f"{counted(len(broken), 'answer')} with syntax errors: {', '.join(broken[:MOST_BROKEN])} …"
    tried = [each for each in entry.exercises if each.state != UNWRITTEN]
    if len(tried) >= 4 and not any(each.share == 1.0 for each in tried):
        yield f"{counted(len(tried), 'answer')}, none of them right"
