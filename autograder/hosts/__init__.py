"""The programs that call the grader: a learner's kernel, nbgrader, pytest, Gradescope."""

__all__ = (
    "cells",
    "facet_tests",
    "kernel",
    "kernel_sandbox",
    "nbgrader",
    "pytest",
    "single",
)
