"""Units as their authors wrote them, and the notebooks built from them."""

__all__ = ("build", "helpers", "mistakes", "pack", "pages", "pins", "predicted", "unit", "written")
