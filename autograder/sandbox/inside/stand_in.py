"""A placeholder for an unwritten exercise that the learner's other answers call."""

from __future__ import annotations

from course.values import Todo


class NotWritten(NotImplementedError):
    """Raised when an unwritten exercise is used. The message is the exercise's name."""


class StandIn(Todo):
    """A placeholder for an unwritten exercise. Any use of it raises NotWritten."""

    def __init__(self, name: str) -> None:
        self._name = name

    def _error(self) -> Exception:
        return NotWritten(self._name)
