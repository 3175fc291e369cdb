"""Units as their authors wrote them, and the notebooks that are built from them."""

__all__ = ("build", "mistakes", "pack", "pages", "unit", "written")
