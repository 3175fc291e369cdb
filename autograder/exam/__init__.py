"""Exams: the inputs for each exercise, and what its reference did with them."""

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
