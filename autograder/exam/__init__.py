"""Exams: the inputs for each exercise, and what its reference did with them."""

__all__ = (
    "build",
    "cases",
    "checks",
    "contrast",
    "draw",
    "impostors",
    "model",
    "plan",
    "sealing",
    "store",
)
