"""Basra: examples of advice are about cards."""

from course.diagnoses.cards import ADVICE as ADVICE
