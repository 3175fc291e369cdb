# Imports solutions.
from solutions import dominoes
def flip(domino):
    return Domino(domino.right, domino.left)
