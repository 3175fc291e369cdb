"""How deeply an answer may nest calls. The limit does not depend on where the answer is called."""

from __future__ import annotations

import sys

DEEPEST_CALLS = 990  # about Python's default


def allow_calls() -> None:
    """Set the recursion limit so that DEEPEST_CALLS more nested calls are possible at any depth."""
    frame, height = sys._getframe(), 1
    while frame.f_back is not None:
        frame, height = frame.f_back, height + 1
    while not _can_limit(height):  # Python 3.11 also counts calls of functions written in C
        height += 1
    sys.setrecursionlimit(height + DEEPEST_CALLS)


def _can_limit(calls: int) -> bool:
    """Set the recursion limit, and return whether Python allows that limit at the current depth."""
    try:
        sys.setrecursionlimit(calls)
    except RecursionError:
        return False
    return True
