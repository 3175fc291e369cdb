"""Grade a submission: run its answers, judge them by an exam, and return a report."""

__all__ = ("batch", "oral", "puzzles", "run", "runs")
