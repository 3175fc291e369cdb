"""What many calls of an exercise have to be together: judges, by unit, that need no reference.

A judge takes what all calls of a facet were observed to give, and gives None, or the reason to refuse it.
"""
