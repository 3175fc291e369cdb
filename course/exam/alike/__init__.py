"""Where more than one answer is right: observations that are as good as each other, brought into one form.

For a unit there may be a module with a table `ALIKE`: an exercise's function gives, of the arguments of a call and
what was observed, the observation that stands for all that are right if it is. It needs no reference.
"""
