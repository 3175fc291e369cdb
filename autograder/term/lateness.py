"""Lateness: deadlines, extensions, and how many days late a file is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from autograder.config import BEST, LAST_FILE
from autograder.submission.reading import read_file
from autograder.term.locations import SUBMITTED
from autograder.text import counted
from course.limits import LONGEST_STAMP

STAMP_FILE = "timestamp.txt"
ON_TIME = timedelta()
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Deadlines:
    """The deadlines of assignments, extensions for single students, and the share deducted per day.

    The times have the course's time zone. `counts` is the setting for several files. `handed_in` replaces time stamps.
    """

    root: Path | None = None
    until: Mapping[str, datetime] = field(default_factory=dict)
    per_day: float = 0.0
    extended: Mapping[tuple[str, str], datetime] = field(default_factory=dict)
    counts: str = BEST
    handed_in: datetime | None = None

    def deadline_of(self, student: str, assignment: str) -> datetime | None:
        """Return a student's deadline, or None."""
        return self.extended.get((student, assignment)) or self.until.get(assignment)

    def in_time_until(self, student: str, assignment: str) -> datetime | None:
        """Return until when a file comes before later ones, or None if the last file counts in any case."""
        return None if self.counts == LAST_FILE else self.deadline_of(student, assignment)

    def late(self, student: str, assignment: str) -> timedelta:
        """Return how late a submission was, from its time stamp."""
        until = self.deadline_of(student, assignment)
        if until is None or self.root is None:
            return ON_TIME
        there = self.handed_in or stamped(self.root / SUBMITTED / student / assignment / STAMP_FILE)
        return max(there - until, ON_TIME) if there else ON_TIME


def days_late(until: datetime, late: timedelta) -> int:
    """Return how many days late have begun. A day ends at the deadline's time of day, in its time zone.

    >>> until = datetime(2026, 10, 24, 20, tzinfo=ZoneInfo("Europe/Berlin"))  # the clocks go back in the night
    >>> [days_late(until, timedelta(hours=hours)) for hours in (1, 24.5, 25.5)]
    [1, 1, 2]
    """
    handed_in = (until.astimezone(UTC) + late).astimezone(until.tzinfo)
    return max(1, -(-(handed_in.replace(tzinfo=None) - until.replace(tzinfo=None)) // timedelta(days=1)))


def stamped(file: Path) -> datetime | None:
    """Return the time in a time stamp of nbgrader's exchange or of `foldem collect`, or None.

    A student may have made the file, so it can be a link, a pipe or an endless text.
    """
    try:
        day, hour, *zone = read_file(file, LONGEST_STAMP).decode().split()
        moment = datetime.fromisoformat(f"{day} {hour}")
        return (moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(zone[0]) if zone else UTC)).astimezone(UTC)
    except (OSError, ValueError, OverflowError, ZoneInfoNotFoundError):
        return None


def span(late: timedelta) -> str:
    """Return a time span as text.

    >>> span(timedelta(days=1, hours=2, minutes=3)), span(timedelta(days=1, minutes=3)), span(timedelta(minutes=3))
    ('1 day 2 h', '1 day 3 min', '3 min')
    """
    hours, minutes = late.seconds // 3600, late.seconds // 60 % 60
    if late.days:
        return f"{counted(late.days, 'day')} {f'{hours} h' if hours else f'{minutes} min'}"
    return f"{hours} h {minutes} min" if hours else f"{max(minutes, 1)} min"
