# Waits for a message that never comes, without an alarm.
import os, signal
def flip(domino):
    signal.setitimer(signal.ITIMER_PROF, 0)
    while True:
        os.read(3, 1)
