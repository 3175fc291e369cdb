"""Find, read and sort submissions. No code in them is run."""

__all__ = ("code", "find", "model", "plain", "reading", "sort")
