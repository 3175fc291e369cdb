"""Reports: as data, and as people read them."""

__all__ = ("data", "model", "render", "stops", "table", "words")
