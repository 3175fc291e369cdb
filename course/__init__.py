"""Foldem's course: what a learner imports. Pure Python, and nothing of the autograder or the solutions."""
