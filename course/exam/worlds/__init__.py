"""The worlds of our units: one module per unit, with `WORLDS` by exercise."""
