"""Turns a submission and an exam into a report."""

__all__ = ("batch", "cages", "exercise", "marker", "memory", "run", "staff")
