"""Bots against bots: entries, the processes that they run in, contests in exams, tournaments."""

__all__ = ("contest", "entries", "held", "tournament")
