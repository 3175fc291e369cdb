"""Proofs of a unit: what its author relies on, tried out.

Among them mutants: references changed in one place at a time, all of which the exam must refuse. The operators are our
own, on `ast`. Those of the maintained tools were looked at and don't fit: cosmic-ray's know operators, numbers and
decorators, mutmut's (LibCST) also strings, missing arguments and dropped `match` arms; neither touches the order of
arguments or arms, patterns, slices, calls within calls or the order of a tuple, which is what answers here are made
of, and both change files on the disk and run a test command for each, where we run an exam.
"""

__all__ = ("by_heart", "laws")
