"""Sets, games, tournaments and charts for bots of any game; also the rules of the game in the unit `bots`."""
