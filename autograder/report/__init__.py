"""Reports as data, as text, and as HTML."""

__all__ = ("data", "model", "render", "stops", "table", "words")
