# Gives the same for everything.
def flip(domino):
    return Domino(3, 3)
