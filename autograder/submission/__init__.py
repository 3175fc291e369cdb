"""Find, read and sort submissions. Nothing in them is run."""

__all__ = ("cell", "code", "convert", "find", "fingerprints", "model", "notebook", "plain", "reading", "sort")
