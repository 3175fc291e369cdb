"""The references that learners have borrowed in this kernel: their names mean these instead of answers."""

from __future__ import annotations

from typing import Any

from course.kernel.notebook import Names

_borrowed: dict[tuple[str, str], Any] = {}


def borrow_into(names: Names, unit: str, name: str, reference: Any) -> None:
    """Let a name mean the reference of its exercise, and remember that it does."""
    names[name] = _borrowed[unit, name] = reference


def is_borrowed(names: Names, unit: str, name: str) -> bool:
    """Return whether what a name means here is what was borrowed."""
    return (unit, name) in _borrowed and names.get(name) is _borrowed[unit, name]
