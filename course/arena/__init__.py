"""The arena for bots of Uno: its values, the rules of a set, games and tournaments, and charts."""
