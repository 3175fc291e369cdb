"""Warmup: examples of advice are about cards."""

from course.diagnoses import ADVICE as ADVICE
