"""A teacher's own acceptance relations:

Python files next to `adjust.toml`. These relations are trusted and run in the grader.
"""

from __future__ import annotations

import runpy
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path

from autograder.exam.cases import Case, Observation

Accepts = Callable[[Case, Observation, Observation], bool]


class RelationError(ValueError):
    """Raised for a file without the named relation. The message is one line."""


@cache
def relation_in(file: Path, name: str, digest: str) -> Accepts:
    """Return the relation that a file defines for an exercise.

    The relation takes a case, the expected value and the actual value, and returns a boolean.
    """
    try:
        relation = runpy.run_path(str(file)).get(name)
    except SyntaxError as error:
        raise RelationError(f"{file}:{error.lineno}: SyntaxError: {error.msg}") from None
    except Exception as error:
        rows = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
        location = f"{file}:{rows[-1]}" if rows else f"{file}"
        raise RelationError(f"{location}: {type(error).__name__}: {' '.join(str(error).split())}") from None
    if not callable(relation):
        raise RelationError(f"{file}: the function {name} is missing")
    return relation  # type: ignore[no-any-return]


def agrees(accepts: Accepts, case: Case, want: Observation, observed: Observation) -> bool:
    """Return whether a relation accepts. Only True accepts; an exception refuses."""
    try:
        return accepts(case, want, observed) is True
    except Exception:
        return False
