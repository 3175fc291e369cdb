"""Dominoes: every order of the items is a shuffle of them, save for the very order that many were in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from course.exam.seen import Observation


def _shuffled(args: tuple[Any, ...], seen: Observation) -> Observation:
    if len(args) != 1 or type(seen.value) is not tuple or (len(set(args[0])) > 11 and seen.value == args[0]):
        return seen
    return replace(seen, value=tuple(sorted(seen.value, key=repr)))


ALIKE = {"list_shuffle": _shuffled}
