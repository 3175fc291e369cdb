"""Proofs of a unit: tests of everything that its author relies on, such as mutants (references with one change).

We have our own mutation operators, on `ast`, because neither of the maintained tools fits. The tool cosmic-ray changes
operators, numbers and decorators. The tool mutmut (LibCST) also changes strings, arguments and `match` arms. Neither
changes the parts that matter in our answers: the order of arguments or arms, patterns, slices, nested calls, or the
order of a tuple. Both change files on disk and run a test command for each mutant, while we run an exam.
"""

__all__ = ("answers", "inspection", "laws", "mutate")
