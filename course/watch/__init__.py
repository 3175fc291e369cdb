"""Watching: a learner's own functions run once and recorded, and shown step by step as values and calls."""
