"""Foldem's autograder: reads, builds, runs, judges and reports."""
