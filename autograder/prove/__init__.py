"""Proofs of a unit: tests of everything that its author relies on, such as mutants (references with one change).

The operators are our own, on `ast`, because the maintained tools do not fit. cosmic-ray changes operators, numbers and
decorators; mutmut (LibCST) also changes strings, arguments and `match` arms. Neither changes what our answers consist
of: the order of arguments or arms, patterns, slices, nested calls, or the order of a tuple. Both change files on disk
and run a test command for each mutant, while we run an exam.
"""

__all__ = ("answers", "by_heart", "equivalent", "laws")
