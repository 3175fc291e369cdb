"""Warmup: examples of advice are about cards."""

from course.diagnoses.advice import ADVICE as ADVICE
