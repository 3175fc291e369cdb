"""What students of the game of war import."""
