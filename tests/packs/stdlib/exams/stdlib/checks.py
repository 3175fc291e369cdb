"""Inputs of small functions on values of the standard library."""

from __future__ import annotations

from hypothesis import strategies as st
from stdlib_course.stdlib import *

from autograder.exam.cases import Case, Check, Observation, case

_WORDS = st.text("abc", max_size=5)
_FEW = st.integers(1, 4)

STRATEGIES = {
    "Basket": st.builds(Basket, st.sampled_from(("Ann", "Bo")), st.lists(st.sampled_from(("fig", "pear")), max_size=3)),
    "Day": st.dates(date(2026, 1, 1), date(2027, 12, 31)),
    "Few": _FEW,
    "Minutes": st.integers(0, 24 * 60 - 1),
    "Part": st.fractions(0, 5, max_denominator=9),
    "Price": st.decimals("0.05", "9.95", places=3),
    "Reading": st.floats(-1e3, 1e3, allow_nan=False).map(lambda reading: reading / 3),
    "Word": _WORDS,
}


def _is_mixed(case: Case, want: Observation, seen: Observation) -> str | None:
    """Accept any third order; of a visible example the argument is not known, but what it must not give."""
    word = "".join(sorted(want.value)) if not case.args else case.args[0]
    if type(seen.value) is not type(want.value) or sorted(seen.value) != sorted(word):
        return "has not the same letters"
    known = seen.value in (word, word[::-1]) and seen.value != want.value
    return "is in the order that it was in, or reversed" if known else None


CHECKS = {
    "evens": Check(facets={"an odd limit": (case(7), case(9)), "no number": (case(0), case(-3))}),
    "mean": Check(tolerance=1e-9),
    "mixed": Check(accepts=_is_mixed),
    "sort_in_place": Check(facets={"it is sorted": (case([]), case([1]), case([1, 2, 3]))}),
    "summary": Check(tolerance=1e-9),
    "without": Check(facets={"all of them": (case([1, 1, 1], 1), case([2], 2))}),
}
