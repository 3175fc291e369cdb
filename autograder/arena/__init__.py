"""Bots against bots: entries, the processes they play in, contests of an exam, tournaments."""
