"""Submissions: found, read, sorted out; never run."""

__all__ = ("code", "find", "fingerprints", "model", "module", "notebook", "plain", "sort")
