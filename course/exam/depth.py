"""How many calls an answer may nest: as many wherever it is called from."""

from __future__ import annotations

import sys

DEEPEST_CALLS = 990  # about what Python allows


def allow_calls() -> None:
    """Let whoever calls this nest so many calls more, however many are under way: a front end's are many."""
    frame, height = sys._getframe(), 1
    while frame.f_back is not None:
        frame, height = frame.f_back, height + 1
    while not _can_limit(height):  # Python 3.11 counts calls that are not of Python functions, too
        height += 1
    sys.setrecursionlimit(height + DEEPEST_CALLS)


def _can_limit(calls: int) -> bool:
    """Return whether the recursion limit may be so low here; then it is."""
    try:
        sys.setrecursionlimit(calls)
    except RecursionError:
        return False
    return True
