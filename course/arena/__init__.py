"""The arena for bots of Uno: its values, the engine of a set, games and tournaments, and charts."""
