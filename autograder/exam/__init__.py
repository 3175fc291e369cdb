"""Exams: the inputs, and what references were observed to do with them."""

__all__ = (
    "beliefs",
    "cases",
    "checks",
    "impostors",
    "memorized",
    "model",
    "plan",
    "relations",
    "reserve",
    "sealing",
    "store",
)
