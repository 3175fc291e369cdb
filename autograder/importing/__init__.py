"""Make a unit from a teacher's notebook. Questions that cannot become exercises stay as ordinary cells."""

__all__ = ("deciding", "reading", "recording", "summary", "writing")
