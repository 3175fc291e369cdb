"""Exams, and the observation of calls. The grader and the learner's check share this code."""
