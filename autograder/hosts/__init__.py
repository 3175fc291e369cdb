"""Programs that call the grader: a learner's kernel, nbgrader, pytest, Gradescope, Classroom 50."""

__all__ = (
    "cells",
    "classroom50",
    "facet_tests",
    "gradescope",
    "kernel",
    "kernel_sandbox",
    "nbgrader",
    "products",
    "pytest",
)
