"""Exams: the inputs, and what references were observed to do with them."""

__all__ = ("cases", "checks", "known", "model", "plan", "relations", "store")
