# Puts itself into the background of a terminal, to be stopped when it reads.
import os
def flip(domino):
    os.setpgid(0, 0)
    os.tcsetpgrp(0, 1)
    return os.read(0, 1)
