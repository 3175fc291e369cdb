"""A term: what outlives one run: results and verdicts in a store, adjustments, hand-ins taken in, marks given out."""

from autograder.unusable import Unusable

__all__ = (
    "adjust",
    "archive",
    "autograding",
    "export",
    "files",
    "gradebook",
    "intake",
    "lateness",
    "places",
    "points",
    "results",
    "roster",
    "shown",
    "store",
    "view",
    "where",
)


class TermError(Unusable, ValueError):
    """Something of a term that cannot be used; the message is one line."""
