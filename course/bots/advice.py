"""Bots: the examples in advice to learners are about cards."""
