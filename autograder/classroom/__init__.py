"""A class seen as a whole: who thinks the same, who needs help, whose code is alike, and the page that shows it."""

__all__ = ("comments", "groups", "model", "page")
