"""The worlds of our units. Each module is a unit, with a table `WORLDS` by exercise."""
