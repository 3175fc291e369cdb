"""Exams: the inputs for each exercise, and the observations of its reference."""

__all__ = (
    "beliefs",
    "cases",
    "checks",
    "impostors",
    "kit_world",
    "memorized",
    "model",
    "plan",
    "relations",
    "reserve",
    "sealing",
    "store",
)
