# Loops for ever in C.
def flip(domino):
    return sum(range(10**13))
