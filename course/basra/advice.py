"""Basra: the examples in advice to learners are about cards."""

from course.diagnoses.advice import ADVICE as ADVICE
