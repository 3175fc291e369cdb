# Defines a function whose name looks like the exercise's, and the exercise by accident of normalization.
def ﬂip(domino):
    return domino
