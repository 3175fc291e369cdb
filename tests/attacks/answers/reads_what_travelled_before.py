# Reads the channel again, for the request that it was made of.
import os
def flip(domino):
    try:
        os.lseek(3, 0, 0)
    except OSError:
        pass
    return os.read(3, 1 << 20)
