"""Exams, and the observation of calls. The grader and the check in notebooks share this code."""
