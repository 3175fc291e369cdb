# Forks.
import os
def flip(domino):
    os.fork()
    return Domino(domino.right, domino.left)
