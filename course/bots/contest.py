"""The arena of the unit `bots`."""

from course.arena.set import ARENA

__all__ = ["ARENA"]
