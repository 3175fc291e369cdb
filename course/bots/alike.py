"""Bots: shares may differ by the rounding error of floats, since `1 - 2 / 3` is not exactly `1 / 3`."""

from __future__ import annotations

from dataclasses import replace

from course.exam.observation import Observation

DIGITS = 9


def _rate(_: tuple[object, ...], observed: Observation) -> Observation:
    return replace(observed, value=round(observed.value, DIGITS)) if type(observed.value) is float else observed


ALIKE = {"win_rate": _rate}
