"""How long exercises take, as a rule: by their points."""

from __future__ import annotations

from collections.abc import Iterable

TO_READ, A_POINT = 2, 3  # minutes


def minutes(points: float) -> int:
    """Give about how many minutes an exercise of so many points takes."""
    return round(TO_READ + A_POINT * points)


def duration(points: Iterable[float]) -> str:
    """Say about how long exercises take together.

    >>> duration([1, 4]), duration([4] * 12)
    ('an hour', '3 hours')
    """
    hours = round(sum(map(minutes, points)) / 60)
    return f"{hours} hours" if hours > 1 else "an hour"


__all__ = ("duration", "minutes")
