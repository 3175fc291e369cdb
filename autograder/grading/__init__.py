"""Grade a submission: run its answers, judge them by an exam, and return a report."""

__all__ = ("batch", "puzzles", "run", "runs")
