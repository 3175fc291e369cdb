"""What stands for an exercise that is not written, where its author's other answers call it."""

from __future__ import annotations

from course.values import Todo


class NotWritten(NotImplementedError):
    """An exercise was used that is not written; the message is its name."""


class StandIn(Todo):
    """Stands for an exercise that is not written, and says so whatever is done with it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def _error(self) -> Exception:
        return NotWritten(self._name)
