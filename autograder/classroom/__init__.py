"""Statistics of a class: groups of equal mistakes, students who may need help, similar code, and the class page."""

__all__ = ("model", "page")
