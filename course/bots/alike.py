"""Bots: which results count as equal.

A share may differ by the rounding error of floats, because `1 - 2 / 3` is not exactly `1 / 3`.
"""

from __future__ import annotations

from dataclasses import replace

ROUNDED_DIGITS = 9


ALIKE = {
    "win_rate": lambda _, observed: (
        replace(observed, value=round(observed.value, ROUNDED_DIGITS)) if type(observed.value) is float else observed
    )
}
