# Closes its channel, and stays.
import os
def flip(domino):
    os.close(3)
    while True:
        pass
