"""Bots against bots: entries, the processes that they run in, contests in exams, tournaments, leagues."""

__all__ = ("contest", "entries", "league", "players", "tournament")
