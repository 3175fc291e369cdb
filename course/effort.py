"""How long exercises take, as a rule: by their points."""

from __future__ import annotations

from collections.abc import Iterable

TO_READ, A_POINT, A_CHALLENGE = 2, 3, 30  # minutes


def minutes(points: float) -> int:
    """Give about how many minutes an exercise of so many points takes; one without is a challenge."""
    return round(TO_READ + A_POINT * points) if points else A_CHALLENGE


def duration(points: Iterable[float]) -> str:
    """Say about how long exercises take together, without challenges: these may be left out.

    >>> duration([1, 4]), duration([4] * 12)
    ('an hour', '3 hours')
    """
    hours = round(sum(map(minutes, filter(None, points))) / 60)
    return f"{hours} hours" if hours > 1 else "an hour"


__all__ = ("duration", "minutes")
