"""Reports, as data and as text."""

__all__ = ("data", "model", "render", "stops", "table", "words")
