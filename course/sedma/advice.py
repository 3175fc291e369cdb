"""Sedma: examples of advice are about cards."""
