# Listens to what never comes.
import os
def flip(domino):
    return os.read(3, 1)
