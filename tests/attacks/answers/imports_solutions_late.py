# Imports solutions late.
def flip(domino):
    return __import__('solutions.dominoes').dominoes.flip(domino)
