"""Who calls the grader: a learner's kernel, nbgrader, pytest."""

__all__ = ("gradescope", "kernel", "nbgrader", "products", "pytest")
