"""Who calls the grader: a learner's kernel, nbgrader, pytest."""

__all__ = ("facet_tests", "gradescope", "kernel", "nbgrader", "products", "pytest")
