"""A term: everything that outlives one run: the store of results, adjustments, collected files, exported marks."""

from autograder.unusable import Unusable

__all__ = (
    "adjust",
    "archive",
    "assignments",
    "autograding",
    "collected",
    "export",
    "files",
    "gradebook",
    "intake",
    "oddities",
    "places",
    "points",
    "results",
    "roster",
    "settling",
    "shown",
    "store",
    "times",
    "view",
    "where",
    "works",
)


class TermError(Unusable, ValueError):
    """A file or setting of a course that cannot be used; the message is one line."""
