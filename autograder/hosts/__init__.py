"""Programs that call the grader: a learner's kernel, nbgrader, pytest, Gradescope."""

__all__ = ("facet_tests", "gradescope", "kernel", "nbgrader", "products", "pytest")
