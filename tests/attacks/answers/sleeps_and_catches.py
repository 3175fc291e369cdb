# Sleeps at each call for as long as a call may take.
import time, signal
def flip(domino):
    end = time.monotonic() + 0.2
    while time.monotonic() < end:
        pass
    return domino
