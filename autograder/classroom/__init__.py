"""A class as a whole: groups of equal mistakes, students who may need help, similar code, and its page."""

__all__ = ("comments", "groups", "model", "page")
