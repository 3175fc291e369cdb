"""Reports as data, as text, and as HTML."""

__all__ = ("model", "render", "stops", "table", "words")
