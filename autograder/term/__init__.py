"""A term: what outlives one run: results and verdicts in a store, adjustments, hand-ins taken in, marks given out."""


class TermError(ValueError):
    """Something of a term that cannot be used; the message is one line."""
