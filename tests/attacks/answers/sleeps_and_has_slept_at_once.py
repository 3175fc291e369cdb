# Sleeps, and has slept at once.
import time
def flip(domino):
    time.sleep(1000)
