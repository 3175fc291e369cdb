"""Watching: a learner's own functions run once and recorded, and shown as values and calls."""

from course.watch.telling import watch

__all__ = ["watch"]
