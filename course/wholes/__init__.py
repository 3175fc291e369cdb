"""Functions that judge many calls together, by unit. They need no reference.

Such a function takes all observations of a facet, and returns None, or the reason why they are wrong.
"""
