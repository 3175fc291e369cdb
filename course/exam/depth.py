"""The depth of nested calls that an answer may use, the same wherever it is called from."""

from __future__ import annotations

import sys

DEEPEST_CALLS = 990  # about what Python allows


def allow_calls() -> None:
    """Allow so many further nested calls, whatever the current depth: notebook front ends need many."""
    frame, height = sys._getframe(), 1
    while frame.f_back is not None:
        frame, height = frame.f_back, height + 1
    while not _can_limit(height):  # Python 3.11 counts calls that are not of Python functions, too
        height += 1
    sys.setrecursionlimit(height + DEEPEST_CALLS)


def _can_limit(calls: int) -> bool:
    """Set the recursion limit if it may be so low here, and return whether it was set."""
    try:
        sys.setrecursionlimit(calls)
    except RecursionError:
        return False
    return True
