"""Submissions: finds, reads and sorts them, and never runs them."""

__all__ = ("cell", "code", "convert", "find", "fingerprints", "model", "notebook", "plain", "reading", "sort")
