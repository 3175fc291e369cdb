"""Bots against bots: entries, the processes that they run in, contests in exams, and the matches of a league."""

__all__ = ("contest", "entries", "league")
