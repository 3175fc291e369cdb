"""The checks and the known mistakes of `dominoes`."""
