"""Lateness: deadlines, extensions, and the deduction per day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from autograder.submission.reading import read_file
from autograder.term.locations import SUBMITTED
from autograder.text import counted

STAMP_FILE, LONGEST_STAMP = "timestamp.txt", 1000
ON_TIME = timedelta()


@dataclass(frozen=True)
class Deadlines:
    """The deadlines of assignments, extensions for single students, and the share deducted per day."""

    root: Path | None = None
    until: Mapping[str, datetime] = field(default_factory=dict)
    per_day: float = 0.0
    extended: Mapping[tuple[str, str], datetime] = field(default_factory=dict)
    zone: tzinfo | None = None

    def until_for(self, student: str, assignment: str) -> datetime | None:
        """Return a student's deadline in the course's time zone, if it has one; or None."""
        until = self.extended.get((student, assignment)) or self.until.get(assignment)
        return until.astimezone(self.zone) if until and self.zone else until

    def late(self, student: str, assignment: str) -> timedelta:
        """Return how late a submission was, on the clock of the deadline's time zone."""
        until = self.until_for(student, assignment)
        if until is None or self.root is None:
            return ON_TIME
        there = stamped(self.root / SUBMITTED / student / assignment / STAMP_FILE)
        return after(there, until) if there else ON_TIME

    def cost(self, late: timedelta) -> tuple[float, str]:
        """Return the share of the points to deduct, and what was counted. Each day that has begun counts."""
        days = -(-late // timedelta(days=1))
        share = min(1.0, days * self.per_day)
        deducted = f", counted as {counted(days, 'day')}: {share:.0%} of the points" if share else ""
        return share, f"late by {span(late)}{deducted}"


def after(moment: datetime, until: datetime) -> timedelta:
    """Return how long after a deadline a moment is, on the clock of the deadline's time zone.

    >>> until = datetime(2026, 10, 24, 20, tzinfo=ZoneInfo("Europe/Berlin"))
    >>> str(after(datetime(2026, 10, 25, 18, 30, tzinfo=UTC), until))  # the clocks went back that night
    '23:30:00'
    """
    return max(moment.astimezone(until.tzinfo) - until, ON_TIME)  # Python compares the clocks of one zone


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

    >>> span(timedelta(days=1, minutes=30)), span(timedelta(hours=2, minutes=3)), span(timedelta(seconds=3))
    ('1 day 30 min', '2 h 3 min', '1 min')
    """
    minutes = max(1, late // timedelta(minutes=1))
    parts = counted(minutes // 1440, "day"), f"{minutes // 60 % 24} h", f"{minutes % 60} min"
    return " ".join(part for part in parts if not part.startswith("0 "))
