# Closes every file.
import os
def flip(domino):
    os.closerange(0, 99)
    return Domino(domino.right, domino.left)
