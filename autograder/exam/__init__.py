"""Exams: the inputs for each exercise, and what its reference did with them."""

__all__ = (
    "annotations",
    "beliefs",
    "build",
    "cases",
    "checks",
    "contrast",
    "draw",
    "impostors",
    "memorized",
    "model",
    "plan",
    "sealing",
    "store",
)
