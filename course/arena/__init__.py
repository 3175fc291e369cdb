"""Arenas, in which bots play: sets and games, tournaments and charts of any arena, and the game of our bots."""
