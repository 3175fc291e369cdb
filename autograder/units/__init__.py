"""Units as their authors wrote them, and the notebooks built from them."""

__all__ = ("build", "mistakes", "pack", "pages", "unit", "written")
