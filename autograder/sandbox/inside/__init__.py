"""What runs inside the sandbox. Imports the standard library, the course and itself, nothing else."""

__all__ = ("bot_runner", "orders", "runner", "tickers")
