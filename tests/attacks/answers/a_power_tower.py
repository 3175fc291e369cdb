# Computes a number that takes for ever in C.
def flip(domino):
    return 9 ** 9 ** 9
