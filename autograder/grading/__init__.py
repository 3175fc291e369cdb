"""From a submission and an exam to a report."""

__all__ = ("batch", "exercise", "marker", "memory", "run", "staff")
