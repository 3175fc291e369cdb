"""Bots: a share is the same however it was computed; `1 - 2 / 3` is not quite `1 / 3`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from course.exam.seen import Observation

DIGITS = 9


def _rate(_: tuple[Any, ...], observed: Observation) -> Observation:
    return replace(observed, value=round(observed.value, DIGITS)) if type(observed.value) is float else observed


ALIKE = {"win_rate": _rate}
