"""Bots against bots: entries, the processes they play in, contests of an exam, tournaments."""

__all__ = ("contest", "entries", "tournament")
