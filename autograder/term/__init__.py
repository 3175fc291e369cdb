"""The files of a course that last longer than one run: results, adjustments, collected files, exported marks."""

from autograder.errors import UserError

__all__ = (
    "adjust",
    "assignments",
    "collected",
    "course",
    "files",
    "gradebook",
    "intake",
    "people",
    "platforms",
    "results",
    "roster",
    "store",
    "times",
    "view",
)


class TermError(UserError, ValueError):
    """Raised for a file or setting of a course that cannot be used. The exception's message is one line."""
