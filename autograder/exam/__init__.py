"""Exams: the inputs for each exercise, and what the reference solution returns or does for them."""

__all__ = (
    "build",
    "cases",
    "contrast",
    "draw",
    "impostors",
    "model",
    "plan",
    "sealing",
    "store",
)
