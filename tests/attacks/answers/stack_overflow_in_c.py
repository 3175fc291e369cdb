# Overflows C's stack.
import sys
def flip(domino):
    sys.setrecursionlimit(1 << 30)
    thing = ()
    for _ in range(10**6):
        thing = (thing,)
    return hash(thing), repr(thing)
