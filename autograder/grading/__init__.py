"""From a submission and an exam to a report."""

__all__ = ("batch", "marker", "memory", "run", "staff")
