"""Dominoes: the examples in advice to learners are about tiles."""

from course.diagnoses import UnitAdvice

ADVICE = UnitAdvice(words={"item": "tile", "items": "tiles"})
