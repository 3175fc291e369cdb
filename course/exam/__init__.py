"""Exams and their observation, the same code for graders and for learners without references."""
