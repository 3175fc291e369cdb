"""Sedma: the examples in advice to learners are about cards."""

from course.diagnoses import ADVICE as ADVICE
