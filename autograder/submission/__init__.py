"""Submissions: finds, reads and sorts them, and never runs them."""

__all__ = ("cell", "code", "find", "fingerprints", "model", "module", "notebook", "plain", "sort")
