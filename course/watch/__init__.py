"""Watching: a learner's own functions run once and recorded, and shown as values and calls."""

from course.watch.asked import on_paper, watch

__all__ = ["on_paper", "watch"]
