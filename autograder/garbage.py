"""Garbage collection in Foldem's own processes."""

import gc


def look_seldom() -> None:
    """Raise the threshold of garbage collection: most objects of imports, exams and reports are long-lived or freed
    at once.
    """
    gc.set_threshold(100_000)
