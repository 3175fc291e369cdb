# Closes the channel.
import os
def flip(domino):
    os.close(3)
    return Domino(domino.right, domino.left)
