"""Exams and the observation of calls; the grader and the learner's check use the same code."""
