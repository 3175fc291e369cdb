"""Find, read and sort submissions. No code in them is run."""

__all__ = ("allowed", "code", "find", "model", "plain", "reading", "sort")
