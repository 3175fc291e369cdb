"""Bots: the examples in advice to learners are about cards."""

from course.diagnoses.cards import ADVICE as ADVICE
