"""Garbage collection in Foldem's own processes."""

import gc


def collect_garbage_less_often() -> None:
    """Raise the threshold of garbage collection.

    Most objects of imports, exams and reports live long, or are freed at once.
    """
    gc.set_threshold(100_000)
