"""Submissions: found, read, sorted out; never run."""
