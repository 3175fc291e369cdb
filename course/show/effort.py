"""About how long exercises take, estimated from their points."""

from __future__ import annotations

from collections.abc import Iterable

TO_READ, A_POINT, A_CHALLENGE = 2, 3, 30  # minutes


def minutes(points: float) -> int:
    """Return about how many minutes an exercise takes. An exercise without points is a challenge."""
    return round(TO_READ + A_POINT * points) if points else A_CHALLENGE


def duration(points: Iterable[float]) -> str:
    """Return about how long exercises take together, in half hours. Challenges are optional and do not count.

    >>> duration([1, 4]), duration([5] * 5), duration([4] * 12)
    ('half an hour', '1½ hours', '3 hours')
    """
    halves = round(sum(map(minutes, filter(None, points))) / 30)
    if halves <= 2:
        return "an hour" if halves == 2 else "half an hour"
    return f"{halves // 2}{'½' * (halves % 2)} hours"


__all__ = ("duration", "minutes")
