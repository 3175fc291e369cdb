"""The worlds of our units: a module for each, with the `WORLDS` of its exercises by their names."""
