# Calls exit.
import sys
def flip(domino):
    sys.exit(0)
