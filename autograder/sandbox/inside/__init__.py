"""The code that runs inside the sandbox. It imports only the standard library, the course, and other modules in it."""

__all__ = ("bot_runner", "orders", "runner", "tickers")
