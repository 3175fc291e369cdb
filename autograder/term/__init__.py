"""A term: what outlives one run: results and verdicts in a store, adjustments, hand-ins taken in, marks given out."""

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
    """Something of a term that cannot be used; the message is one line."""
