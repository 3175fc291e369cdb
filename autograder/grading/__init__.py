"""From a submission and an exam to a report."""

__all__ = ("batch", "cages", "exercise", "marker", "memory", "run", "staff")
