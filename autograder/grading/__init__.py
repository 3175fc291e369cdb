"""Grade a submission: run its answers, judge them by an exam, and return a report."""

__all__ = ("batch", "cages", "exercise", "judgement", "marker", "memory", "oral", "puzzles", "run", "workers")
