"""Uno: examples of advice are about cards."""
