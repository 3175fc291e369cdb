"""The code that runs inside the sandbox. It imports only the standard library, the course and itself."""

__all__ = ("bot_runner", "orders", "runner", "tickers")
