"""The arena that bots of Uno play in: the values, the engine of a set, games and tournaments, the charts."""
