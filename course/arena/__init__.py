"""Arenas for bots: sets, games, tournaments and charts of any game, and the game of the unit `bots`."""
