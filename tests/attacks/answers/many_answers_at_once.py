# Gives a set of all dominoes, one of which is right.
def flip(domino):
    return {Domino(left, right) for left in range(7) for right in range(7)}
