"""Find, read and sort submissions. Nothing in this package runs their code."""

__all__ = ("code", "find", "model", "plain", "reading", "sort")
