# Imports solutions.
from solutions import dominoes
def flip(domino):
    return dominoes.flip(domino)
