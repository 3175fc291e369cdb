# Writes rubbish on the channel.
import os
def flip(domino):
    os.write(3, b'x' * 100)
