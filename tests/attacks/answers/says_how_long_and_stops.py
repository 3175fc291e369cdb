# Announces four gigabytes, and ends.
import os
def flip(domino):
    os.write(3, b"\xff\xff\xff\xff")
    os._exit(0)
