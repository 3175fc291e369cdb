"""Warmup: examples of advice are about cards."""
