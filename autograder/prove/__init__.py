"""Proofs of a unit: everything its author relies on, tested; among it mutants, references changed in one place.

The operators are our own, on `ast`. Maintained tools don't fit: cosmic-ray changes operators, numbers and decorators,
mutmut (LibCST) also strings, arguments and `match` arms. Neither touches the order of arguments or arms, patterns,
slices, nested calls or the order of a tuple, which is what answers here are made of. Both change files on disk and
run a test command for each mutant, where we run an exam.
"""

__all__ = ("answers", "by_heart", "equivalent", "laws")
