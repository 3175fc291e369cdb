"""Functions that judge many calls together, by unit; they need no reference.

A judge takes all observations of a facet, and returns None, or the reason to refuse them.
"""
