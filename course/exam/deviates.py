"""Convert test statistics to standard deviations from the mean, so that all results are on one scale."""

from __future__ import annotations

from math import sqrt


def wilson_hilferty(chi_squared: float, freedom: int) -> float:
    """Return a chi-squared value as standard deviations from its mean (Wilson-Hilferty approximation).

    >>> round(wilson_hilferty(23, 23), 2), round(wilson_hilferty(80, 23), 1)
    (0.1, 5.3)
    """
    spread = 2 / (9 * freedom)
    return float(((chi_squared / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))
