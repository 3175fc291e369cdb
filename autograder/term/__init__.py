"""A term: what outlives one run: results and verdicts in a store, adjustments, hand-ins taken in, marks given out."""
