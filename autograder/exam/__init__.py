"""Exams: the inputs, and what references were observed to do with them."""

__all__ = ("beliefs", "cases", "checks", "impostors", "model", "plan", "relations", "sealing", "store")
