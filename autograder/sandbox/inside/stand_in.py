"""Stands for an unwritten exercise that its author's other answers call."""

from __future__ import annotations

from course.values import Todo


class NotWritten(NotImplementedError):
    """An unwritten exercise was used; the message is its name."""


class StandIn(Todo):
    """Stands for an unwritten exercise, and raises NotWritten whatever is done with it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def _error(self) -> Exception:
        return NotWritten(self._name)
